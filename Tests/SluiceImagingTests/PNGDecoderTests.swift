// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Synchronization
import TestSupport
import Testing

@testable import SluiceImaging

/// Sluice's own PNG decoder, compared with libpng.
@Suite("PNGDecoder", .timeLimit(.minutes(10))) struct PNGDecoderTests {
    private static func job(
        _ file: [UInt8], watchdog: DecodeWatchdog = DecodeWatchdog(.never, seconds: 60)
    ) throws -> DecodeJob {
        let header = try ImageHeader(of: ImageInput(file))
        return DecodeJob(
            input: ImageInput(file), header: header, minimumSize: (header.info.width, header.info.height),
            limits: ImageLimits(), watchdog: watchdog)
    }

    private static func compare(_ file: [UInt8], _ name: String) throws {
        var job = try job(file)
        let outcome = RecordedDecode(PNGDecoder(), job)
        job.usesReference = true
        #expect(outcome.beginnings <= 1)
        let reference = RecordedDecode(PNGDecoder(), job)
        #expect(reference.agrees(with: outcome), "\(name)")
        // libpng drops the last row of the stream if the checksum after it is wrong.
        let isCut = outcome.message == "corrupt: IDAT: incorrect data check"
        let row = job.header.info.width * 4
        #expect(reference.beginnings == outcome.beginnings)
        #expect((0...(isCut ? row : 0)).contains(outcome.rows.count - reference.rows.count), "\(name)")
    }

    @Test("A transparent colour counts before and after a suggested palette")
    func colorKey() throws {
        let key = FileBuilder.chunk("tRNS", [0, 1, 0, 2, 0, 3])
        let palette = FileBuilder.chunk("PLTE", [1, 2, 3, 4, 5, 6])
        for chunks in [key, key + palette, palette + key] {
            let file = FileBuilder.png(
                header: FileBuilder.header(width: 2, height: 1), before: chunks, rows: [0, 1, 2, 3, 7, 8, 9])
            let image = try decode(file)
            #expect(image.layout == .rgba && image.bytes == [0, 0, 0, 0, 7, 8, 9, 255])
        }
    }

    /// Returns what Sluice's own decoder makes of a file without libpng's help.
    private static func progress(_ file: [UInt8], usesReference: Bool = false) throws -> FastPNGProgress {
        var job = try job(file)
        job.usesReference = usesReference
        return try unsafe job.input.withCInput { input throws(ImagingError) in
            let reader = try unsafe PNGReader(input)
            let rows = PNGDecoder.rowShape(try reader.start())
            return try PNGDecoder().decodeUsual(reader, rows, job, into: RowRecorder())
        }
    }

    /// A picture with edges, gradients and noise, so that an encoder uses every filter, and matches of all kinds.
    private static func image(_ width: Int, _ height: Int, _ layout: PixelLayout) -> Raster {
        SampleImages.make(width, height, layout) { x, y in
            let noise = x / 16 % 3 == 0 ? (x * 7919 + y * 104_729) % 61 : 0
            let samples = [x * 2 + y + noise, y * 3 + x * y / 50, (x + y) * 2 + noise, 255 - x % 200].map {
                UInt8($0 % 256)
            }
            return Array(samples.prefix(layout == .grey ? 1 : layout == .rgb ? 3 : 4))
        }
    }

    @Test("Interlaced files of all sizes, whole or truncated, give what libpng assembles in memory for the whole image")
    func interlaced() throws {
        for width in 1...18 {
            for height in 1...18 {
                let file = InterlacedPNG.file(width: width, height: height) { UInt8(($0 * 37 + $1 * 91) % 256) }
                for removed in [0] + Array(stride(from: 12, to: file.count - 40, by: 11)) {
                    try Self.compareWithWholeImage(Array(file.dropLast(removed)))
                }
            }
        }
    }

    private static func compareWithWholeImage(_ file: [UInt8]) throws {
        var job = try job(file)
        job.salvages = true
        let recorder = RowRecorder()
        let outcome = try PNGDecoder().decode(job, into: recorder)
        try unsafe job.input.withCInput { input throws(ImagingError) in
            let reader = try unsafe PNGReader(input)
            try reader.allowTruncation()
            let shape = PNGDecoder.rowShape(try reader.start())
            let image = SampleBuffer<UInt8>(count: shape.rowBytes * shape.height, zero: 0)
            var damage: ImagingError?
            do throws(ImagingError) {
                for _ in 0..<7 {
                    for number in 0..<shape.height { try reader.readRow(into: image, at: number * shape.rowBytes) }
                }
                try reader.finish()
            } catch { damage = error }
            #expect(outcome.damage == damage)
            // Damage before the first row leaves nothing to salvage.
            guard recorder.rowCount > 0 else { return }
            #expect(recorder.rowCount == shape.height)
            image.withBytes { bytes in
                #expect(bytes.indices.allSatisfy { bytes[$0] == recorder.bytes[$0] }, "\(shape), \(file.count) bytes")
            }
        }
    }

    @Test("Usual files of all sizes are decoded by Sluice's own decoder, with libpng's pixels")
    func sizes() throws {
        for layout in [PixelLayout.grey, .rgb, .rgba] {
            for width in Array(1...20) + [300] {
                let file = try SampleImages.file(.png, Self.image(width, 21, layout))
                try Self.compare(file, "\(width) columns, \(layout)")
                #expect(try Self.progress(file).isComplete, "\(width) columns, \(layout)")
            }
        }
    }

    @Test("Every filter is reversed as by libpng, for every size of pixels", arguments: [0, 2, 6] as [UInt8])
    func filters(colors: UInt8) throws {
        let channels = colors == 0 ? 1 : colors == 2 ? 3 : 4
        for depth in [8, 16] as [UInt8] {
            var rows: [UInt8] = []
            for y in 0..<30 {
                rows.append(UInt8(y * 7 % 5))
                rows += (0..<23 * channels * Int(depth) / 8).map { UInt8(($0 * $0 * 31 + y * 97) % 256) }
            }
            let header = FileBuilder.header(width: 23, height: 30, depth: depth, colors: colors)
            let file = FileBuilder.png(header: header, rows: rows)
            try Self.compare(file, "\(colors), \(depth) bits")
            #expect(try Self.progress(file).isComplete)
        }
    }

    @Test(
        "Empty blocks after the last row are limited, so that a small file cannot keep the decoder",
        arguments: [10, 5000])
    func emptyBlocks(count: Int) throws {
        // The rows fill the decoder's buffer, so that it meets the empty blocks after the last one.
        let (width, height) = (1023, 97)
        let rows = (0..<height).flatMap { _ in [0] + [UInt8](repeating: 7, count: width) }
        var zlib = FileBuilder.zlib(rows)
        let checksum = zlib.suffix(4)
        // The second block is not the last one any more.
        zlib[2 + 5 + 65535] = 0
        let empty = (0..<count).flatMap { _ in [0, 0, 0, 0xFF, 0xFF] as [UInt8] }
        let pixels = zlib.dropLast(4) + empty + [1, 0, 0, 0xFF, 0xFF] + checksum
        let header = FileBuilder.header(width: UInt32(width), height: UInt32(height), colors: 0)
        let file =
            FileBuilder.pngSignature + header + FileBuilder.chunk("IDAT", Array(pixels)) + FileBuilder.chunk("IEND", [])
        try Self.compare(file, "\(count) empty blocks")
        let progress = try Self.progress(file)
        #expect(progress.hasStarted && progress.isComplete == (count == 10))
    }

    @Test("The reference decoder is used if it is asked for")
    func reference() throws {
        let file = try SampleImages.file(.png, Self.image(40, 30, .rgb))
        #expect(try !Self.progress(file, usesReference: true).hasStarted)
    }

    @Test("Chunks after the pixels are read, and those that libpng may report are left to it")
    func trailingChunks() throws {
        let file = try SampleImages.file(.png, Self.image(40, 30, .rgb))
        for (name, isUsual) in [("tEXt", true), ("tIME", true), ("fdAT", true), ("gAMA", false), ("quUx", false)] {
            let chunk = FileBuilder.chunk(name, Array("a\0bcdef".utf8))
            var longer = file.dropLast(12) + chunk + file.suffix(12)
            try Self.compare(Array(longer), name)
            #expect(try Self.progress(Array(longer)).isComplete == isUsual, "\(name)")
            longer[longer.count - 13] ^= 1
            try Self.compare(Array(longer), "\(name) with a wrong checksum")
            #expect(try !Self.progress(Array(longer)).isComplete, "\(name)")
        }
    }

    @Test("More or fewer pixels than the header says are left to libpng")
    func wrongCounts() throws {
        let header = FileBuilder.header(width: 5, height: 4)
        for count in [0, 1, 16, 48, 63, 65, 80] {
            let file = FileBuilder.png(header: header, rows: [UInt8](repeating: 0, count: count))
            try Self.compare(file, "\(count) bytes")
            #expect(try !Self.progress(file).isComplete)
        }
    }

    @Test("Damaged files give the same rows, notes and errors, also with correct checksums", arguments: [true, false])
    func damage(isChecked: Bool) throws {
        var random = SplitMix64(seed: 1)
        for layout in [PixelLayout.grey, .rgb, .rgba] {
            let file = try SampleImages.file(.png, Self.image(90, 40, layout))
            let pixels = try #require(file.firstRange(of: Array("IDAT".utf8))).upperBound
            for number in 0..<300 {
                var damaged = file
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: pixels..<file.count - 16, using: &random)
                    damaged[place] ^= .random(in: 1...255, using: &random)
                }
                if isChecked { damaged = Self.correctingChecksum(damaged, at: pixels) }
                if !isChecked, Int.random(in: 0..<4, using: &random) == 0 {
                    damaged.removeLast(.random(in: 0..<file.count / 2, using: &random))
                }
                try Self.compare(damaged, "file \(number), \(layout)")
            }
        }
    }

    /// Corrects the checksum of the only chunk of pixels, whose content starts at `start`.
    private static func correctingChecksum(_ file: [UInt8], at start: Int) -> [UInt8] {
        let body = Array(file[start..<file.count - 16])
        return file[..<(start - 8)] + FileBuilder.chunk("IDAT", body) + file.suffix(12)
    }

    @Test("A cancelled decode ends between rows")
    func cancelled() throws {
        let file = try SampleImages.file(.png, Self.image(40, 300, .rgb))
        let checks = Atomic(0)
        let cancellation = CancellationCheck { checks.add(1, ordering: .relaxed).newValue == 3 }
        let outcome = RecordedDecode(
            PNGDecoder(), try Self.job(file, watchdog: DecodeWatchdog(cancellation, seconds: 60)))
        #expect(outcome.error == .cancelled && outcome.rows.count < 40 * 3 * 300)
    }

    @Test(
        "Every file of the corpus gives the same rows, notes and errors",
        .enabled(if: SharedData.isThere, "the shared images are not available"))
    func corpus() throws {
        var complete = 0
        for entry in try CorpusTests.entries() where entry.format == "png" {
            let file = try Array(Data(contentsOf: entry.file))
            guard let info = try? ImageHeader(of: ImageInput(file)).info, (try? info.check(ImageLimits())) != nil else {
                continue
            }
            try Self.compare(file, entry.name)
            complete += (try? Self.progress(file))?.isComplete == true ? 1 : 0
        }
        #expect(complete > 100)
    }
}
