// SPDX-License-Identifier: MIT

/// A complete file of the mirror: its path, size and hash.
public struct StoredFile: Sendable, Hashable, Codable {
    /// The path relative to the mirror, with `/` as the separator.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
    /// The SHA-256 of the content, as 64 hexadecimal digits.
    public var sha256: String

    /// Creates a description of a file.
    package init(path: String, bytes: Int, sha256: String) {
        (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
    }
}

extension StoredFile {
    /// Writes the members that ``init(_:)`` reads, as the ledger and the manifest have them.
    package func write(to object: inout JSONWriter) {
        object.member("file", path)
        object.member("bytes", bytes)
        object.member("sha256", sha256)
    }

    /// Reads the members `file`, `bytes` and `sha256`; `nil` if one is missing.
    package init?(_ json: JSON) {
        guard let path = json["file"]?.text, let bytes = json["bytes"]?.quantity, let sha256 = json["sha256"]?.text
        else { return nil }
        self.init(path: path, bytes: bytes, sha256: sha256)
    }

    /// The text of the JSON object with these members.
    package var json: String {
        var writer = JSONWriter()
        writer.object { write(to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Parses the text of ``json``.
    package init?(json text: String) {
        guard let object = try? JSON(parsing: Array(text.utf8)) else { return nil }
        self.init(object)
    }
}

/// The expected hash of a photo's bytes, as stated by the feed.
public struct Checksum: Sendable, Hashable, Codable {
    /// A hash algorithm.
    public enum Algorithm: String, Sendable, Hashable, Codable, CaseIterable {
        case sha256, sha1, md5

        /// The number of hexadecimal digits.
        package var digitCount: Int {
            switch self {
            case .sha256: 64
            case .sha1: 40
            case .md5: 32
            }
        }
    }

    /// The hash algorithm.
    public var algorithm: Algorithm
    /// The hexadecimal digits, in lower case.
    public var digits: String

    /// Parses hexadecimal digits in either case; returns `nil` if the text is not a hash of this algorithm.
    public init?(_ algorithm: Algorithm, _ text: String) {
        let digits = text.lowercased()
        guard digits.utf8.count == algorithm.digitCount, digits.allSatisfy(\.isHexDigit) else { return nil }
        self.algorithm = algorithm
        self.digits = digits
    }

    /// Parses hexadecimal digits and infers the algorithm from their number; returns `nil` if the text is not a hash.
    public init?(digits text: String) {
        guard let algorithm = Algorithm.allCases.first(where: { $0.digitCount == text.utf8.count }) else { return nil }
        self.init(algorithm, text)
    }

    /// Whether a stored file is certainly different, judging by the SHA-256 in its receipt.
    package func contradicts(_ file: StoredFile?) -> Bool {
        guard let file else { return false }
        return algorithm == .sha256 && file.sha256 != digits
    }
}
