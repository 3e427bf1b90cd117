// SPDX-License-Identifier: MIT

/// Decompresses LZ4 blocks, as they are and in Hadoop's framing.
enum LZ4Decoder {
    /// Returns exactly `size` bytes of one block; `nil` if it is invalid or has another size.
    static func decompress(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        unsafe CompressedBlock.decompress(input, size: size) { unsafe $0.decompressLZ4() }
    }

    /// Returns exactly `size` bytes of blocks in Hadoop's framing; `nil` if they are invalid or have another size.
    ///
    /// Old writers marked pages of a single block without framing in the same way.
    static func decompressHadoop(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        unframed(input, size: size) ?? decompress(input, size: size)
    }

    /// Each part of the output has its size, and blocks that follow their sizes; numbers begin with the highest byte.
    private static func unframed(_ input: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
        var (rest, output): (ArraySlice<UInt8>, [UInt8]) = (input, [])
        while !rest.isEmpty {
            guard let partSize = takeNumber(&rest), partSize <= size - output.count else { return nil }
            let end = output.count + partSize
            while output.count < end {
                guard let stored = takeNumber(&rest), stored > 0, stored <= rest.count,
                    let block = block(rest.prefix(stored), maxSize: end - output.count)
                else { return nil }
                output += block
                rest = rest.dropFirst(stored)
            }
        }
        return output.count == size ? output : nil
    }

    /// Decompresses a block, whose size is that of its part unless the part has several blocks.
    private static func block(_ input: ArraySlice<UInt8>, maxSize: Int) -> [UInt8]? {
        if let whole = decompress(input, size: maxSize) { return whole }
        guard let size = decompressedSize(of: input), size <= maxSize, size > 0 else { return nil }
        return decompress(input, size: size)
    }

    /// Adds the lengths of all sequences of a block; `nil` if it is truncated.
    private static func decompressedSize(of input: ArraySlice<UInt8>) -> Int? {
        var (position, size) = (input.startIndex, 0)
        func length(_ code: UInt8) -> Int? {
            var length = Int(code)
            guard code == 15 else { return length }
            while position < input.endIndex {
                let next = input[position]
                position += 1
                length += Int(next)
                if next < 255 { return length }
            }
            return nil
        }
        while position < input.endIndex {
            let token = input[position]
            position += 1
            guard let literals = length(token >> 4), literals <= input.endIndex - position else { return nil }
            position += literals
            size += literals
            if position == input.endIndex { return size }
            position += 2
            guard let match = length(token & 15) else { return nil }
            size += match + 4
        }
        return nil
    }

    private static func takeNumber(_ input: inout ArraySlice<UInt8>) -> Int? {
        guard input.count >= 4 else { return nil }
        defer { input = input.dropFirst(4) }
        return input.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension CompressedBlock {
    /// Decompresses all sequences; returns whether they are valid.
    fileprivate mutating func decompressLZ4() -> Bool {
        while let token = unsafe number(1) {
            guard let literals = unsafe length(token >> 4), unsafe copyInput(literals) else { return false }
            // The last sequence has no copy.
            if unsafe isAtEnd { return true }
            guard let offset = unsafe number(2), let length = unsafe length(token & 15),
                unsafe copyOutput(length + 4, offset: offset)
            else { return false }
        }
        return false
    }

    /// Reads the bytes that follow a length of fifteen.
    private mutating func length(_ code: Int) -> Int? {
        var length = code
        guard code == 15 else { return length }
        while let next = unsafe number(1) {
            length += next
            if next < 255 { return length }
        }
        return nil
    }
}
