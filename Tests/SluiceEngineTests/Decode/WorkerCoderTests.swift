// SPDX-License-Identifier: MIT

import Dispatch
import SluiceImaging
import SluiceModel
import Testing

@testable import SluiceEngine

/// Encoding of requests to workers and of their replies.
@Suite("WorkerCoder", .timeLimit(.minutes(10))) struct WorkerCoderTests {
    /// Options that all differ from their defaults.
    static var options: ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 320, height: nil), ThumbnailSize(width: nil, height: 200)]
        (options.fit, options.gravity, options.enlarges, options.onlyShrinks) = (.pad, .attention, true, true)
        options.background = BackgroundColor(red: 1, green: 2, blue: 3, alpha: 4)
        (options.kernel, options.sharpen, options.qualityMode, options.isLinear) = (.area, 0.75, .exact, true)
        (options.profile, options.keptMetadata, options.format) = (.keep, [.gps, .copyright], .webp)
        (options.quality, options.targetScore, options.isProgressive, options.subsampling) = (61, 72, true, .full)
        (options.speed, options.isLossless, options.maxBytes, options.salvages) = (2, true, 12_345, true)
        (options.acceptsMissingEnd, options.sampling) = (true, .colors)
        options.decoder = .reference
        (options.animation, options.dynamicRange) = (.keep, .keep)
        (options.maxFrames, options.maxMilliseconds) = (7, 900)
        options.allowedFormats = [.heic]
        options.limits.pixels = 7
        options.limits.scans = 8
        options.limits.memory = 9
        options.limits.seconds = 0.25
        return options
    }

    private static func bytes<Value>(
        of value: Value, _ code: (inout WorkerCoder, inout Value) throws(WorkerCoder.Malformed) -> Void
    ) throws -> [UInt8] {
        var (value, coder) = (value, WorkerCoder())
        try code(&coder, &value)
        return coder.bytes
    }

    @Test("Every option survives encoding; this test fails for a new option until it is encoded")
    func options() throws {
        let bytes = try Self.bytes(of: Self.options) { (coder, options) throws(WorkerCoder.Malformed) in
            try coder.code(&options)
        }
        var read = ThumbnailOptions()
        var coder = WorkerCoder(reading: bytes)
        try coder.code(&read)
        #expect(read == Self.options && coder.isAtEnd)
        for (set, plain) in [(Self.options as Any, ThumbnailOptions() as Any), (Self.options.limits, ImageLimits())] {
            let parts = zip(Mirror(reflecting: set).children, Mirror(reflecting: plain).children)
            for (part, other) in parts { #expect("\(part.value)" != "\(other.value)", "\(part.label ?? "")") }
        }
    }

    private static var reply: DecodeReply {
        var reply = DecodeReply()
        reply.thumbnails = [DecodeReply.EncodedThumbnail(width: 3, height: 4, format: .png, bytes: [1, 2])]
        (reply.color, reply.placeholder, reply.notes) = ("#010203", "abc", ["odd", ""])
        reply.damage = ImagingError(.truncated, "é")
        (reply.times.decode, reply.times.resample) = (.seconds(2), .microseconds(3))
        reply.times.encode = .milliseconds(4)
        return reply
    }

    /// A worker for nine sizes could not be started, because the encoder applied the decoder's limit of the count.
    @Test("A list with more elements than bytes were written before it survives encoding", arguments: [8, 9, 100])
    func longList(count: Int) throws {
        var options = ThumbnailOptions()
        options.sizes = (1...count).map { ThumbnailSize(width: $0, height: nil) }
        let bytes = try Self.bytes(of: options) { (coder, options) throws(WorkerCoder.Malformed) in
            try coder.code(&options)
        }
        var read = ThumbnailOptions()
        var coder = WorkerCoder(reading: bytes)
        try coder.code(&read)
        #expect(read == options && coder.isAtEnd)
    }

    @Test("A reply survives encoding")
    func replies() throws {
        let bytes = try Self.bytes(of: Self.reply) { (coder, reply) throws(WorkerCoder.Malformed) in
            try coder.code(&reply)
        }
        var read = DecodeReply()
        var coder = WorkerCoder(reading: bytes)
        try coder.code(&read)
        #expect("\(read)" == "\(Self.reply)" && coder.isAtEnd)
        #expect(read.times == Self.reply.times && read.damage == Self.reply.damage)
    }

    @Test("Malformed bytes from a worker throw an error or decode to a reply; they never crash")
    func malformed() throws {
        let bytes = try Self.bytes(of: Self.reply) { (coder, reply) throws(WorkerCoder.Malformed) in
            try coder.code(&reply)
        }
        for count in bytes.indices {
            var reply = DecodeReply()
            var coder = WorkerCoder(reading: Array(bytes.prefix(count)))
            #expect(throws: WorkerCoder.Malformed.self) { try coder.code(&reply) }
        }
        for index in bytes.indices {
            for value in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                var reply = DecodeReply()
                var coder = WorkerCoder(reading: changed)
                _ = try? coder.code(&reply)
            }
        }
    }
}

@Suite("Decode lanes", .timeLimit(.minutes(10))) struct DecodeLanesTests {
    private func lanes(_ count: Int, rest: Duration = .zero) -> DecodeLanes {
        DecodeLanes(
            (0..<count).map { _ in InProcessDecoder(thumbnailer: Thumbnailer(ThumbnailOptions())) }, rest: rest)
    }

    /// Adds a job that reports its start and then waits for `gate`.
    private func addBlockingJob(to lanes: DecodeLanes, until gate: DispatchSemaphore) -> OneShot<Void> {
        let started = OneShot<Void>()
        _ = lanes.add { _ in
            started.set(())
            gate.wait()
        }
        return started
    }

    @Test("As many jobs run at a time as there are lanes, and the others follow in their order")
    func order() async {
        let (lanes, gate, end) = (lanes(2), DispatchSemaphore(value: 0), OneShot<Void>())
        for started in [addBlockingJob(to: lanes, until: gate), addBlockingJob(to: lanes, until: gate)] {
            await started.value()
        }
        let order = Locked<[Int]>([])
        for number in 1...100 {
            _ = lanes.add { _ in
                let count = order.withLock { order in
                    order.append(number)
                    return order.count
                }
                if count == 100 { end.set(()) }
            }
        }
        #expect(order.withLock { $0.isEmpty })
        // One lane works, so that the order is certain.
        gate.signal()
        await end.value()
        #expect(order.withLock { $0 } == Array(1...100))
        gate.signal()
    }

    @Test("A waiting job can be removed, and one that a lane has taken cannot")
    func removing() async {
        let (lanes, gate, last) = (lanes(1), DispatchSemaphore(value: 0), OneShot<Void>())
        let (first, hasRun) = (OneShot<Void>(), Locked(false))
        let running = lanes.add { _ in
            first.set(())
            gate.wait()
        }
        await first.value()
        let waiting = lanes.add { _ in hasRun.withLock { $0 = true } }
        _ = lanes.add { _ in last.set(()) }
        #expect(!lanes.remove(running))
        #expect(lanes.remove(waiting) && !lanes.remove(waiting))
        gate.signal()
        await last.value()
        #expect(!hasRun.withLock { $0 })
    }

    @Test("Work for an idle lane is refused if all lanes are busy, and gives way to the next job")
    func onlyIdle() async {
        let (lanes, gate, end) = (lanes(2), DispatchSemaphore(value: 0), OneShot<Void>())
        let (inWork, workGate) = (OneShot<Void>(), DispatchSemaphore(value: 0))
        await addBlockingJob(to: lanes, until: gate).value()
        let isTaken = lanes.addIfIdle { _ in
            inWork.set(())
            workGate.wait()
        }
        #expect(isTaken)
        await inWork.value()
        #expect(!lanes.addIfIdle { _ in })
        _ = lanes.add { _ in end.set(()) }
        workGate.signal()
        await end.value()
        gate.signal()
    }

    @Test("A lane helps before its first job, and after it only when it has been idle for some time")
    func rest() async {
        let lanes = lanes(1, rest: .seconds(3600))
        for _ in 1...3 {
            let help = OneShot<Void>()
            // The lane is busy for a moment after its last help.
            while !lanes.addIfIdle({ _ in help.set(()) }) { await Task.yield() }
            await help.value()
        }
        let end = OneShot<Void>()
        _ = lanes.add { _ in end.set(()) }
        await end.value()
        for _ in 1...100 {
            #expect(!lanes.addIfIdle { _ in })
            await Task.yield()
        }
    }

    @Test("An idle lane takes a job again after it has run out of jobs")
    func idle() async {
        let lanes = lanes(1)
        for _ in 1...1000 {
            let end = OneShot<Void>()
            _ = lanes.add { _ in end.set(()) }
            await end.value()
        }
    }
}
