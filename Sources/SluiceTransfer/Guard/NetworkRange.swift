// SPDX-License-Identifier: MIT

/// Addresses that begin with the same bits: `169.254.0.0/16`, `fe80::/10`.
public struct NetworkRange: Sendable, Hashable, CustomStringConvertible {
    private let start: NetworkAddress
    private let bits: Int

    /// Reads a range; `nil` for what is none.
    ///
    /// An address alone is a range of one.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        // Of IPv4 only digits that every reader takes for the same number.
        guard let start = NetworkAddress(String(parts[0])),
            start.bytes.count == 16 || start.description == parts[0]
        else { return nil }
        let most = start.bytes.count * 8
        let bits = parts.count == 1 ? most : Int(parts[1]) ?? -1
        guard (0...most).contains(bits) else { return nil }
        self.start = start
        self.bits = bits
    }

    /// A range that the house wrote down itself.
    static func known(_ text: String) -> NetworkRange {
        guard let range = NetworkRange(text) else { preconditionFailure("\(text) is no range") }
        return range
    }

    /// Whether the address lies within.
    public func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == start.bytes.count else { return false }
        for index in 0..<address.bytes.count {
            let wanted = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> wanted)
            guard (address.bytes[index] ^ start.bytes[index]) & mask == 0 else { return false }
        }
        return true
    }

    /// The range as it is written.
    public var description: String {
        bits == start.bytes.count * 8 ? start.description : "\(start)/\(bits)"
    }
}
