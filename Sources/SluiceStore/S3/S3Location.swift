// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A parsed `s3://bucket/prefix`.
package struct S3Location: Sendable, Hashable, CustomStringConvertible {
    /// The scheme and slashes with which such a location begins.
    package static let scheme = "s3://"

    /// The name of the bucket.
    package let bucket: String
    /// The key, or the beginning of keys, without slashes at its ends; empty for the whole bucket.
    package let prefix: String

    /// Parses a location; `nil` if the text has another scheme or no valid bucket.
    package init?(_ text: String) {
        guard Self.isLocation(text) else { return nil }
        let parts = text.dropFirst(Self.scheme.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bucket = parts.first.map(String.init), Self.isBucket(bucket) else { return nil }
        self.bucket = bucket
        prefix = parts.count < 2 ? "" : parts[1].split(separator: "/").joined(separator: "/")
    }

    private init(bucket: String, prefix: String) { (self.bucket, self.prefix) = (bucket, prefix) }

    /// Whether a text has the scheme of a location, which need not be valid.
    package static func isLocation(_ text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// Whether a bucket may have the name: 3 to 63 lower-case letters, digits, dots and hyphens.
    private static func isBucket(_ name: String) -> Bool {
        let isPlain = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-.".utf8.contains($0)
        }
        return isPlain && (3...63).contains(name.utf8.count) && name.first != "." && name.first != "-"
    }

    /// The beginning of all keys below the location: the prefix and a slash, or nothing for the whole bucket.
    var keyPrefix: String { prefix.isEmpty ? "" : "\(prefix)/" }

    /// The key of a name below the location.
    func key(of name: String) -> String { keyPrefix + name }

    /// The name of a key below the location.
    func name(ofKey key: String) -> String { key.dropping(prefix: keyPrefix) }

    /// The name of the object with this URL; `nil` if it is not below the location.
    package func name(of url: String) -> String? {
        let start = "\(self)/".utf8
        return url.utf8.starts(with: start) ? String(Substring(url.utf8.dropFirst(start.count))) : nil
    }

    /// The location of a folder below this one.
    func below(_ folder: String) -> S3Location { S3Location(bucket: bucket, prefix: key(of: folder)) }

    /// The URL of a name below the prefix.
    package func appending(_ name: String) -> String { "\(self)/\(name)" }

    /// `s3://bucket/prefix`.
    package var description: String { Self.scheme + bucket + (prefix.isEmpty ? "" : "/\(prefix)") }
}
