// SPDX-License-Identifier: MIT

/// The types of Thrift's compact protocol.
enum CompactType: UInt8 {
    case stop = 0
    case yes, no, byte, int16, int32, int64, double, binary, list, set, map, structure
}

/// Writes structures in Thrift's compact protocol, which encodes Parquet's metadata.
struct CompactWriter {
    private(set) var bytes: [UInt8] = []
    private var lastField = 0

    /// Writes a structure by calling `body`.
    mutating func structure(_ body: (inout CompactWriter) -> Void) {
        let outer = lastField
        lastField = 0
        body(&self)
        bytes.append(CompactType.stop.rawValue)
        lastField = outer
    }

    /// Writes an integer of 32 bits.
    mutating func int32(_ id: Int, _ value: Int) {
        header(id, .int32)
        bytes.appendZigzag(value)
    }

    /// Writes an integer of 64 bits.
    mutating func int64(_ id: Int, _ value: Int) {
        header(id, .int64)
        bytes.appendZigzag(value)
    }

    mutating func boolean(_ id: Int, _ value: Bool) { header(id, value ? .yes : .no) }

    mutating func binary(_ id: Int, _ value: some Collection<UInt8>) {
        header(id, .binary)
        binary(value)
    }

    mutating func structure(_ id: Int, _ body: (inout CompactWriter) -> Void) {
        header(id, .structure)
        structure(body)
    }

    /// Writes the header of a list; its elements follow.
    mutating func list(_ id: Int, of type: CompactType, count: Int) {
        header(id, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | type.rawValue)
        } else {
            bytes.append(0xF0 | type.rawValue)
            bytes.appendVarint(UInt64(count))
        }
    }

    /// Writes an integer as an element of a list.
    mutating func int32(_ value: Int) { bytes.appendZigzag(value) }

    /// Writes bytes as an element of a list.
    mutating func binary(_ value: some Collection<UInt8>) {
        bytes.appendVarint(UInt64(value.count))
        bytes += value
    }

    /// Appends elements of a list that are encoded already.
    mutating func encoded(_ elements: [UInt8]) { bytes += elements }

    private mutating func header(_ id: Int, _ type: CompactType) {
        let delta = id - lastField
        if (1...15).contains(delta) {
            bytes.append(UInt8(delta) << 4 | type.rawValue)
        } else {
            bytes.append(type.rawValue)
            bytes.appendZigzag(id)
        }
        lastField = id
    }
}

extension [UInt8] {
    /// Appends an unsigned integer with seven bits in each byte.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends the lowest `count` bytes of an integer, lowest byte first.
    mutating func appendLittleEndian(_ value: UInt64, count: Int) {
        var rest = value
        for _ in 0..<count {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    fileprivate mutating func appendZigzag(_ value: Int) {
        appendVarint(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
    }
}
