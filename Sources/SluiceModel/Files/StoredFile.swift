// SPDX-License-Identifier: MIT

/// A complete file of the mirror: its path, size and hash.
public struct StoredFile: Sendable, Hashable, Codable {
    /// The path relative to the mirror, with `/` as the separator.
    public var path: String
    /// The size in bytes.
    public var bytes: Int
    /// The SHA-256 of the content, as 64 hexadecimal digits.
    public var sha256: String

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

/// A 64-bit FNV-1a hash of one or more texts, the same in every run.
///
/// A collision does little harm: it keeps an old caption or makes a name longer. A stronger hash is not needed.
package struct Fingerprint: Sendable, Hashable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ text: String) {
        add(text.utf8Span.span)
    }

    /// Hashes a sequence of texts.
    package init(of texts: [String]) {
        for text in texts { add(text) }
    }

    /// Adds a text, or its absence.
    package mutating func add(_ text: String?) {
        // UTF-8 contains neither byte, so different lists never produce the same bytes.
        guard let text else { return add(byte: 0xFE) }
        add(text.utf8Span.span)
        add(byte: 0xFF)
    }

    /// Adds the text with these bytes of UTF-8.
    package mutating func add(utf8 bytes: [UInt8]) {
        add(bytes.span)
        add(byte: 0xFF)
    }

    /// Adds a number, or its absence.
    package mutating func add(_ number: Int?) {
        add(number.map(String.init))
    }

    /// The hash as 16 hexadecimal digits.
    package var text: String { String(hash, radix: 16).zeroPadded(to: 16) }

    /// The first eight digits: enough to distinguish a few similar names.
    package var short: String { String(text.prefix(8)) }

    /// The hash as a signed integer, as SQLite stores it.
    package var value: Int { Int(truncatingIfNeeded: hash) }

    private mutating func add(_ bytes: borrowing Span<UInt8>) {
        for index in bytes.indices { add(byte: bytes[index]) }
    }

    private mutating func add(byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
