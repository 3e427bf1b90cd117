// SPDX-License-Identifier: MIT

/// The keys that sign requests to a bucket.
///
/// Its description and its mirror show no secret, so that none gets into a message.
struct S3Credentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The public identifier of the secret key.
    var accessKey: String
    var secretKey: String
    /// The token of temporary keys.
    var sessionToken: String?
    /// When temporary keys expire, in seconds since 1970.
    var expiry: Int?

    var description: String { "S3 credentials" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
