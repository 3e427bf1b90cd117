// SPDX-License-Identifier: MIT

/// A number for a text that is the same in every run (FNV-1a); two texts that share one are a matter of chance.
struct PathHash: Sendable, Hashable {
    private let value: UInt64

    init(_ text: String) {
        value = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// All of it, 16 hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// Eight of the digits: enough to tell apart what nearly shares a name.
    var short: String { String(text.prefix(8)) }
}
