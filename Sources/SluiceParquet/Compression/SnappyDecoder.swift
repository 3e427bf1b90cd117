// SPDX-License-Identifier: MIT

/// Decompresses a block in Snappy's raw format.
enum SnappyDecoder {
    /// Returns exactly `size` bytes; `nil` if the block is invalid or has another size.
    static func decompress(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        unsafe CompressedBlock.decompress(input, size: size) { unsafe $0.decompressSnappy() }
    }
}

extension CompressedBlock {
    /// Decompresses all elements; returns whether they are valid.
    fileprivate mutating func decompressSnappy() -> Bool {
        guard let length = unsafe length(), unsafe length == size else { return false }
        while let tag = unsafe number(1) {
            let isValid =
                switch tag & 3 {
                case 0: unsafe literal(tag >> 2)
                case 1: unsafe copy(4 + tag >> 2 & 7, offset: number(1), high: (tag >> 5) << 8)
                case 2: unsafe copy(1 + tag >> 2, offset: number(2))
                default: unsafe copy(1 + tag >> 2, offset: number(4))
                }
            guard isValid else { return false }
        }
        return true
    }

    /// Reads the length of the output, which precedes the elements.
    private mutating func length() -> Int? {
        var length = 0
        for shift in stride(from: 0, to: 35, by: 7) {
            guard let next = unsafe number(1) else { return nil }
            length |= (next & 0x7F) << shift
            if next < 0x80 { return length }
        }
        return nil
    }

    /// Copies bytes of the input; lengths above 60 follow the tag.
    private mutating func literal(_ code: Int) -> Bool {
        guard let length = unsafe code < 60 ? code : number(code - 59) else { return false }
        return unsafe copyInput(length + 1)
    }

    private mutating func copy(_ length: Int, offset: Int?, high: Int = 0) -> Bool {
        guard let offset else { return false }
        return unsafe copyOutput(length, offset: offset | high)
    }
}
