// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

/// As many decodes at a time as the machine has cores, and as their memory lets, whatever the number of items in flight.
final class DecodePool: Sendable {
    private let places: SharedBudget
    private let memory: SharedBudget
    private let idle: Locked<[Lane]>
    private let thumbnailer: Thumbnailer
    private let measures: Measures

    /// Makes a pool whose decodes take so many bytes together.
    init(width: Int, memory: Int, options: ThumbnailOptions, measures: Measures) {
        self.measures = measures
        places = SharedBudget(width)
        self.memory = SharedBudget(memory)
        idle = Locked((0..<width).map { Lane(number: $0) })
        var options = options
        options.limits.memory = memory
        thumbnailer = Thumbnailer(options)
    }

    /// Makes the thumbnails of an item's open file; the token ends it between two rows, or while it waits for its turn.
    ///
    /// While it decodes, and not while it waits, the ledger knows: if the process ends then, the item may be the reason.
    func thumbnails(
        of descriptor: Int32, for item: Item, in ledger: Ledger, token: Token, timing timings: inout Timings
    ) async throws(Failure) -> PictureResult {
        let queuedAt = ContinuousClock.now
        timings.queued = queuedAt
        try await wait(in: .decodeLine, for: places, 1, token)
        timings[.queue] = ContinuousClock.now - queuedAt
        let lane = idle.withLock { $0.removeLast() }
        defer {
            idle.withLock { $0.append(lane) }
            places.giveBack(1)
        }
        return try await ledger.attempt(on: item) { () async throws(Failure) in
            let picture = try await lane.run { [thumbnailer] in Self.open(thumbnailer, descriptor) }.get()
            let openAt = ContinuousClock.now
            try await wait(in: .memoryLine, for: memory, picture.memory, token)
            timings[.queue] += ContinuousClock.now - openAt
            defer { memory.giveBack(picture.memory) }
            let (result, times) = await measures.during(.decode) {
                await lane.run { [thumbnailer] in Self.work(thumbnailer, on: picture, token: token) }
            }
            timings.note(times)
            return try result.get()
        }
    }

    private func wait(
        in line: Stage, for budget: SharedBudget, _ amount: Int, _ token: Token
    ) async throws(Failure) {
        measures.enter(line)
        defer { measures.leave(line) }
        try await budget.take(amount, token: token)
    }

    private static func open(_ thumbnailer: Thumbnailer, _ descriptor: Int32) -> Result<OpenPicture, Failure> {
        do throws(ImagingError) {
            return .success(try thumbnailer.open(fileAt: descriptor))
        } catch {
            var failure = Failure(error)
            // One that takes more than all together may would wait for ever.
            if error.code == .decodeLimit { failure.detail += "; --memory allows more" }
            return .failure(failure)
        }
    }

    private static func work(
        _ thumbnailer: Thumbnailer, on picture: OpenPicture, token: Token
    ) -> (Result<PictureResult, Failure>, PictureTimes) {
        var times = PictureTimes()
        do throws(ImagingError) {
            let interrupt = Interrupt { token.isCancelled }
            return (.success(try thumbnailer.thumbnails(of: picture, interrupt: interrupt, timing: &times)), times)
        } catch {
            return (.failure(token.cause.map { Failure($0, "") } ?? Failure(error)), times)
        }
    }
}

/// The serial queue that one decode at a time works on: a thread of its own, where blocking harms nobody.
private struct Lane: Sendable {
    private let queue: DispatchQueue

    init(number: Int) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

extension Timings {
    /// Takes note of what the thumbnails took.
    mutating func note(_ times: PictureTimes) {
        self[.decode] = times.decode
        self[.resample] = times.resample
        self[.encode] = times.encode
    }
}
