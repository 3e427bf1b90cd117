// SPDX-License-Identifier: MIT

/// A block of literals and copies that is being decompressed; the formats Snappy and LZ4 consist of such blocks.
@unsafe struct CompressedBlock {
    private let input: UnsafeRawBufferPointer
    private let output: UnsafeMutableRawBufferPointer
    private var read = 0
    private var written = 0

    private init(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        unsafe self.input = input
        unsafe self.output = output
    }

    /// Returns exactly `size` bytes; `nil` if `decompress` returns `false`, or if the block has another size.
    static func decompress(
        _ input: ArraySlice<UInt8>, size: Int, _ decompress: (inout CompressedBlock) -> Bool
    ) -> [UInt8]? {
        var isValid = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            isValid = unsafe input.withUnsafeBytes { input in
                let place = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(output)[..<size])
                var block = unsafe CompressedBlock(input, place)
                return unsafe decompress(&block) && block.written == size
            }
            // Bytes that were not written must not be read.
            count = isValid ? size : 0
        }
        return isValid ? output : nil
    }

    /// Whether all input has been read.
    var isAtEnd: Bool { unsafe read == input.count }

    /// The size of the output.
    var size: Int { unsafe output.count }

    /// Reads an unsigned number of up to four bytes, lowest byte first.
    mutating func number(_ count: Int) -> Int? {
        guard unsafe count <= input.count - read else { return nil }
        var number = 0
        for index in 0..<count { number |= unsafe Int(input[read + index]) << (8 * index) }
        unsafe read += count
        return number
    }

    /// Copies bytes of the input; returns whether they exist and fit.
    mutating func copyInput(_ length: Int) -> Bool {
        guard unsafe length <= input.count - read, unsafe length <= size - written else { return false }
        guard length > 0 else { return true }
        let source = unsafe UnsafeRawBufferPointer(rebasing: input[read..<read + length])
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[written...]).copyMemory(from: source)
        unsafe read += length
        unsafe written += length
        return true
    }

    /// Copies bytes of the output, which may overlap the place that they are copied to.
    mutating func copyOutput(_ length: Int, offset: Int) -> Bool {
        guard offset > 0, unsafe offset <= written, unsafe length <= size - written else { return false }
        if offset >= length {
            let start = unsafe written - offset
            let source = unsafe UnsafeRawBufferPointer(rebasing: output[start..<start + length])
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[written...]).copyMemory(from: source)
        } else {
            for index in unsafe written..<written + length { unsafe output[index] = unsafe output[index - offset] }
        }
        unsafe written += length
        return true
    }
}

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
