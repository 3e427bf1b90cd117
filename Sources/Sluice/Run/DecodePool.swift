// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

/// Decodes pictures concurrently, limited by the number of cores and by the memory that the decodes need.
final class DecodePool: Sendable {
    /// The maximum number of concurrent decodes.
    let width: Int
    private let budget: MemoryBudget
    private let slots: WeightedSemaphore
    private let memory: WeightedSemaphore
    private let lanes: [DecodeLane]
    private let idleLanes: Locked<[DecodeLane]>
    /// Reads headers.
    ///
    /// It has no memory limit, because the budget decides about that.
    private let headerReader: Thumbnailer
    private let metrics: RunMetrics

    /// Makes a pool of up to `width` decoders.
    ///
    /// `report` is called if decodes cannot be isolated as requested.
    init(
        upTo width: Int, budget: MemoryBudget, options: ThumbnailOptions, isolation: Isolation, metrics: RunMetrics,
        report: @escaping @Sendable (String) -> Void
    ) {
        let width = budget.decoders(upTo: width, isolation)
        self.width = width
        self.budget = budget
        self.metrics = metrics
        slots = WeightedSemaphore(width)
        memory = WeightedSemaphore(budget.decodes)
        var options = options
        options.limits.memory = .max
        headerReader = Thumbnailer(options)
        options.limits.memory = budget.decodes
        let inProcess = InProcessDecoder(thumbnailer: Thumbnailer(options))
        lanes = (0..<width).map { number in
            switch isolation {
            case .none: DecodeLane(number: number, decoder: inProcess)
            case .workers(let executable):
                DecodeLane(
                    number: number, decoder: SandboxedDecoder(executable, fallback: inProcess, report: report))
            }
        }
        idleLanes = Locked(lanes)
    }

    /// The process IDs of the running decode workers.
    var workers: [Int32] { lanes.compactMap(\.processID) }

    /// Makes the thumbnails of an item's open file.
    ///
    /// The token cancels the decode, or the wait for a decoder.
    ///
    /// The ledger records the attempt while the item is decoded, but not while it waits: if the process crashes, the item
    /// may be the reason. An item that may have crashed the decoder before is decoded alone, so that a second crash is
    /// certainly its own.
    func thumbnails(
        of descriptor: Int32, for item: Item, isSuspect: Bool, in ledger: Ledger, token: CancellationToken,
        timing timings: inout ItemTimings
    ) async throws(Failure) -> ThumbnailResult {
        let slotCount = isSuspect ? width : 1
        let queuedAt = ContinuousClock.now
        timings.queuedAt = queuedAt
        try await acquire(slotCount, from: slots, in: .waitingForDecoder, token)
        timings[.queue] = ContinuousClock.now - queuedAt
        let lane = idleLanes.withLock { $0.removeLast() }
        defer {
            idleLanes.withLock { $0.append(lane) }
            slots.release(slotCount)
        }
        // Before the attempt is recorded: if the run is killed while a worker starts, the picture is not to blame.
        await lane.prepare()
        return try await ledger.attempt(on: item) { () async throws(Failure) in
            let picture = try await lane.run { self.readHeader(descriptor) }.get()
            let readAt = ContinuousClock.now
            try await acquire(picture.memory, from: memory, in: .waitingForMemory, token)
            timings[.queue] += ContinuousClock.now - readAt
            defer { memory.release(picture.memory) }
            let (result, times) = await metrics.during(.decoding) {
                await lane.thumbnails(of: picture, in: descriptor, token: token)
            }
            timings.add(times)
            return try result.get()
        }
    }

    private func acquire(
        _ amount: Int, from semaphore: WeightedSemaphore, in stage: Stage, _ token: CancellationToken
    ) async throws(Failure) {
        metrics.enter(stage)
        defer { metrics.leave(stage) }
        try await semaphore.acquire(amount, token: token)
    }

    private func readHeader(_ descriptor: Int32) -> Result<OpenedImage, Failure> {
        do throws(ImagingError) {
            let picture = try headerReader.open(fileAt: descriptor)
            // A picture that needs more than the whole budget would wait forever.
            return budget.refusal(ofDecodeTaking: picture.memory).map { .failure($0) } ?? .success(picture)
        } catch {
            return .failure(Failure(error))
        }
    }
}

/// A serial queue with a decoder.
///
/// Decoding blocks its thread without affecting others.
private struct DecodeLane: Sendable {
    private let queue: DispatchQueue
    private let decoder: any ThumbnailMaking

    init(number: Int, decoder: any ThumbnailMaking) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
        self.decoder = decoder
    }

    var processID: Int32? { decoder.processID }

    func prepare() async {
        await run { [decoder] in decoder.prepare() }
    }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken
    ) async -> (Result<ThumbnailResult, Failure>, ImagingTimes) {
        await run { [decoder] in
            var times = ImagingTimes()
            do throws(Failure) {
                let result = try decoder.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
                return (.success(result), times)
            } catch {
                return (.failure(error), times)
            }
        }
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}

extension ItemTimings {
    /// Sets the phases of the decode.
    mutating func add(_ times: ImagingTimes) {
        self[.decode] = times.decode
        self[.resample] = times.resample
        self[.encode] = times.encode
    }
}
