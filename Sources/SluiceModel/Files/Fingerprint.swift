// SPDX-License-Identifier: MIT

/// A 64-bit FNV-1a hash of one or more texts, the same in every run.
///
/// A collision does little harm: it keeps an old caption or makes a name longer. A stronger hash is not needed.
package struct Fingerprint: Sendable, Hashable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Creates the hash of an empty sequence.
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
