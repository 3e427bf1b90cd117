// SPDX-License-Identifier: MIT

import Dispatch
import SluiceModel
import Synchronization
import TestSupport
import Testing

@testable import SluiceImaging

/// JPEGs whose strips are decoded on two threads.
@Suite("JPEGRows", .timeLimit(.minutes(10))) struct JPEGRowsTests {
    /// A thread that is idle each time, or only sometimes, and counts its work.
    private final class Helper: Sendable {
        private let queue = DispatchQueue(label: "helper")
        private let offers = Atomic(0)
        let started = Atomic(0)
        let ended = Atomic(0)
        /// For each offer of work, in turn, whether the thread is idle.
        private let isIdle: [Bool]

        init(_ isIdle: [Bool] = [true]) { self.isIdle = isIdle }

        func finish() { queue.sync {} }

        /// The thread, for strips of this many pixels of images of all sizes.
        func thread(partPixels: Int = 0) -> SpareThread {
            var thread = SpareThread { [self] work in
                let offer = offers.add(1, ordering: .relaxed).oldValue
                guard isIdle[offer % isIdle.count] else { return false }
                started.add(1, ordering: .relaxed)
                queue.async { [self] in
                    work()
                    ended.add(1, ordering: .relaxed)
                }
                return true
            }
            (thread.minPixels, thread.partPixels) = (0, partPixels)
            return thread
        }
    }

    private static func job(
        _ file: [UInt8], eighths: Int, _ thread: SpareThread?, cancellation: CancellationCheck = .never
    ) throws -> DecodeJob {
        var job = try JPEGInputs.job(file, eighths: eighths, cancellation: cancellation)
        job.spareThread = thread
        return job
    }

    /// Compares a decode on two threads with one on a single thread, and with libjpeg-turbo's.
    private static func compare(_ file: [UInt8], _ name: String, _ thread: SpareThread) throws {
        for eighths in [1, 2, 4, 8] {
            var job = try job(file, eighths: eighths, thread)
            let outcome = RecordedDecode(JPEGDecoder(), job)
            job.spareThread = nil
            let alone = RecordedDecode(JPEGDecoder(), job).agrees(with: outcome)
            #expect(alone, "\(name) at \(eighths)/8 on one thread")
            job.usesReference = true
            let reference = RecordedDecode(JPEGDecoder(), job).agrees(with: outcome)
            #expect(reference, "\(name) at \(eighths)/8 with the reference")
        }
    }

    private static func expectOwnDecoder(_ file: [UInt8], eighths: Int, _ thread: SpareThread) throws {
        let recorder = RowRecorder()
        let job = try job(file, eighths: eighths, thread)
        let progress = try JPEGDecoder().decodeUsual(job, eighths: eighths, into: recorder)
        #expect(progress.isComplete && progress.rows == recorder.rowCount)
    }

    private static let samplings: [(Int32, Int32)] = [(1, 1), (2, 1), (2, 2)]

    @Test("Strips on two threads give the pixels of one thread", arguments: [1, 2, 5, 7, 35])
    func pixels(restartInterval: UInt32) throws {
        for (across, down) in Self.samplings {
            for height in [1, 16, 50, 163] {
                for partPixels in [0, 280 * 20, 280 * 64] {
                    let helper = Helper()
                    let file = CustomJPEGs.file(
                        JPEGInputs.image(280, height), across: across, down: down, quality: 90,
                        restartInterval: min(restartInterval, 35 / UInt32(across)))
                    let name = "\(across)x\(down), \(height) rows, parts of \(partPixels)"
                    try Self.compare(file, name, helper.thread(partPixels: partPixels))
                    try Self.expectOwnDecoder(file, eighths: 8, helper.thread(partPixels: partPixels))
                    #expect(height < 163 || helper.started.load(ordering: .relaxed) > 0, "\(name)")
                    #expect(height > 1 || helper.started.load(ordering: .relaxed) == 0, "\(name)")
                }
            }
        }
    }

    @Test("Grey images are decoded in strips, too")
    func grey() throws {
        let helper = Helper()
        let file = CustomJPEGs.file(JPEGInputs.image(90, 200, .grey), quality: 85, restartInterval: 5)
        try Self.compare(file, "grey", helper.thread())
        #expect(helper.started.load(ordering: .relaxed) > 0)
    }

    @Test("A core that is idle only at times decodes strips at those times")
    func sometimesIdle() throws {
        for pattern in [[false], [true, false], [false, true, true, false, false]] {
            for (across, down) in Self.samplings {
                let helper = Helper(pattern)
                let file = CustomJPEGs.file(
                    JPEGInputs.image(100, 300), across: across, down: down, quality: 85, restartInterval: 6)
                try Self.compare(file, "\(pattern)", helper.thread())
                try Self.expectOwnDecoder(file, eighths: 8, helper.thread())
                #expect((helper.started.load(ordering: .relaxed) > 0) == pattern.contains(true))
            }
        }
    }

    @Test("Damage gives the rows, notes and errors of one thread", arguments: samplings)
    func damage(across: Int32, down: Int32) throws {
        var random = SplitMix64(seed: 1)
        for interval in [1, 3, 5] as [UInt32] {
            let file = CustomJPEGs.file(
                JPEGInputs.image(75, 170), across: across, down: down, quality: 60, restartInterval: interval)
            let helper = Helper()
            for number in 0..<120 {
                guard let damaged = JPEGInputs.damaged(file, &random) else { continue }
                try Self.compare(damaged, "file \(number) with interval \(interval)", helper.thread())
            }
        }
    }

    /// The offsets of a file's restart markers.
    private static func markers(_ file: [UInt8]) -> [Int] {
        file.indices.dropLast().filter { file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1]) }
    }

    @Test("Wrong, missing and surplus restart markers give the rows, notes and errors of one thread")
    func markers() throws {
        for (across, down) in Self.samplings {
            let file = CustomJPEGs.file(
                JPEGInputs.image(64, 150), across: across, down: down, quality: 60, restartInterval: 2)
            let (helper, markers) = (Helper(), Self.markers(file))
            #expect(markers.count > 16)
            for (number, marker) in markers.enumerated() {
                var files: [[UInt8]] = [file, file, file, file, file, file]
                files[0].removeSubrange(marker..<marker + 2)
                files[1].insert(contentsOf: file[marker..<marker + 2], at: marker)
                files[2][marker + 1] = 0xD0 + UInt8((number + 3) % 8)
                // Bytes before the marker, fill bytes, and an interval that is missing.
                files[3].insert(contentsOf: [0x12, 0x34], at: marker)
                files[4].insert(0xFF, at: marker)
                if number > 0 { files[5].removeSubrange(markers[number - 1]..<marker) }
                for (kind, damaged) in files.enumerated() {
                    try Self.compare(damaged, "kind \(kind) at marker \(number)", helper.thread())
                }
            }
            // Eight intervals, after which the markers have the same numbers.
            var shortened = file
            shortened.removeSubrange(markers[2]..<markers[10])
            try Self.compare(shortened, "eight intervals are missing", helper.thread())
        }
    }

    @Test("A truncated file gives the rows, notes and errors of one thread")
    func truncation() throws {
        let file = CustomJPEGs.file(JPEGInputs.image(60, 150), across: 2, down: 2, quality: 70, restartInterval: 4)
        let helper = Helper()
        for count in stride(from: file.count - 1, to: 700, by: -37) {
            try Self.compare(Array(file.prefix(count)), "\(count) bytes", helper.thread())
        }
    }

    @Test("A salvaged file has the rows of one thread")
    func salvage() throws {
        let file = CustomJPEGs.file(JPEGInputs.image(60, 150), across: 2, down: 2, quality: 70, restartInterval: 4)
        var job = try Self.job(Array(file.prefix(file.count / 2)), eighths: 8, Helper().thread())
        job.salvages = true
        let outcome = RecordedDecode(JPEGDecoder(), job)
        job.spareThread = nil
        #expect(RecordedDecode(JPEGDecoder(), job) == outcome && outcome.error == nil)
    }

    @Test("A cancelled decode waits for the other thread", arguments: 1...12)
    func cancelled(check: Int) throws {
        let file = CustomJPEGs.file(JPEGInputs.image(240, 300), restartInterval: 30)
        let helper = Helper()
        let checks = Atomic(0)
        let cancellation = CancellationCheck { checks.add(1, ordering: .relaxed).newValue == check }
        let job = try Self.job(file, eighths: 8, helper.thread(), cancellation: cancellation)
        let recorder = RowRecorder()
        let error = failure { () throws(ImagingError) in try JPEGDecoder().decode(job, into: recorder) }
        #expect(error?.code == .cancelled)
        helper.finish()
        #expect(helper.started.load(ordering: .relaxed) == helper.ended.load(ordering: .relaxed))
        let whole = try RecordedDecode(JPEGDecoder(), Self.job(file, eighths: 8, nil))
        #expect(recorder.bytes == Array(whole.rows.prefix(recorder.bytes.count)))
    }

    @Test("Files without strips are decoded on one thread")
    func withoutStrips() throws {
        let image = JPEGInputs.image(240, 300)
        let files = [
            CustomJPEGs.file(image), CustomJPEGs.file(image, restartInterval: 31),
            try SampleImages.file(.jpeg, image, progressive: true),
        ]
        for file in files {
            let helper = Helper()
            try Self.expectOwnDecoder(file, eighths: 8, helper.thread())
            #expect(helper.started.load(ordering: .relaxed) == 0)
        }
    }

    @Test("A second thread is used for large images, if the limit of the memory allows its strips")
    func memory() throws {
        let (large, small) = (JPEGInputs.image(2000, 1000), JPEGInputs.image(1000, 1000))
        func open(_ image: Raster, limit: Int = 1 << 30, restartInterval: UInt32 = 100) throws -> OpenedImage {
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: 1000, height: 1000)]
            options.limits.memory = limit
            let file = CustomJPEGs.file(image, across: 2, down: 2, quality: 30, restartInterval: restartInterval)
            return try Thumbnailer(options).open(ImageInput(file))
        }
        let (whole, alone) = (try open(large), try open(large, restartInterval: 0))
        #expect(whole.allowsSecondThread && !alone.allowsSecondThread)
        #expect(whole.memory > alone.memory)
        let limited = try open(large, limit: whole.memory - 1)
        #expect(!limited.allowsSecondThread && limited.memory == alone.memory)
        #expect(try open(large, limit: whole.memory).allowsSecondThread)
        #expect(try !open(small, restartInterval: 50).allowsSecondThread)
    }
}
