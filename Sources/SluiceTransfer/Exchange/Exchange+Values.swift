// SPDX-License-Identifier: MIT

extension Exchange {
    /// What is asked for, as plain values.
    struct Wish: Sendable {
        var address: WebAddress
        var headers: [String]
        var target: Body.Target
        var limit: Int
        var timeout: Duration
        var acceptsCompression: Bool
        var honoursOptOut: Bool
        var credentials: WebAddress.Credentials?

        /// One hop of a request; its headers and its password go along only within the origin that they were given for.
        init(_ request: Request, at address: WebAddress, origin: WebAddress, into target: Body.Target) {
            self.address = address
            let isAtHome = address.hasOrigin(of: origin)
            self.headers = isAtHome ? request.headers : []
            self.credentials = isAtHome ? origin.credentials : nil
            self.target = target
            self.limit = request.limit
            self.timeout = request.timeout
            self.acceptsCompression = request.acceptsCompression
            self.honoursOptOut = request.honoursOptOut
        }
    }

    /// A whole reply with any status.
    struct Reply: Sendable {
        var status: Int
        var headers: HeaderFields
        var body: [UInt8]
        var bytes: Int
        var sha256: String

        /// What the host itself says of a failure, if it says it in words and not in a page.
        var words: String {
            guard let type = headers["content-type"], type.contains("json") || type.hasPrefix("text/plain") else {
                return ""
            }
            return String(decoding: body.prefix(200), as: UTF8.self)
        }
    }
}
