// SPDX-License-Identifier: MIT

/// A cause with its evidence: what an item or a page ended with.
public struct Failure: Error, Sendable, Hashable, Codable {
    /// The reason, from the closed list.
    public var cause: Cause
    /// The evidence in a few words: `20000 of 30000 bytes`, or what the library said.
    public var detail: String
    /// The HTTP status, if there was a reply.
    public var status: Int?
    /// The address that answered, if redirects led elsewhere.
    public var finalURL: String?
    /// How long the host asks to wait before trying again, if it says so.
    public var retryAfter: Duration?
    /// How many announced bytes did not come, because the first ones had shown that they are not wanted.
    public var savedBytes: Int?

    /// Makes a failure.
    public init(_ cause: Cause, _ detail: String, status: Int? = nil, finalURL: String? = nil) {
        self.cause = cause
        self.detail = detail
        self.status = status
        self.finalURL = finalURL
    }
}

extension Failure: CustomStringConvertible {
    /// `truncated: 20000 of 30000 bytes`.
    public var description: String { detail.isEmpty ? cause.name : "\(cause.name): \(detail)" }
}
