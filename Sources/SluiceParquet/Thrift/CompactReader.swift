// SPDX-License-Identifier: MIT

/// Reads structures in Thrift's compact protocol from untrusted bytes.
///
/// It allocates nothing for the lengths that the bytes claim.
struct CompactReader {
    /// The nesting of structures that are skipped.
    private static let maxDepth = 32

    let bytes: [UInt8]
    /// The position of the next byte.
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// Reads a structure; `read` is called for each field with its number and type, and returns whether it read it.
    mutating func structure(
        _ read: (Int, CompactType, inout CompactReader) throws(ParquetError) -> Bool
    ) throws(ParquetError) {
        var last = 0
        while true {
            let header = try byte()
            let type = try type(header & 0x0F)
            if type == .stop { return }
            let delta = Int(header >> 4)
            last = delta == 0 ? try integer() : last &+ delta
            if try !read(last, type, &self) { try skip(type) }
        }
    }

    /// Reads an integer of any width.
    mutating func integer() throws(ParquetError) -> Int {
        let raw = try varint()
        return Int(Int64(bitPattern: raw >> 1 ^ (raw & 1 == 0 ? 0 : .max)))
    }

    /// Reads the length of bytes, skips them, and returns their range.
    mutating func binary() throws(ParquetError) -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(bytes.count - position) else { throw Self.truncated }
        let start = position
        position += Int(length)
        return start..<position
    }

    mutating func text() throws(ParquetError) -> String { String(decoding: bytes[try binary()], as: UTF8.self) }

    /// Reads the header of a list; each element has at least one byte.
    mutating func list() throws(ParquetError) -> (type: CompactType, count: Int) {
        let header = try byte()
        let type = try type(header & 0x0F)
        let count = header >> 4 == 15 ? try varint() : UInt64(header >> 4)
        guard count <= UInt64(bytes.count - position) else { throw Self.truncated }
        return (type, Int(count))
    }

    mutating func skip(_ type: CompactType, isElement: Bool = false, depth: Int = 0) throws(ParquetError) {
        guard depth < Self.maxDepth else { throw .invalid("its metadata is nested too deeply") }
        switch type {
        case .stop: throw .invalid("its metadata has a value without a type")
        case .yes, .no: if isElement { _ = try byte() }
        case .byte: _ = try byte()
        case .int16, .int32, .int64: _ = try varint()
        case .double:
            guard bytes.count - position >= 8 else { throw Self.truncated }
            position += 8
        case .binary: _ = try binary()
        case .list, .set:
            let (type, count) = try list()
            for _ in 0..<count { try skip(type, isElement: true, depth: depth + 1) }
        case .map: try skipMap(depth)
        case .structure:
            while true {
                let header = try byte()
                let type = try self.type(header & 0x0F)
                if type == .stop { return }
                if header >> 4 == 0 { _ = try varint() }
                try skip(type, depth: depth + 1)
            }
        }
    }

    private mutating func skipMap(_ depth: Int) throws(ParquetError) {
        let count = try varint()
        guard count > 0 else { return }
        guard count <= UInt64(bytes.count - position) else { throw Self.truncated }
        let types = try byte()
        let (key, value) = (try type(types >> 4), try type(types & 0x0F))
        for _ in 0..<count {
            try skip(key, isElement: true, depth: depth + 1)
            try skip(value, isElement: true, depth: depth + 1)
        }
    }

    private mutating func byte() throws(ParquetError) -> UInt8 {
        guard position < bytes.count else { throw Self.truncated }
        defer { position += 1 }
        return bytes[position]
    }

    private mutating func varint() throws(ParquetError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while shift < 64 {
            let next = try byte()
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        throw .invalid("its metadata has a number of more than 64 bits")
    }

    private func type(_ code: UInt8) throws(ParquetError) -> CompactType {
        guard let type = CompactType(rawValue: code) else { throw .invalid("its metadata has an unknown type") }
        return type
    }

    /// The error of metadata that ends too early.
    static let truncated = ParquetError.invalid("its metadata is truncated")
}
