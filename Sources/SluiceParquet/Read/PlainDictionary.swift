// SPDX-License-Identifier: MIT

/// The values of a dictionary page, in the plain encoding.
struct PlainDictionary {
    let bytes: [UInt8]
    /// The start of each value of variable length.
    private var starts: [UInt32] = []
    private let type: ValueType
    private let count: Int

    /// Finds the values; `nil` if the page has fewer.
    init?(_ bytes: [UInt8], count: Int, of type: ValueType) {
        (self.bytes, self.count, self.type) = (bytes, count, type)
        if let length = type.fixedLength {
            guard count <= bytes.count / length else { return nil }
            return
        }
        // Each value has at least its length.
        guard type.physical == .byteArray, count <= bytes.count / 4 else { return nil }
        starts.reserveCapacity(count)
        var position = 0
        for _ in 0..<count {
            guard let range = ValueType.block(in: bytes, at: position) else { return nil }
            starts.append(UInt32(position))
            position = range.upperBound
        }
    }

    /// The range of the value with an index; `nil` for an index past the end.
    func range(of index: Int) -> Range<Int>? {
        guard index < count else { return nil }
        guard let length = type.fixedLength else { return ValueType.block(in: bytes, at: Int(starts[index])) }
        return index * length..<(index + 1) * length
    }
}

extension ValueType {
    /// The range of the plain value at a position; `nil` if it is truncated.
    func range(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        guard let fixedLength else { return Self.block(in: bytes, at: position) }
        return fixedLength <= bytes.count - position ? position..<position + fixedLength : nil
    }

    /// The range of a block that follows its length of four bytes; `nil` if it is truncated.
    static func block(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        guard bytes.count - position >= 4 else { return nil }
        var length = 0
        for index in 0..<4 { length |= Int(bytes[position + index]) << (8 * index) }
        let start = position + 4
        return length <= bytes.count - start ? start..<start + length : nil
    }
}
