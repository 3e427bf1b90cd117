// SPDX-License-Identifier: MIT

/// A range of addresses in CIDR notation: `169.254.0.0/16` or `fe80::/10`.
public struct NetworkRange: Sendable, Hashable, CustomStringConvertible {
    private let start: NetworkAddress
    private let bits: Int

    /// Parses a range, or a single address as a range of one; `nil` for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // Accept only canonical IPv4: programs disagree about other spellings, such as octal digits.
        guard let start = NetworkAddress(String(parts[0])),
            start.bytes.count == 16 || start.description == parts[0]
        else { return nil }
        let maxBits = start.bytes.count * 8
        let bits = parts.count == 1 ? maxBits : Int(parts[1]) ?? -1
        guard (0...maxBits).contains(bits) else { return nil }
        self.start = start
        self.bits = bits
    }

    /// Parses a range in a literal; traps if it is invalid.
    static func literal(_ text: String) -> NetworkRange {
        guard let range = NetworkRange(text) else { preconditionFailure("\(text) is not a valid range") }
        return range
    }

    /// Whether the range contains the address.
    public func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == start.bytes.count else { return false }
        for index in 0..<address.bytes.count {
            let wanted = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> wanted)
            guard (address.bytes[index] ^ start.bytes[index]) & mask == 0 else { return false }
        }
        return true
    }

    /// The range in CIDR notation; a single address without a prefix length.
    public var description: String {
        bits == start.bytes.count * 8 ? start.description : "\(start)/\(bits)"
    }
}
