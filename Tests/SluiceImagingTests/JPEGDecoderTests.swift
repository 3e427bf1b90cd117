// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Synchronization
import TestSupport
import Testing

@testable import SluiceImaging

/// Sluice's own JPEG decoder, compared with libjpeg-turbo at every scale.
@Suite("JPEGDecoder", .timeLimit(.minutes(10))) struct JPEGDecoderTests {
    private static let scales = [1, 2, 4, 8]

    private static func job(_ file: [UInt8], eighths: Int, prefersSpeed: Bool = false) throws -> DecodeJob {
        var job = try JPEGInputs.job(file, eighths: eighths)
        job.prefersSpeed = prefersSpeed
        return job
    }

    /// Compares both decoders at every scale.
    private static func compare(_ file: [UInt8], _ name: String, prefersSpeed: Bool = false) throws {
        for eighths in scales {
            var job = try job(file, eighths: eighths, prefersSpeed: prefersSpeed)
            let outcome = RecordedDecode(JPEGDecoder(), job)
            job.usesReference = true
            #expect(outcome.beginnings <= 1)
            #expect(RecordedDecode(JPEGDecoder(), job) == outcome, "\(name) at \(eighths)/8")
        }
    }

    @Test("Usual files of all sizes are decoded by Sluice's own decoder, with libjpeg-turbo's pixels")
    func sizes() throws {
        for side in 1...33 {
            for (across, down) in [(1, 1), (2, 1), (2, 2)] as [(Int32, Int32)] {
                for quality in [40, 97] as [Int32] {
                    let image = JPEGInputs.image(side, 34 - side, .rgb)
                    let file = CustomJPEGs.file(image, across: across, down: down, quality: quality)
                    try Self.compare(file, "\(side) columns, \(across)x\(down), quality \(quality)")
                    try Self.expectOwnDecoder(file)
                }
            }
            let grey = CustomJPEGs.file(JPEGInputs.image(34 - side, side, .grey), quality: 80)
            try Self.compare(grey, "\(side) rows of grey")
            try Self.expectOwnDecoder(grey)
        }
    }

    private static func expectOwnDecoder(_ file: [UInt8], scales: [Int] = scales) throws {
        for eighths in scales {
            let recorder = RowRecorder()
            let progress = try JPEGDecoder().decodeUsual(job(file, eighths: eighths), eighths: eighths, into: recorder)
            #expect(progress.isComplete && progress.rows == recorder.rowCount)
        }
    }

    @Test("Usual progressive files are decoded by Sluice's own decoder, with libjpeg-turbo's pixels")
    func progressive() throws {
        for side in 1...33 {
            for layout in [PixelLayout.rgb, .grey] {
                let file = try SampleImages.file(
                    .jpeg, JPEGInputs.image(side + 200, 34 - side, layout), progressive: true)
                try Self.compare(file, "\(side + 200) columns, \(layout)")
                try Self.expectOwnDecoder(file, scales: [2, 4, 8])
            }
        }
    }

    /// Blocks of several batches, with few, some and nearly all coefficients.
    private static func mixedImage(_ width: Int, _ height: Int, _ layout: PixelLayout) -> Raster {
        SampleImages.make(width, height, layout) { x, y in
            let noise = (x * 7919 + y * 104_729) % 251 * (x * y % 13) % 256
            let samples =
                x % 160 < 60 ? [90, 150, 60] : y % 40 < 12 ? [noise, 255 - noise, noise / 2] : [x * 3, y * 5, x + y]
            return (layout == .grey ? [samples[0]] : samples).map { UInt8($0 % 256) }
        }
    }

    @Test("Progressive files with all orders of scans are decoded with libjpeg-turbo's pixels", arguments: 0..<40)
    func scanScripts(seed: Int) throws {
        let layout = seed % 5 == 4 ? PixelLayout.grey : .rgb
        let script = ScanScript(components: layout == .grey ? 1 : 3, joinsComponents: seed % 3 > 0, seed: seed)
        let (across, down) = ([(1, 1), (2, 1), (2, 2)] as [(Int32, Int32)])[seed % 3]
        let file = CustomJPEGs.file(
            Self.mixedImage(270 + seed, 40 + seed, layout), across: across, down: down,
            quality: Int32(100 - seed * 2), scans: script.scans, restartInterval: [0, 1, 10, 37][seed / 3 % 4])
        try Self.compare(file, "script \(seed)")
        try Self.compare(file, "script \(seed) for speed", prefersSpeed: true)
        try Self.expectOwnDecoder(file)
    }

    @Test("Sluice's own decoder leaves out scans, and reads files that lack scans", arguments: [1, 2, 4])
    func skippedScans(eighths: Int) throws {
        let file = try SampleImages.file(.jpeg, Self.mixedImage(300, 60, .rgb), progressive: true)
        let job = try Self.job(file, eighths: eighths)
        let scans = try JPEGScans(job.input, watchdog: job.watchdog)
        let ranges = scans.skippableRanges(eighths: eighths, prefersSpeed: true)
        let (skipping, without) = (RowRecorder(), RowRecorder())
        #expect(try JPEGDecoder().decodeUsual(job, eighths: eighths, skipping: ranges, into: skipping).isComplete)
        let rest = ranges.reversed().reduce(into: file) { $0.removeSubrange($1) }
        try #expect(rest.count < file.count && Self.decodesWhole(rest, eighths, into: without))
        #expect(skipping.bytes == without.bytes)
        try Self.compare(rest, "a file without scans")
    }

    private static func decodesWhole(_ file: [UInt8], _ eighths: Int, into recorder: RowRecorder) throws -> Bool {
        try JPEGDecoder().decodeUsual(job(file, eighths: eighths), eighths: eighths, into: recorder).isComplete
    }

    @Test(
        "Sluice's own decoder takes exactly the memory for coefficients that is estimated",
        arguments: [1, 17, 200, 700])
    func coefficients(side: Int) throws {
        for (width, height) in [(side, 40), (260, side)] {
            for layout in [PixelLayout.rgb, .grey] {
                for isSubsampled in [true, false] {
                    var encoder = ImageEncoder(.jpeg)
                    (encoder.isProgressive, encoder.subsampling) = (true, isSubsampled ? .half : .full)
                    let job = try Self.job(encoder.encode(JPEGInputs.image(width, height, layout)), eighths: 8)
                    let estimate = job.header.wholeImageBytes + job.header.ownDecoderBytes
                    #expect(try Self.opens(job, memory: estimate))
                    #expect(try job.header.ownDecoderBytes == 0 || !Self.opens(job, memory: estimate - 1))
                }
            }
        }
    }

    private static func opens(_ job: DecodeJob, memory: Int) throws -> Bool {
        try unsafe job.input.withCInput { input throws(ImagingError) in
            let reader = unsafe FastJPEGReader(input, eighths: 8, memory: memory, scans: 100)
            return reader != nil
        }
    }

    @Test("A progressive file with more scans than allowed is left to the reference decoder")
    func scanLimit() throws {
        let whole = try Self.job(
            SampleImages.file(.jpeg, JPEGInputs.image(240, 30, .rgb), progressive: true), eighths: 4)
        var limits = ImageLimits()
        limits.scans = 3
        let job = DecodeJob(
            input: whole.input, header: whole.header, minimumSize: whole.minimumSize, limits: limits,
            watchdog: DecodeWatchdog(.never, seconds: 60))
        let recorder = RowRecorder()
        #expect(try !JPEGDecoder().decodeUsual(job, eighths: 4, into: recorder).hasBegun)
        #expect(RecordedDecode(JPEGDecoder(), job).error == .tooManyScans)
    }

    @Test("The reference decoder is used if it is asked for")
    func reference() throws {
        let image = JPEGInputs.image(40, 30, .rgb)
        var reference = try Self.job(CustomJPEGs.file(image), eighths: 8)
        reference.usesReference = true
        var progressive = try Self.job(SampleImages.file(.jpeg, image, progressive: true), eighths: 8)
        progressive.usesReference = true
        for job in [reference, progressive] {
            let recorder = RowRecorder()
            let progress = try JPEGDecoder().decodeUsual(job, eighths: 8, into: recorder)
            #expect(!progress.hasBegun && recorder.beginnings == 0)
        }
        var options = ThumbnailOptions()
        let thumbnails = try Thumbnailer(options).thumbnails(of: reference.input.read(at: 0, count: .max))
        options.decoder = .reference
        #expect(try Thumbnailer(options).thumbnails(of: reference.input.read(at: 0, count: .max)) == thumbnails)
    }

    @Test("Damaged files give the same rows, notes and errors")
    func damage() throws {
        var random = SplitMix64(seed: 1)
        var files = ([(1, 1), (2, 1), (2, 2)] as [(Int32, Int32)]).map { across, down in
            CustomJPEGs.file(JPEGInputs.image(70, 50, .rgb), across: across, down: down, quality: 85)
        }
        files.append(try SampleImages.file(.jpeg, JPEGInputs.image(270, 50, .rgb), progressive: true))
        for (kind, file) in files.enumerated() {
            for number in 0..<200 {
                guard let damaged = JPEGInputs.damaged(file, &random) else { continue }
                try Self.compare(damaged, "file \(number) of kind \(kind)")
            }
        }
    }

    /// A progressive file has no rows before its last scan.
    @Test("A cancelled decode ends between rows", arguments: [(false, 16), (true, 0)])
    func cancelled(progressive: Bool, rows: Int) throws {
        let image = JPEGInputs.image(240, 300, .rgb)
        let file = progressive ? try SampleImages.file(.jpeg, image, progressive: true) : CustomJPEGs.file(image)
        let checks = Atomic(0)
        let cancellation = CancellationCheck { checks.add(1, ordering: .relaxed).newValue == 3 }
        let recorder = RowRecorder()
        let job = try JPEGInputs.job(file, eighths: 8, cancellation: cancellation)
        let error = failure { () throws(ImagingError) in try JPEGDecoder().decode(job, into: recorder) }
        #expect(error?.code == .cancelled && recorder.rowCount == rows)
    }

    @Test(
        "Every file of the corpus gives the same rows, notes and errors",
        .enabled(if: SharedData.isThere, "the shared images are not available"))
    func corpus() throws {
        var complete = 0
        for entry in try CorpusTests.entries() where entry.format == "jpeg" {
            let file = try Array(Data(contentsOf: entry.file))
            guard let info = try? ImageHeader(of: ImageInput(file)).info, (try? info.check(ImageLimits())) != nil else {
                continue
            }
            try Self.compare(file, entry.name)
            let recorder = RowRecorder()
            let progress = try JPEGDecoder().decodeUsual(Self.job(file, eighths: 4), eighths: 4, into: recorder)
            complete += progress.isComplete ? 1 : 0
        }
        // A third of these files are progressive, and many are damaged.
        #expect(complete > 100)
    }
}
