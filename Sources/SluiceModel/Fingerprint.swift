// SPDX-License-Identifier: MIT

/// A number for texts that is the same in every run; two that share one are a matter of chance.
///
/// FNV-1a: it only ever saves work or memory where a rare mistake keeps an old caption or makes a name longer, so nothing
/// stronger is needed.
public struct Fingerprint: Sendable, Hashable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The number for nothing.
    public init() {}

    /// The number for one text alone.
    public init(_ text: String) {
        for byte in text.utf8 { add(byte: byte) }
    }

    /// The number for some texts, one behind the other.
    public init(of texts: [String]) {
        for text in texts { add(text) }
    }

    /// Takes in a further text, or that there is none.
    public mutating func add(_ text: String?) {
        // Neither byte is ever part of UTF-8, so that no two lists of texts run together into the same bytes.
        guard let text else { return add(byte: 0xFE) }
        for byte in text.utf8 { add(byte: byte) }
        add(byte: 0xFF)
    }

    /// Takes in a number, or that there is none.
    public mutating func add(_ number: Int?) {
        add(number.map(String.init))
    }

    /// All of it, 16 hexadecimal digits.
    public var text: String {
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Eight of the digits: enough to tell apart what nearly shares a name.
    public var short: String { String(text.prefix(8)) }

    /// The number as SQLite keeps it.
    public var value: Int { Int(truncatingIfNeeded: hash) }

    private mutating func add(byte: UInt8) {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}
