// SPDX-License-Identifier: MIT

/// The maps and texts of a CBOR item (RFC 8949); items of other kinds are skipped.
indirect enum CBORItem: Sendable, Hashable {
    case text(String)
    case map([Member])
    case other

    /// A member of a map whose key is a text.
    struct Member: Sendable, Hashable {
        var key: String
        var value: CBORItem
    }

    /// Parses the item at the beginning of `bytes`; returns `nil` if it is malformed or exceeds the limits.
    init?(parsing bytes: ArraySlice<UInt8>) {
        var reader = CBORReader(rest: bytes)
        guard let item = reader.item(depth: 0) else { return nil }
        self = item
    }

    /// The value of the first member with this key.
    subscript(key: String) -> CBORItem? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

/// Reads items; memory and time are bounded by the input, because each item takes at least a byte of it.
private struct CBORReader {
    private static let maxDepth = 16

    var rest: ArraySlice<UInt8>

    /// The head of an item: its major type and its argument, which is `nil` for an indefinite length.
    private mutating func head() -> (type: UInt8, argument: UInt64?)? {
        guard let first = rest.popFirst() else { return nil }
        switch first & 31 {
        case let small where small < 24: return (first >> 5, UInt64(small))
        case let size where size < 28:
            let count = 1 << Int(size - 24)
            guard rest.count >= count else { return nil }
            let value = rest.prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(count)
            return (first >> 5, value)
        case 31: return (first >> 5, nil)
        default: return nil
        }
    }

    mutating func item(depth: Int) -> CBORItem? {
        guard depth < Self.maxDepth, let (type, argument) = head() else { return nil }
        switch type {
        case 2, 3:
            return string(argument, ofType: type).map {
                type == 3 ? .text(String(decoding: $0, as: UTF8.self)) : .other
            }
        case 4:
            var items = Items(argument)
            while items.next(in: &rest) { guard item(depth: depth + 1) != nil else { return nil } }
            return .other
        case 5:
            var (items, members) = (Items(argument), [CBORItem.Member]())
            while items.next(in: &rest) {
                guard let key = item(depth: depth + 1), let value = item(depth: depth + 1) else { return nil }
                if case .text(let key) = key { members.append(CBORItem.Member(key: key, value: value)) }
            }
            return .map(members)
        case 6: return argument == nil ? nil : item(depth: depth + 1)
        default: return argument == nil ? nil : .other
        }
    }

    /// The number of items that follow, or that a break follows them.
    private struct Items {
        private var left: UInt64?

        init(_ count: UInt64?) { left = count }

        /// Returns whether another item follows; skips the break at the end.
        mutating func next(in rest: inout ArraySlice<UInt8>) -> Bool {
            guard let left else {
                guard rest.first == 0xFF else { return true }
                rest = rest.dropFirst()
                return false
            }
            self.left = left - min(1, left)
            return left > 0
        }
    }

    private mutating func string(_ count: UInt64?, ofType type: UInt8) -> [UInt8]? {
        guard let count else {
            var bytes: [UInt8] = []
            while rest.first != 0xFF {
                guard let (part, count) = head(), part == type, let count, let chunk = string(count, ofType: type)
                else { return nil }
                bytes += chunk
            }
            rest = rest.dropFirst()
            return bytes
        }
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }
}
