// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SluiceImaging

@Suite("Limits", .timeLimit(.minutes(10))) struct LimitTests {
    static let sides: [UInt32] = [
        0, 1, 10_000, 10_001, 32768, 46341, 65535, 65536, 1 << 24, 1 << 30, 0x7FFF_FFFF, 1 << 31, .max,
    ]

    @Test("A PNG's declared size is checked before decoding and never traps", arguments: sides)
    func pngBomb(side: UInt32) {
        for (width, height) in [(side, side), (side, 65536), (65536, side)] {
            let file = FileBuilder.png(header: FileBuilder.header(width: width, height: height), rows: [0])
            let pixels = UInt64(width) * UInt64(height)
            let error = failure(of: file)
            #expect(error != nil)
            #expect(pixels <= 100_000_000 || error?.code == .tooManyPixels)
            #expect(pixels > 0 || error?.code == .corrupt)
        }
    }

    @Test("A JPEG's declared size is checked before decoding", arguments: [0, 1, 32768, 65535] as [UInt16])
    func jpegBomb(side: UInt16) {
        let scan = FileBuilder.segment(0xDA, [1, 1, 0, 0, 63, 0])
        let error = failure(of: [0xFF, 0xD8] + FileBuilder.frame(width: side, height: side) + scan)
        #expect(error != nil)
        #expect(side < 32768 || error?.code == .tooManyPixels)
    }

    @Test("The error message contains the size and the limit")
    func message() {
        let scan = FileBuilder.segment(0xDA, [1, 1, 0, 0, 63, 0])
        let file = [0xFF, 0xD8] + FileBuilder.frame(width: 65535, height: 65535) + scan
        #expect(failure(of: file)?.description == "too-many-pixels: 65535x65535 (limit 100000000)")
    }

    @Test("A WebP of 40 bytes that declares 268 megapixels is rejected")
    func webpBomb() {
        let image = [0x2F, 0xFE, 0xBF, 0xFF, 0x0F] + [UInt8](repeating: 0, count: 15)
        let file = FileBuilder.riff(FileBuilder.riffChunk("VP8L", image))
        #expect(file.count == 40)
        #expect(failure(of: file)?.description == "too-many-pixels: 16383x16383 (limit 100000000)")
    }

    @Test("A WebP of 36 bytes with 100 megapixels is rejected, and one with 12 megapixels is not")
    func plainWebP() {
        #expect(
            failure(of: Self.plain(width: 10000, height: 10000))?.description
                == "decode-limit: 10000x10000 pixels in 36 bytes")
        #expect(failure(of: Self.plain(width: 4000, height: 3000)) == nil)
    }

    /// Makes a lossless WebP in which every Huffman code has one symbol, so that pixels take no bits.
    private static func plain(width: Int, height: Int) -> [UInt8] {
        var bits: [Int] = []
        func put(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 } }
        put(0x2F, 8)
        put(width - 1, 14)
        put(height - 1, 14)
        // No alpha, version 0, no transform, no cache, one group of codes.
        put(0, 7)
        for _ in 0..<5 { put(1, 4) }
        var bytes = [UInt8](repeating: 0, count: 16)
        for (place, bit) in bits.enumerated() { bytes[place / 8] |= UInt8(bit << (place % 8)) }
        return FileBuilder.riff(FileBuilder.riffChunk("VP8L", bytes))
    }

    @Test(
        "A PNG of 57 bytes that declares gigabytes of text is rejected as a bad chunk",
        arguments: ["iTXt", "zTXt", "tEXt", "sPLT"])
    func textBomb(name: String) {
        let file =
            FileBuilder.pngSignature + FileBuilder.header(width: 1, height: 1)
            + FileBuilder.chunk(name, [0, 0, 0, 0], claiming: 0x7FFF_FFFF) + [0, 0, 0, 0, 0, 0, 0, 0]
        #expect(file.count == 57)
        #expect(failure(of: file)?.description == "bad-chunk: \(name) of 2147483647 bytes")
    }

    @Test("Text chunks in a PNG are skipped without decompression")
    func text() throws {
        let text = FileBuilder.chunk(
            "zTXt", Array("Comment\0\0".utf8) + FileBuilder.zlib([UInt8](repeating: 65, count: 100_000)))
        let file = FileBuilder.png(
            header: FileBuilder.header(width: 1, height: 1), before: text, rows: [0, 10, 20, 30])
        #expect(try decode(file).pixel(0, 0) == [10, 20, 30])
    }

    @Test("Invalid profiles are ignored, huge ones are rejected, and chunks are counted")
    func manyChunks() throws {
        let zeros = Array("x\0\0".utf8) + FileBuilder.zlib([UInt8](repeating: 0, count: 10_000))
        let result = try Thumbnailer().thumbnails(of: Self.pixel(after: FileBuilder.chunk("iCCP", zeros)))
        #expect(result.notes.contains { $0.contains("iCCP") }, "\(result.notes)")
        let huge = FileBuilder.chunk("iCCP", zeros, claiming: 17 << 20)
        #expect(failure(of: Self.pixel(after: huge))?.description == "bad-chunk: iCCP of 17825792 bytes")
        let text = FileBuilder.chunk("zTXt", Array("Comment\0\0".utf8) + FileBuilder.zlib(Array("a text".utf8)))
        #expect(failure(of: Self.pixel(after: (0..<900).flatMap { _ in text })) == nil)
        #expect(
            failure(of: Self.pixel(after: (0..<10_001).flatMap { _ in text }))?.description
                == "bad-chunk: more than 10000 chunks")
    }

    private static func pixel(after chunks: [UInt8]) -> [UInt8] {
        FileBuilder.png(header: FileBuilder.header(width: 1, height: 1), before: chunks, rows: [0, 10, 20, 30])
    }

    static let kinds: [(String, UInt8, UInt8)] = [
        ("12 bits", 0xC0, 12), ("12 bits, in scans", 0xC2, 12), ("lossless", 0xC3, 8), ("hierarchical", 0xC5, 8),
        ("lossless arithmetic", 0xCB, 8),
    ]

    @Test("JPEGs of unsupported kinds are rejected as unsupported", arguments: kinds)
    func unsupported(kind: String, marker: UInt8, depth: UInt8) {
        let scan = FileBuilder.segment(0xDA, [1, 1, 0, 0, 63, 0])
        let file =
            [0xFF, 0xD8] + FileBuilder.frame(width: 8, height: 8, marker: marker, depth: depth) + scan + [
                0, 0xFF, 0xD9,
            ]
        #expect(failure(of: file)?.code == .unsupported, "\(kind): \(String(describing: failure(of: file)))")
    }

    @Test("The first frame of an animated PNG is decoded and all frames are counted")
    func frames() throws {
        let chunks = FileBuilder.chunk("acTL", UInt32(500).bigEndianBytes + [0, 0, 0, 0])
        let result = try Thumbnailer().thumbnails(of: Self.pixel(after: chunks))
        #expect(result.info.frames == 500 && result.thumbnails.count == 1)
        #expect(result.notes == ["only the first of 500 frames is used"])
    }

    @Test("A progressive JPEG with too many scans is rejected before decoding")
    func scanBomb() throws {
        #expect(failure(of: try Self.progressive(scans: 500))?.description == "too-many-scans: 500 (limit 100)")
    }

    @Test("The scan limit is lower for very large images")
    func scannedPixels() throws {
        var file = try Self.progressive(scans: 90)
        let frame = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xC2]) })
        file.replaceSubrange(frame + 5..<frame + 9, with: UInt16(6000).bigEndianBytes + UInt16(8000).bigEndianBytes)
        #expect(failure(of: file)?.description == "too-many-scans: 90 of 8000x6000 pixels")
    }

    /// Makes a progressive JPEG that repeats its last scan.
    private static func progressive(scans: Int) throws -> [UInt8] {
        let file = try SampleImages.file(.jpeg, SampleImages.plain(16, 16, .grey, [90]), progressive: true)
        var segments = JPEGSegments()
        var window = ByteWindow(ImageInput(file))
        var starts: [Int] = []
        while let segment = try segments.next(in: &window) {
            if segment.marker == 0xDA { starts.append(segment.body.lowerBound - 4) }
        }
        let last = try #require(starts.last)
        let again = (starts.count..<scans).flatMap { _ in file[last..<file.count - 2] }
        return Array(file.dropLast(2)) + again + [0xFF, 0xD9]
    }

    @Test("A PNG with too few bytes for its pixels is rejected before memory is allocated", arguments: [true, false])
    func substance(interlaced: Bool) {
        let file = FileBuilder.png(
            header: FileBuilder.header(width: 10000, height: 10000, interlaced: interlaced), rows: [0])
        #expect(failure(of: file)?.description == "corrupt: \(file.count) bytes cannot hold 10000x10000 pixels")
        #expect(failure(of: Array(file.dropLast(12)))?.code == .truncated)
    }

    @Test("A cancelled decode stops, and so does one that exceeds its time limit")
    func interrupts() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(64, 64))
        let asked = Atomic(0)
        let later = CancellationCheck { asked.add(1, ordering: .relaxed).newValue > 4 }
        #expect(
            failure { () throws(ImagingError) in try Thumbnailer().thumbnails(of: file, cancellation: later) }?.code
                == .cancelled)
        #expect(asked.load(ordering: .relaxed) == 5, "the check is not called again after it returned true")
        var options = ThumbnailOptions()
        options.limits.seconds = 0
        #expect(failure(of: file, options)?.code == .decodeLimit)
    }

    @Test(
        "A cancelled decode stops within the image, in every format",
        arguments: ImageFormat.encodable)
    func calledOff(format: ImageFormat) throws {
        var encoder = ImageEncoder(format)
        encoder.isLossless = true
        let file = try encoder.encode(SampleImages.landscape(1024, 1024))
        let whole = Atomic(0)
        _ = try Thumbnailer().thumbnails(
            of: file, cancellation: CancellationCheck { whole.add(1, ordering: .relaxed).newValue < 0 })
        let questions = whole.load(ordering: .relaxed)
        #expect(questions >= 8)
        for last in stride(from: 1, to: questions, by: max(1, questions / 8)) {
            let asked = Atomic(0)
            let later = CancellationCheck { asked.add(1, ordering: .relaxed).newValue > last }
            let error = failure { () throws(ImagingError) in try Thumbnailer().thumbnails(of: file, cancellation: later)
            }
            #expect(error?.code == .cancelled && asked.load(ordering: .relaxed) == last + 1)
        }
    }

    @Test("A strip that would take gigabytes to scale is rejected", arguments: [(100_000_000, 1), (1, 100_000_000)])
    func strip(width: UInt32, height: UInt32) {
        let rows = [UInt8](repeating: 0, count: 100_000)
        let file = FileBuilder.png(header: FileBuilder.header(width: width, height: height), rows: rows)
        #expect(failure(of: file)?.code == .decodeLimit)
    }

    @Test("A decode's memory is estimated from the header and checked before it is allocated")
    func memory() throws {
        let interlaced = FileBuilder.png(
            header: FileBuilder.header(width: 3000, height: 1000, interlaced: true), rows: [0])
        let plain = FileBuilder.png(header: FileBuilder.header(width: 3000, height: 1000), rows: [0])
        let image = SampleImages.plain(3000, 1000, .rgb, [9, 9, 9])
        let progressive = try SampleImages.file(.jpeg, image, progressive: true)
        let baseline = try SampleImages.file(.jpeg, image)
        let webp = try SampleImages.file(.webp, image)
        let megapixels = 3
        for (file, least, most) in [
            (interlaced, 1.5, 3.0), (plain, 0, 2), (progressive, 3, 5), (baseline, 0, 2), (webp, 3, 5),
        ] {
            let memory = try Double(open(file).memory) / 1e6
            #expect(memory >= least * Double(megapixels) && memory <= most * Double(megapixels), "\(memory)")
        }
        var options = ThumbnailOptions()
        options.limits.memory = 5 << 20
        #expect(failure(of: interlaced, options)?.description == "decode-limit: takes about 7 MB (limit 5)")
        #expect(failure(of: progressive, options)?.code == .decodeLimit)
        #expect(failure(of: baseline, options) == nil)
    }

    @Test("libjpeg-turbo decodes a progressive image if only its coefficients fit into the limit")
    func smallerDecoder() throws {
        let file = try SampleImages.file(.jpeg, SampleImages.landscape(600, 400), progressive: true)
        var options = ThumbnailOptions()
        let usual = try Thumbnailer(options).open(ImageInput(file))
        let spare = usual.header.ownDecoderBytes
        #expect(!usual.usesReference && spare > 0)
        options.limits.memory = usual.memory
        #expect(try !Thumbnailer(options).open(ImageInput(file)).usesReference)
        for limit in [usual.memory - 1, usual.memory - spare] {
            options.limits.memory = limit
            let image = try Thumbnailer(options).open(ImageInput(file))
            #expect(image.usesReference && image.memory == usual.memory - spare)
            #expect(try Thumbnailer(options).thumbnails(of: file) == Thumbnailer().thumbnails(of: file))
        }
        options.limits.memory = usual.memory - spare - 1
        #expect(failure(of: file, options)?.code == .decodeLimit)
    }

    private func open(_ file: [UInt8]) throws -> OpenedImage {
        let folder = TemporaryFolder()
        try folder.write(file, to: "image")
        let handle = try FileHandle(forReadingFrom: folder.url.appending(path: "image"))
        return try Thumbnailer().open(fileAt: handle.fileDescriptor)
    }
}
