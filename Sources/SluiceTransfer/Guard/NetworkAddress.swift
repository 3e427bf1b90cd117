// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceSystem

/// A numeric IPv4 or IPv6 address.
public struct NetworkAddress: Sendable, Hashable {
    /// The 4 or 16 bytes of the address, in network order.
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Parses a number as the C library does (`127.1`, `0x7f000001`, `::1`); `nil` for a name.
    ///
    /// It never uses DNS.
    public init?(_ text: String) {
        if PlainAddress.isName(text) { return nil }
        var number = in_addr()
        if unsafe inet_pton(AF_INET, text, &number) == 1 {
            unsafe self.init(withUnsafeBytes(of: number) { unsafe Array($0) })
            return
        }
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        guard unsafe getaddrinfo(bare, nil, &hints, &list) == 0, let first = unsafe list else { return nil }
        defer { unsafe freeaddrinfo(first) }
        guard let address = unsafe first.pointee.ai_addr else { return nil }
        unsafe self.init(UnsafeRawPointer(address))
    }

    /// Reads a `sockaddr`; `nil` unless its family is IPv4 or IPv6.
    init?(_ address: UnsafeRawPointer) {
        switch unsafe Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let number = unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr
            unsafe self.init(withUnsafeBytes(of: number) { unsafe Array($0) })
        case AF_INET6:
            let number = unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            unsafe self.init(withUnsafeBytes(of: number) { unsafe Array($0) })
        default: return nil
        }
    }
}

extension NetworkAddress: CustomStringConvertible {
    /// The canonical text form: `169.254.169.254` or `fe80::1`.
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

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
