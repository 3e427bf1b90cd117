// SPDX-License-Identifier: MIT

/// A look at a picture's bytes through a small window that moves with the reader.
struct ByteWindow {
    private let source: PictureBytes
    private var window: [UInt8] = []
    private var start = 0
    /// How much one move of the window takes in.
    private let span: Int

    init(_ source: PictureBytes, span: Int = 16384) {
        self.source = source
        self.span = span
    }

    /// How many bytes the file has.
    var count: Int { source.count }

    /// The bytes from `offset` on; fails as `truncated` if the file ends before.
    mutating func bytes(at offset: Int, count: Int) throws(ImagingError) -> ArraySlice<UInt8> {
        // No sum is made of what a file claims before it is known to lie within the file.
        guard offset >= 0, count >= 0, offset <= source.count, count <= source.count - offset else {
            throw ImagingError(.truncated, "\(source.count) bytes")
        }
        if offset < start || offset + count > start + window.count {
            window = try source.read(at: offset, count: max(count, span))
            start = offset
            guard window.count >= count else { throw ImagingError(.truncated, "\(source.count) bytes") }
        }
        return window[(offset - start)..<(offset - start + count)]
    }

    mutating func uint8(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 1).number(bigEndian: true))
    }

    /// A number with its highest byte first.
    mutating func uint16(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 2).number(bigEndian: true))
    }

    /// A number with its highest byte first.
    mutating func uint32(at offset: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: 4).number(bigEndian: true))
    }

    /// A number with its lowest byte first.
    mutating func littleEndian(at offset: Int, count: Int) throws(ImagingError) -> Int {
        Int(try bytes(at: offset, count: count).number(bigEndian: false))
    }

    /// Four characters, which name a chunk.
    mutating func name(at offset: Int) throws(ImagingError) -> String {
        String(decoding: try bytes(at: offset, count: 4), as: UTF8.self)
    }

    /// Where `byte` next stands, from `offset` on; `nil` if it does not.
    mutating func firstIndex(of byte: UInt8, from offset: Int) throws(ImagingError) -> Int? {
        var offset = offset
        while offset < source.count {
            let inWindow = offset >= start && offset < start + window.count
            let rest = inWindow ? window[(offset - start)...] : try bytes(at: offset, count: 1)
            if let found = rest.position(of: byte) { return offset + found }
            offset += rest.count
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Up to four bytes as a number.
    func number(bigEndian: Bool) -> UInt32 {
        bigEndian
            ? reduce(0) { $0 << 8 | UInt32($1) }
            : reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
