// SPDX-License-Identifier: MIT

internal import SluiceModel

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
        var form: String?
        var http = HTTPVersion.auto
        var credentials: WebAddress.Credentials?
        /// Where the host is; `nil` leaves it to libcurl to find out.
        var addresses: [NetworkAddress]?
        /// Whether only the rest of the file is asked for.
        var asksForRest = false
        /// Whether nothing is wanted if nothing has changed.
        var isConditional = false

        /// One hop of a request; its headers and its password go along only within the origin that they were given for.
        init(_ request: Request, at address: WebAddress, origin: WebAddress, into target: Body.Target) {
            self.address = address
            let isAtHome = address.hasOrigin(of: origin)
            headers = isAtHome ? request.headers : []
            credentials = isAtHome ? origin.credentials : nil
            self.target = target
            limit = request.limit
            timeout = request.timeout
            acceptsCompression = request.acceptsCompression
            form = request.form
            honoursOptOut = request.honoursOptOut
            if let known = request.known, let conditions = known.headers(at: address) {
                headers += conditions
                isConditional = true
            }
            if case .file(let landing) = target {
                let range = landing.headers(at: address)
                headers += range
                asksForRest = !range.isEmpty
            }
        }
    }

    /// How an exchange came to its end.
    struct Ending: Sendable {
        var result: Result<Reply, Failure>
        /// Whether the host broke off, and its HTTP/2 may be to blame: libcurl does not tell what was spoken without a reply.
        var mayBlameHTTP2: Bool
    }

    /// A whole reply with any status.
    struct Reply: Sendable {
        var status: Int
        var headers: HeaderFields
        var body: [UInt8]
        var bytes: Int
        /// Whether the reply is a good one to what was asked.
        var isGood: Bool
        /// Whether the rest of the file cannot be had, and the whole must be asked for.
        var isNoRest = false
        /// How long it took.
        var times: TransferTimes

        /// What the host itself says of a failure, if it says it in words and not in a page.
        var words: String {
            guard let type = headers["content-type"], type.contains("json") || type.hasPrefix("text/plain") else {
                return ""
            }
            return String(decoding: body.prefix(200), as: UTF8.self)
        }
    }
}
