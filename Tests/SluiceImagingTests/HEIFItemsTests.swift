// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("HEIF items", .timeLimit(.minutes(10))) struct HEIFItemsTests {
    private static func items(_ count: Int) -> [UInt8] {
        var entries: [UInt8] = []
        for number in 1...count {
            entries += FileBuilder.box(
                "infe", [2, 0, 0, 0] + UInt16(number).bigEndianBytes + [0, 0] + Array("av01".utf8) + [0])
        }
        return FileBuilder.box("iinf", [0, 0, 0, 0] + UInt16(count).bigEndianBytes + entries)
    }

    /// Makes the places of items, each at the same bytes.
    private static func locations(_ count: Int, length: Int = 100) -> [UInt8] {
        var entries: [UInt8] = []
        for number in 1...count {
            entries += UInt16(number).bigEndianBytes + [0, 0, 0, 1, 0, 0, 0, 0] + UInt32(length).bigEndianBytes
        }
        return FileBuilder.box("iloc", [0, 0, 0, 0, 0x44, 0] + UInt16(count).bigEndianBytes + entries)
    }

    private static let primary = FileBuilder.box("pitm", [0, 0, 0, 0, 0, 1])

    private static func read(_ content: [UInt8], more: [UInt8] = []) throws(ImagingError) -> HEIFItems {
        var window = ByteWindow(
            ImageInput(
                FileBuilder.box("ftyp", Array("avif".utf8)) + FileBuilder.box("meta", [0, 0, 0, 0] + content) + more))
        return try HEIFItems(&window)
    }

    @Test("Items, their places and the primary one are found")
    func found() throws {
        let items = try Self.read(Self.primary + Self.items(3) + Self.locations(3))
        #expect(items.primary == 1 && items.items.count == 3)
        #expect(items.items[2]?.type == "av01" && items.items[2]?.extents == [0..<100])
    }

    @Test("Lists are limited before they grow")
    func limits() {
        func code(_ content: [UInt8]) -> ImagingError.Code? {
            failure { () throws(ImagingError) in try Self.read(content) }?.code
        }
        #expect(code(Self.primary + Self.items(4096)) == nil)
        #expect(code(Self.primary + Self.items(4097)) == .badChunk)
        #expect(code(Self.primary + Self.locations(5000)) == .badChunk)
        let property = FileBuilder.box("free", [])
        let properties = FileBuilder.box(
            "iprp", FileBuilder.box("ipco", [[UInt8]](repeating: property, count: 5000).flatMap(\.self)))
        #expect(code(Self.primary + Self.items(1) + properties) == .badChunk)
        let reference = FileBuilder.box("dimg", [0, 1, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 131_070))
        #expect(code(Self.primary + Self.items(1) + FileBuilder.box("iref", [0, 0, 0, 0] + reference)) == .badChunk)
        #expect(code([UInt8](repeating: 0, count: 5 << 20)) == .badChunk)
        #expect(code(Self.items(1)) == .corrupt)
    }

    @Test("Items that share the file's bytes cannot multiply them, and none lies beyond the end")
    func extents() throws {
        let items = try Self.read(Self.primary + Self.items(3) + Self.locations(3))
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 200) } == nil)
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 99) }?.code == .truncated)
        // A grid of equal tiles, each of which refers to the same bytes, was refused.
        #expect(failure { () throws(ImagingError) in try items.checkExtents(count: 100) } == nil)
        let huge = HEIFItems.maxSharedBytes
        let shared = try Self.read(Self.primary + Self.items(3) + Self.locations(3, length: huge))
        #expect(failure { () throws(ImagingError) in try shared.checkExtents(count: 2 * huge) } == nil)
        #expect(failure { () throws(ImagingError) in try shared.checkExtents(count: huge) }?.code == .badChunk)
    }

    @Test("A sequence without a still picture is unsupported, and a file that ends before its items is truncated")
    func missing() {
        var window = ByteWindow(ImageInput(FileBuilder.box("ftyp", Array("avis".utf8)) + FileBuilder.box("moov", [])))
        #expect(failure { () throws(ImagingError) in try HEIFItems(&window) }?.code == .unsupported)
        // A sequence whose description names no still picture was called corrupt.
        let refusal = failure { () throws(ImagingError) in
            try Self.read(Self.items(1), more: FileBuilder.box("moov", []))
        }
        #expect(refusal?.code == .unsupported)
        var cut = ByteWindow(ImageInput(FileBuilder.box("ftyp", Array("avif".utf8))))
        #expect(failure { () throws(ImagingError) in try HEIFItems(&cut) }?.code == .truncated)
    }
}
