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
