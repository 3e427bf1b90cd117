// SPDX-License-Identifier: MIT

/// The failure of an item or a page: a cause with its evidence.
public struct Failure: Error, Sendable, Hashable, Codable {
    /// The reason, from the closed list.
    public var cause: Cause
    /// The evidence in a few words: `20000 of 30000 bytes`, or a library's error message.
    public var detail: String
    /// The HTTP status, if there was a reply.
    public var status: Int?
    /// The address that answered, if it differs because of redirects.
    public var finalURL: String?
    /// The delay that the host asks for before a retry, if it states one.
    public var retryAfter: Duration?
    /// The number of announced bytes that were not downloaded, because the first bytes were enough to reject the file.
    public var savedBytes: Int?

    /// Creates a failure.
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
