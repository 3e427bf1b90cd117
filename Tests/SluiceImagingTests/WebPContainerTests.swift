// SPDX-License-Identifier: MIT

import CWebPDemux
import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceImaging

@Suite("WebP containers", .timeLimit(.minutes(10))) struct WebPContainerTests {
    static let width = 24
    static let height = 16

    static let lossy = (try? SampleImages.file(.webp)) ?? []
    static let lossless: [UInt8] = {
        var encoder = ImageEncoder(.webp)
        encoder.isLossless = true
        return (try? encoder.encode(SampleImages.landscape(width, height))) ?? []
    }()
    /// A lossy image whose alpha is a chunk of its own: VP8X, ALPH, VP8.
    static let transparent =
        (try? SampleImages.file(
            .webp, SampleImages.make(width, height, .rgba) { x, y in [UInt8(x), UInt8(y), 99, UInt8(x * 9)] })) ?? []
    static let extended = FileBuilder.extendedWebP(
        lossy, width: width, height: height, flags: 0x2C, before: FileBuilder.riffChunk("ICCP", [1, 2, 3]),
        after: FileBuilder.riffChunk("EXIF", [1, 2]) + FileBuilder.riffChunk("XMP ", [9]))
    static let animation = animated([frame(pixels(lossy)), frame(pixels(lossless)), frame(pixels(transparent))])
    static let files = [lossy, lossless, transparent, extended, animation]

    /// A reader of damaged data takes the wrong bytes for the image, and leaves others over.
    @Test("Bytes after the end of the file are a note, except for the padding")
    func surplus() throws {
        for file in Self.files {
            // The profile of the extended file is invalid, which is a note of its own.
            let notes = try notes(of: file)
            #expect(!notes.contains { $0.contains("after the end") })
            #expect(
                try self.notes(of: file + [1, 2, 3]).filter { !notes.contains($0) } == [
                    "3 bytes after the end of the WebP"
                ])
        }
    }

    /// libwebp went on with the bytes of the next chunk, and reported nothing.
    @Test("Image data that end early are damage, also before another chunk")
    func earlyEnd() throws {
        for (name, whole) in [("VP8 ", Self.lossy), ("VP8L", Self.lossless)] {
            let data = Self.pixels(whole).dropFirst(8)
            for share in [0.6, 0.8, 0.9] {
                let cut = data.prefix(Int(Double(data.count) * share))
                let file = FileBuilder.extendedWebP(
                    FileBuilder.riff(FileBuilder.riffChunk(name, Array(cut))), width: Self.width, height: Self.height,
                    flags: 0x08, before: [], after: FileBuilder.riffChunk("EXIF", [UInt8](repeating: 0x5A, count: 4000))
                )
                #expect(failure(of: file)?.isDamage == true, "\(name) \(share)")
            }
        }
    }

    private func notes(of file: [UInt8]) throws -> [String] {
        try Thumbnailer().open(ImageInput(file)).header.notes
    }

    /// The chunks of a file after its RIFF header, without VP8X.
    static func pixels(_ file: [UInt8]) -> [UInt8] {
        let chunks = Array(file.dropFirst(12))
        return chunks.starts(with: Array("VP8X".utf8)) ? Array(chunks.dropFirst(18)) : chunks
    }

    static func frame(_ chunks: [UInt8], x: UInt8 = 0, width: Int = width) -> [UInt8] {
        let size = [UInt8(width - 1), 0, 0, UInt8(height - 1), 0, 0]
        return FileBuilder.riffChunk("ANMF", [x, 0, 0, 0, 0, 0] + size + [40, 0, 0, 0] + chunks)
    }

    static func animated(_ frames: [[UInt8]]) -> [UInt8] {
        let size = [UInt8(width - 1), 0, 0, UInt8(height - 1), 0, 0]
        let header = FileBuilder.riffChunk("VP8X", [0x12, 0, 0, 0] + size)
        return FileBuilder.riff(
            header + FileBuilder.riffChunk("ANIM", [0, 0, 0, 0, 0, 0]) + frames.flatMap(\.self))
    }

    /// Whether libwebp's demuxer accepts a file.
    static func isAcceptedByLibrary(_ file: [UInt8]) -> Bool { unsafe cwebpdemux_accepts(file, file.count) == 1 }

    static func isAccepted(_ file: [UInt8]) -> Bool {
        let watchdog = DecodeWatchdog(.never, seconds: 20)
        return failure { () throws(ImagingError) in
            try WebPDecoder().checkCompleteness(
                ImageInput(file), ImageInfo(format: .webp, width: 1, height: 1), limits: ImageLimits(),
                watchdog: watchdog)
        } == nil
    }

    @Test("Intact files are accepted", arguments: files)
    func intact(file: [UInt8]) {
        #expect(Self.isAcceptedByLibrary(file) && Self.isAccepted(file) && failure(of: file) == nil)
    }

    static let alpha = Array(pixels(transparent).prefix { $0 != 0x56 })
    static let wrecked: [(String, [UInt8])] = [
        ("rubbish after the image", FileBuilder.riff(Array(lossy.dropFirst(12)) + [1, 2, 3, 4, 5, 6, 7, 8, 9, 9])),
        ("three bytes after the image", FileBuilder.riff(Array(lossy.dropFirst(12)) + [0, 0, 0])),
        (
            "rubbish after the image of an extended file",
            FileBuilder.extendedWebP(
                lossy, width: width, height: height, flags: 0, after: Array(repeating: 0xAA, count: 40))
        ),
        ("two VP8X", FileBuilder.riff(Array(extended[12..<30]) + extended.dropFirst(12))),
        ("two images", FileBuilder.extendedWebP(lossy, width: width, height: height, flags: 0, after: pixels(lossy))),
        (
            "alpha after its image",
            FileBuilder.extendedWebP(lossy, width: width, height: height, flags: 0x10, after: alpha)
        ),
        (
            "alpha before a lossless image",
            FileBuilder.extendedWebP(lossless, width: width, height: height, flags: 0x10, before: alpha)
        ),
        (
            "two alphas",
            FileBuilder.extendedWebP(lossy, width: width, height: height, flags: 0x10, before: alpha + alpha)
        ),
        ("another size", FileBuilder.extendedWebP(lossy, width: width + 1, height: height, flags: 0)),
        ("a frame that ends early", animated([frame(Array(pixels(lossy).dropLast(20)))])),
        ("a frame outside", animated([frame(pixels(lossy), x: 1)])),
        ("a still in an animation", animated([pixels(lossy)])),
        ("no frame", animated([])),
        ("an unknown flag", FileBuilder.extendedWebP(lossy, width: width, height: height, flags: 0x41)),
    ]

    @Test("Chunks in disorder are corrupt for both readers", arguments: wrecked)
    func disorder(name: String, file: [UInt8]) {
        #expect(!Self.isAcceptedByLibrary(file))
        #expect(failure(of: file)?.code == .corrupt)
        var options = ThumbnailOptions()
        options.sizes = []
        #expect(failure(of: file, options)?.code == .corrupt)
        options = ThumbnailOptions()
        options.salvages = true
        let salvaged = try? Thumbnailer(options).thumbnails(of: file)
        #expect(salvaged == nil || salvaged?.damage?.code == .corrupt)
    }

    @Test("Chunks that no image needs do no harm")
    func unknown() {
        let extra = FileBuilder.riffChunk("junk", [1, 2, 3])
        for file in [
            FileBuilder.riff(Array(Self.lossy.dropFirst(12)) + extra),
            FileBuilder.extendedWebP(
                Self.lossy, width: Self.width, height: Self.height, flags: 0, before: extra, after: extra),
        ] {
            #expect(Self.isAcceptedByLibrary(file) && failure(of: file) == nil)
        }
    }

    @Test("Sluice and libwebp's demuxer agree about mutants", arguments: files)
    func mutants(file: [UInt8]) {
        var numbers = SplitMix64(seed: 42)
        func random(_ count: Int) -> Int { .random(in: 0..<count, using: &numbers) }
        let chunks = Self.chunks(of: file)
        var rejected = 0
        for number in 0..<2000 {
            var mutant = file
            switch number % 4 {
            case 0: mutant[12 + random(min(60, file.count - 12))] = UInt8(random(256))
            case 1:
                let chunk = chunks[random(chunks.count)]
                mutant[chunk.lowerBound + random(10)] ^= 1 << UInt8(random(8))
            case 2:
                let order = (0..<max(2, random(5))).map { _ in file[chunks[random(chunks.count)]] }
                mutant = FileBuilder.riff(Array(file[chunks[0]]) + order.flatMap(\.self))
            default:
                let place = chunks[random(chunks.count)].lowerBound
                mutant.insert(contentsOf: file[chunks[random(chunks.count)]].prefix(random(50)), at: place)
                let size = UInt32(mutant.count - 8 - random(3))
                mutant.replaceSubrange(4..<8, with: size.littleEndianBytes)
            }
            let isAccepted = Self.isAcceptedByLibrary(mutant)
            rejected += isAccepted ? 0 : 1
            #expect(Self.isAccepted(mutant) == isAccepted, "mutant \(number)")
        }
        #expect(rejected > 500 && rejected < 2000)
    }

    /// Returns the ranges of all chunks, and of the chunks in frames.
    private static func chunks(of file: [UInt8]) -> [Range<Int>] {
        var window = ByteWindow(ImageInput(file))
        var chunks = WebPChunks(offset: 12)
        var ranges: [Range<Int>] = []
        while let chunk = try? chunks.next(in: &window) {
            ranges.append(chunk.body.lowerBound - 8..<min(file.count, chunk.body.upperBound + chunk.body.count % 2))
            if chunk.name == "ANMF" { ranges.append(chunk.body.lowerBound + 16..<chunk.body.upperBound) }
        }
        return ranges
    }

    @Test(
        "Sluice and libwebp's demuxer agree about the corpus",
        .enabled(if: SharedData.isThere, "the shared images are not available"))
    func corpus() throws {
        for entry in try CorpusTests.entries() where entry.format == "webp" {
            let file = try Array(Data(contentsOf: entry.file))
            guard ImageFormat(sniffing: file) == .webp else { continue }
            #expect(Self.isAccepted(file) == Self.isAcceptedByLibrary(file), "\(entry.name)")
        }
    }
}
