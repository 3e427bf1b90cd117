// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceFiles
package import SluiceImaging
internal import SluiceLedger
package import SluiceModel

/// Decodes pictures concurrently, limited by the number of cores and by the memory that the decodes need.
package final class DecodePool: Sendable {
    /// The maximum number of concurrent decodes.
    let width: Int
    private let budget: MemoryBudget
    private let slots: WeightedSemaphore
    private let memory: WeightedSemaphore
    private let lanes: [DecodeLane]
    private let idleLanes: Locked<[DecodeLane]>
    /// Estimates the memory of decodes.
    ///
    /// It has no memory limit, because the budget decides about that.
    private let estimator: Thumbnailer
    private let metrics: RunMetrics
    private let stop: @Sendable (StopReason) -> Void

    /// Makes a pool of up to `width` decoders for the mirror in `folder`.
    ///
    /// `report` is called if decode workers lack protections, and `stop` if none can be started.
    package init(
        upTo width: Int, budget: MemoryBudget, options: ThumbnailOptions, isolation: Isolation, folder: Folder,
        metrics: RunMetrics, report: @escaping @Sendable (String) -> Void,
        stop: @escaping @Sendable (StopReason) -> Void
    ) {
        let width = budget.decoders(upTo: width, isolation)
        self.width = width
        self.budget = budget
        self.metrics = metrics
        self.stop = stop
        slots = WeightedSemaphore(width)
        memory = WeightedSemaphore(budget.decodes)
        var options = options
        // Whether a download may be cut is decided before its decode.
        options.acceptsMissingEnd = true
        options.limits.memory = .max
        estimator = Thumbnailer(options)
        options.limits.memory = budget.decodes
        switch isolation {
        case .none:
            let decoder = InProcessDecoder(thumbnailer: Thumbnailer(options))
            let record = CrashRecord(in: folder)
            lanes = (0..<width).map { DecodeLane(number: $0, decoder: decoder, crashRecord: record) }
        case .workersForRestrictedFormats(let executable, let acceptsWeakSandbox):
            let decoder = InProcessDecoder(thumbnailer: Thumbnailer(options))
            let record = CrashRecord(in: folder)
            let launcher = WorkerLauncher(
                executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: report)
            lanes = (0..<width).map {
                DecodeLane(
                    number: $0, decoder: FormatDependentDecoder(decoder, SandboxedDecoder(launcher)),
                    crashRecord: record)
            }
        case .workers(let executable, let acceptsWeakSandbox):
            let launcher = WorkerLauncher(
                executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: report)
            lanes = (0..<width).map { DecodeLane(number: $0, decoder: SandboxedDecoder(launcher)) }
        }
        idleLanes = Locked(lanes)
    }

    /// The process IDs of the running decode workers.
    package var workers: [Int32] { lanes.compactMap(\.processID) }

    /// Reads the header of an open file, for ``thumbnails(of:in:for:isSuspect:ledger:token:timing:)``.
    func header(ofFileAt descriptor: Int32) throws(Failure) -> OpenedImage {
        do throws(ImagingError) { return try estimator.openHeader(fileAt: descriptor) } catch { throw Failure(error) }
    }

    /// Makes the thumbnails of an item's picture.
    ///
    /// The token cancels the decode, or the wait for a decoder. The picture's header has been read from the open file.
    /// The ledger counts crashes of the decoder, and no kills of the run. An item that may have crashed the decoder
    /// before is decoded alone, so that a second crash is certainly its own.
    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, for item: Item, isSuspect: Bool, ledger: Ledger,
        token: CancellationToken, timing timings: inout ItemTimings
    ) async throws(Failure) -> ThumbnailResult {
        let picture = try estimatingMemory(of: picture)
        let slotCount = isSuspect ? width : 1
        let queuedAt = ContinuousClock.now
        timings.queuedAt = queuedAt
        try await acquire(slotCount, from: slots, in: .waitingForDecoder, token)
        let lane = idleLanes.withLock { $0.removeLast() }
        defer {
            idleLanes.withLock { $0.append(lane) }
            slots.release(slotCount)
        }
        try await acquire(picture.memory, from: memory, in: .waitingForMemory, token)
        timings[.queue] = ContinuousClock.now - queuedAt
        defer { memory.release(picture.memory) }
        let (result, times) = await metrics.during(.decoding) {
            await lane.thumbnails(of: picture, in: descriptor, for: item, token: token)
        }
        timings.add(times)
        return try record(result, of: item, isSuspect: isSuspect, in: ledger)
    }

    /// Counts a crash of the decoder in the ledger, and removes the suspicion from an item that the decoder has
    /// survived.
    private func record(
        _ result: Result<ThumbnailResult, DecodingError>, of item: Item, isSuspect: Bool, in ledger: Ledger
    ) throws(Failure) -> ThumbnailResult {
        switch result {
        case .success(let thumbnails):
            if isSuspect { try Failure.inLedger(ledger.clearCrashes(of: item)) }
            return thumbnails
        case .failure(.failed(let failure)):
            let isCertain = failure.cause != .cancelled && failure.cause != .decoderCrashed
            if isSuspect, isCertain { try Failure.inLedger(ledger.clearCrashes(of: item)) }
            throw failure
        case .failure(.crashed(let failure)):
            try Failure.inLedger(ledger.recordCrashes(of: [item.seq]))
            throw failure
        case .failure(.noWorker(let reason, let hint)):
            stop(StopReason(MirrorError(.local, reason, hint: hint)))
            throw Failure(.cancelled, "")
        }
    }

    private func estimatingMemory(of picture: OpenedImage) throws(Failure) -> OpenedImage {
        let estimated: OpenedImage
        do throws(ImagingError) { estimated = try estimator.estimatingMemory(of: picture) } catch {
            throw Failure(error)
        }
        // A picture that needs more than the whole budget would wait forever.
        if let refusal = budget.refusal(ofDecodeTaking: estimated.memory) { throw refusal }
        return estimated
    }

    private func acquire(
        _ amount: Int, from semaphore: WeightedSemaphore, in stage: Stage, _ token: CancellationToken
    ) async throws(Failure) {
        metrics.enter(stage)
        defer { metrics.leave(stage) }
        try await semaphore.acquire(amount, token: token)
    }
}

/// A serial queue with a decoder.
///
/// Decoding blocks its thread without affecting others.
private struct DecodeLane: Sendable {
    private let queue: DispatchQueue
    private let decoder: any ThumbnailMaking
    /// `nil` if a crash of the decoder does not end this process.
    private let crashRecord: CrashRecord?

    init(number: Int, decoder: any ThumbnailMaking, crashRecord: CrashRecord? = nil) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
        self.decoder = decoder
        self.crashRecord = crashRecord
    }

    var processID: Int32? { decoder.processID }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, for item: Item, token: CancellationToken
    ) async -> (Result<ThumbnailResult, DecodingError>, ImagingTimes) {
        let result = OneShot<(Result<ThumbnailResult, DecodingError>, ImagingTimes)>()
        queue.async { [decoder, crashRecord] in
            let decode = { Self.decode(picture, in: descriptor, by: decoder, token: token) }
            result.set(crashRecord?.during(decodeOf: item.seq, decode) ?? decode())
        }
        return await result.value()
    }

    private static func decode(
        _ picture: OpenedImage, in descriptor: Int32, by decoder: any ThumbnailMaking, token: CancellationToken
    ) -> (Result<ThumbnailResult, DecodingError>, ImagingTimes) {
        var times = ImagingTimes()
        do throws(DecodingError) {
            return (.success(try decoder.thumbnails(of: picture, in: descriptor, token: token, timing: &times)), times)
        } catch {
            return (.failure(error), times)
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
