// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// Reads an image file through a small buffer that moves with the reader.
struct ByteWindow {
    private let input: ImageInput
    private var window: [UInt8] = []
    private var start = 0
    /// The number of bytes that each refill reads.
    private let span: Int

    init(_ input: ImageInput, span: Int = 16384) {
        self.input = input
        self.span = span
    }

    /// Returns a reader of the same file with an empty buffer, and another number of bytes in each refill.
    func rereading(span: Int) -> ByteWindow { ByteWindow(input, span: span) }

    /// Returns a part of the file as a file of its own.
    func part(_ range: Range<Int>) -> ImageInput { input.part(range) }

    /// The size of the file in bytes.
    var count: Int { input.count }

    /// Returns `count` bytes from `offset` on; throws `truncated` if the file ends before that.
    mutating func bytes(at offset: Int, count: Int) throws(ImagingError) -> ArraySlice<UInt8> {
        // Check the range without adding values from the file, because the sum could overflow.
        guard offset >= 0, count >= 0, offset <= input.count, count <= input.count - offset else {
            throw ImagingError(.truncated, "\(input.count) bytes")
        }
        if offset < start || offset + count > start + window.count {
            window = try input.read(at: offset, count: max(count, span))
            start = offset
            guard window.count >= count else { throw ImagingError(.truncated, "\(input.count) bytes") }
        }
        return window[(offset - start)..<(offset - start + count)]
    }

    mutating func uint8(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 1).number(bigEndian: true))
    }

    /// Returns a big-endian number of two bytes.
    mutating func uint16(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 2).number(bigEndian: true))
    }

    /// Returns a big-endian number of four bytes.
    mutating func uint32(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 4).number(bigEndian: true))
    }

    /// Returns a little-endian number of up to four bytes.
    mutating func littleEndian(at offset: Int, count: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: count).number(bigEndian: false))
    }

    /// Returns a chunk's four-character name.
    mutating func name(at offset: Int) throws(ImagingError) -> String {
        String(decoding: try bytes(at: offset, count: 4), as: UTF8.self)
    }

    /// Returns the offset of the next 0xFF at or after `offset` that is not before a zero; `nil` if there is none.
    ///
    /// A zero may follow that 0xFF where the buffer ends.
    mutating func firstMarker(from offset: Int) throws(ImagingError) -> Int? {
        var offset = offset
        while offset < input.count {
            if offset < start || offset >= start + window.count { _ = try bytes(at: offset, count: 1) }
            if let found = window.firstMarker(from: offset - start) { return start + found }
            offset = start + window.count
        }
        return nil
    }
}

extension ByteWindow {
    /// Returns the range after `text`; `nil` if the content does not start with it.
    mutating func content(_ range: Range<Int>, after text: String) throws(ImagingError) -> Range<Int>? {
        let wanted = Array(text.utf8)
        guard range.count >= wanted.count,
            try bytes(at: range.lowerBound, count: wanted.count).elementsEqual(wanted)
        else { return nil }
        return range.dropFirst(wanted.count)
    }

    /// Returns the bytes of a range.
    mutating func bytes(_ range: Range<Int>) throws(ImagingError) -> ArraySlice<UInt8> {
        try bytes(at: range.lowerBound, count: range.count)
    }
}

extension ArraySlice<UInt8> {
    /// Interprets up to four bytes as an unsigned number.
    func number(bigEndian: Bool) -> UInt32 {
        bigEndian
            ? reduce(0) { $0 << 8 | UInt32($1) }
            : reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension [UInt8] {
    /// Returns the index of the first 0xFF at or after `index` that is not before a zero.
    ///
    /// The pixels of a JPEG have such a pair in every 200 bytes or so. `memchr` is many times faster than a loop.
    fileprivate func firstMarker(from index: Int) -> Int? {
        unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            var index = index
            while let found = unsafe memchr(base + index, 0xFF, buffer.count - index) {
                let position = unsafe UnsafeRawPointer(found) - base
                guard position + 1 < buffer.count, unsafe buffer[position + 1] == 0 else { return position }
                index = position + 2
            }
            return nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns the distance of the first `byte` from the slice's start; `memchr` is many times faster than a loop here.
    func position(of byte: UInt8) -> Int? {
        unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress, let found = unsafe memchr(base, Int32(byte), buffer.count) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
