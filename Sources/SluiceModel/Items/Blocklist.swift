// SPDX-License-Identifier: MIT

/// The hashes of photos that must not be kept.
///
/// Its text form has a hash on each line: 64 hexadecimal digits are a SHA-256, and 16 a perceptual hash as the manifest
/// has it. Text after `#` is a comment.
public struct Blocklist: Sendable, Hashable {
    /// The largest number of hashes.
    package static let maxCount = 1_000_000
    /// The largest size of the text form in bytes.
    package static let maxBytes = 128 << 20
    /// The largest number of bits in which the perceptual hashes of two copies differ.
    package static let maxDistance = 4

    private var contents: Set<SIMD4<UInt64>> = []
    private var pictures: [UInt64] = []

    /// Makes an empty list.
    public init() {}

    /// Reads the text form.
    public init(_ text: [UInt8]) throws(InvalidText) {
        var hashes: Set<UInt64> = []
        var (number, start) = (0, text.startIndex)
        // One line at a time, because a list of empty lines has too many for an array of them.
        while start < text.endIndex {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
            let word = Self.word(in: text[start..<end])
            (number, start) = (number + 1, end + 1)
            guard !word.isEmpty else { continue }
            if let sha256 = Self.sha256(word) {
                contents.insert(sha256)
            } else if word.count == 16, let hash = Self.number(word) {
                // All pictures of one colour have the same hash, so it names none of them.
                if !Self.isPlain(hash) { hashes.insert(hash) }
            } else {
                throw InvalidText("expected a SHA-256 or a perceptual hash", line: number)
            }
            guard contents.count + hashes.count <= Self.maxCount else {
                throw InvalidText("more than \(Self.maxCount) hashes", line: number)
            }
        }
        pictures = hashes.sorted()
    }

    package var fingerprint: String {
        var fingerprint = Fingerprint()
        for hash in contents.sorted(by: { ($0.x, $0.y, $0.z, $0.w) < ($1.x, $1.y, $1.z, $1.w) }) {
            for part in 0..<4 { fingerprint.add(String(hash[part])) }
        }
        for hash in pictures { fingerprint.add(String(hash)) }
        return fingerprint.text
    }

    /// Whether it has no hash.
    package var isEmpty: Bool { contents.isEmpty && pictures.isEmpty }

    /// Returns the failure of a file with this SHA-256 in hexadecimal digits; `nil` if it is not on the list.
    package func failure(ofContent sha256: String) -> Failure? {
        guard !contents.isEmpty, let hash = Self.sha256(Array(sha256.utf8)[...]), contents.contains(hash) else {
            return nil
        }
        return Failure(.blocked, "its SHA-256 is on the blocklist")
    }

    /// Returns the failure of a picture with this perceptual hash; `nil` if no hash on the list is like it.
    package func failure(ofPicture phash: String?) -> Failure? {
        guard !pictures.isEmpty, let phash, let hash = Self.number(Array(phash.utf8)[...]),
            pictures.contains(where: { ($0 ^ hash).nonzeroBitCount <= Self.maxDistance })
        else { return nil }
        return Failure(.blocked, "its perceptual hash is on the blocklist")
    }

    /// Returns the failure of a photo with this receipt; `nil` if it is not on the list.
    package func failure(of receipt: Receipt) -> Failure? {
        receipt.original.flatMap { failure(ofContent: $0.sha256) } ?? failure(ofPicture: receipt.phash)
    }

    /// Whether a perceptual hash is that of a picture without details; half the bits of others are set.
    private static func isPlain(_ hash: UInt64) -> Bool { hash.nonzeroBitCount < 8 }

    /// The line without its comment and the blanks around the rest.
    private static func word(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
        let start = line.prefix { $0 != UInt8(ascii: "#") }.drop(while: isBlank)
        return start.prefix(start.lastIndex { !isBlank($0) }.map { $0 - start.startIndex + 1 } ?? 0)
    }

    private static func sha256(_ digits: ArraySlice<UInt8>) -> SIMD4<UInt64>? {
        guard digits.count == 64 else { return nil }
        var hash = SIMD4<UInt64>()
        for part in 0..<4 {
            let start = digits.startIndex + 16 * part
            guard let number = number(digits[start..<start + 16]) else { return nil }
            hash[part] = number
        }
        return hash
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard digits.count == 16 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard let value = digit.hexadecimalValue else { return nil }
            number = number << 4 | UInt64(value)
        }
        return number
    }
}
