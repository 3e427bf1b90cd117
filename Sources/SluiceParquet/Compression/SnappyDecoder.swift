// SPDX-License-Identifier: MIT

/// Decompresses a block in Snappy's raw format.
enum SnappyDecoder {
    /// Returns exactly `size` bytes; `nil` if the block is invalid or has another size.
    static func decompress(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var isValid = false
        let output = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
            isValid = unsafe input.withUnsafeBufferPointer { input in
                var block = unsafe Block(input: UnsafeRawBufferPointer(input), output: .init(output), size: size)
                return unsafe block.decompress()
            }
            // Bytes that were not written must not be read.
            count = isValid ? size : 0
        }
        return isValid ? output : nil
    }

    /// A block that is being decompressed.
    @unsafe private struct Block {
        let input: UnsafeRawBufferPointer
        let output: UnsafeMutableRawBufferPointer
        let size: Int
        var read = 0
        var written = 0

        init(input: UnsafeRawBufferPointer, output: UnsafeMutableRawBufferPointer, size: Int) {
            unsafe self.input = input
            unsafe self.output = output
            unsafe self.size = size
        }

        /// Decompresses all elements; returns whether they are valid and fill the output exactly.
        mutating func decompress() -> Bool {
            guard let length = unsafe length(), unsafe length == size else { return false }
            while unsafe read < input.count {
                let tag = unsafe Int(input[read])
                unsafe read += 1
                let isValid =
                    switch tag & 3 {
                    case 0: unsafe literal(tag >> 2)
                    case 1: unsafe copy(4 + tag >> 2 & 7, offset: number(1), high: (tag >> 5) << 8)
                    case 2: unsafe copy(1 + tag >> 2, offset: number(2))
                    default: unsafe copy(1 + tag >> 2, offset: number(4))
                    }
                guard isValid else { return false }
            }
            return unsafe written == size
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
            guard unsafe length < input.count - read, unsafe length < size - written else { return false }
            let source = unsafe UnsafeRawBufferPointer(rebasing: input[read...(read + length)])
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[written...]).copyMemory(from: source)
            unsafe read += length + 1
            unsafe written += length + 1
            return true
        }

        /// Copies bytes of the output, which may overlap the place that they are copied to.
        private mutating func copy(_ length: Int, offset: Int?, high: Int = 0) -> Bool {
            guard let offset = offset.map({ $0 | high }), unsafe 1...max(written, 1) ~= offset, unsafe written > 0,
                unsafe length <= size - written
            else { return false }
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

        /// Reads an unsigned number of up to four bytes, lowest byte first.
        private mutating func number(_ count: Int) -> Int? {
            guard unsafe count <= input.count - read else { return nil }
            var number = 0
            for index in 0..<count { number |= unsafe Int(input[read + index]) << (8 * index) }
            unsafe read += count
            return number
        }
    }
}
