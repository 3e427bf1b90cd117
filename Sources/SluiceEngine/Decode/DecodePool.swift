// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceImaging
internal import SluiceLedger
package import SluiceModel

/// Decodes pictures concurrently, limited by the number of cores and by the memory that the decodes need.
package final class DecodePool: Sendable {
    /// The maximum number of concurrent decodes.
    let width: Int
    private let budget: MemoryBudget
    /// The number of pictures that are decoded or ready to be decoded.
    private let slotCount: Int
    private let slots: WeightedSemaphore
    private let memory: WeightedSemaphore
    private let lanes: DecodeLanes
    /// `nil` if a crash of the decoder does not end this process.
    private let crashRecord: CrashRecord?
    /// Reads headers and estimates the memory of decodes, by the same rules as the decoders.
    private let estimator: Thumbnailer
    private let metrics: RunMetrics
    private let stop: @Sendable (StopReason) -> Void

    /// Creates a pool of up to `width` decoders for the mirror in `folder`.
    ///
    /// `report` is called if decode workers lack protections, and `stop` if none can be started.
    package init(
        upTo width: Int, budget: MemoryBudget, options: ThumbnailOptions, isolation: Isolation, folder: Folder,
        metrics: RunMetrics, report: @escaping @Sendable (String) -> Void,
        stop: @escaping @Sendable (StopReason) -> Void
    ) {
        let width = budget.decoders(upTo: width, isolation)
        (self.width, self.budget, self.metrics, self.stop) = (width, budget, metrics, stop)
        // For each decode one more picture is ready, so that the decoder takes it without waiting.
        slotCount = 2 * width
        slots = WeightedSemaphore(slotCount)
        memory = WeightedSemaphore(budget.decodes)
        var options = options
        // Whether a download may be cut is decided before its decode.
        options.acceptsMissingEnd = true
        options.limits.memory = budget.decodes
        let thumbnailer = Thumbnailer(options)
        estimator = thumbnailer
        switch isolation {
        case .none:
            lanes = DecodeLanes((0..<width).map { _ in InProcessDecoder(thumbnailer: thumbnailer) })
            crashRecord = CrashRecord(in: folder)
        case .workersForRestrictedFormats(let executable, let acceptsWeakSandbox):
            let launcher = WorkerLauncher(
                executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: report)
            lanes = DecodeLanes(
                (0..<width).map { _ in
                    FormatDependentDecoder(InProcessDecoder(thumbnailer: thumbnailer), SandboxedDecoder(launcher))
                })
            crashRecord = CrashRecord(in: folder)
        case .workers(let executable, let acceptsWeakSandbox):
            let launcher = WorkerLauncher(
                executable, acceptsWeakSandbox: acceptsWeakSandbox, options, report: report)
            lanes = DecodeLanes((0..<width).map { _ in SandboxedDecoder(launcher) })
            crashRecord = nil
        }
    }

    /// The process IDs of the running decode workers.
    package var workers: [Int32] { lanes.workers }

    /// Reads the header of an open file, for ``thumbnails(of:in:for:isSuspect:ledger:token:timing:)``.
    ///
    /// `bytes` is the file's content if it is in memory. Decoders in this process then do not read the file.
    func header(ofFileAt descriptor: Int32, holding bytes: [UInt8]?) throws(Failure) -> OpenedImage {
        do throws(ImagingError) {
            return if let bytes {
                try estimator.openHeader(of: bytes)
            } else {
                try estimator.openHeader(fileAt: descriptor)
            }
        } catch {
            throw Failure(error)
        }
    }

    /// Creates the thumbnails of an item's picture.
    ///
    /// The token cancels the decode, or the wait for a decoder. The picture's header has been read from the open file.
    /// The ledger counts crashes of the decoder, and no kills of the run. An item that may have crashed the decoder
    /// before is decoded alone, so that a second crash is certainly its own.
    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, for item: Item, isSuspect: Bool, ledger: Ledger,
        token: CancellationToken, timing timings: inout ItemTimings
    ) async throws(Failure) -> ThumbnailResult {
        let picture = try estimatingMemory(of: picture)
        metrics.use(estimator.options.libraries(for: picture.info.format))
        let needed = isSuspect ? slotCount : 1
        let queuedAt = ContinuousClock.now
        timings.queuedAt = queuedAt
        try await acquire(needed, from: slots, in: .waitingForDecoder, token)
        defer { slots.release(needed) }
        try await acquire(picture.memory, from: memory, in: .waitingForMemory, token)
        defer { memory.release(picture.memory) }
        let decode = try await decode(picture, in: descriptor, of: item, token: token)
        timings[.queue] = decode.startedAt - queuedAt
        timings.add(decode.times)
        return try record(decode.result, of: item, isSuspect: isSuspect, in: ledger)
    }

    /// One decode, performed by a decoder.
    private struct Decode {
        let startedAt = ContinuousClock.now
        let times: ImagingTimes
        let result: Result<ThumbnailResult, DecodingError>

        init(
            _ picture: OpenedImage, in descriptor: Int32, by decoder: any ThumbnailMaking, token: CancellationToken
        ) {
            var times = ImagingTimes()
            do throws(DecodingError) {
                result = .success(
                    try decoder.thumbnails(of: picture, in: descriptor, token: token, timing: &times))
            } catch {
                result = .failure(error)
            }
            self.times = times
        }
    }

    /// Decodes a picture as soon as a decoder is free; throws if the token is cancelled before.
    private func decode(
        _ picture: OpenedImage, in descriptor: Int32, of item: Item, token: CancellationToken
    ) async throws(Failure) -> Decode {
        var picture = picture
        picture.spareThread = SpareThread { [lanes, crashRecord] work in
            lanes.addIfIdle { _ in
                if let crashRecord { crashRecord.during(decodeOf: item.seq, work) } else { work() }
            }
        }
        let end = OneShot<Decode?>()
        metrics.enter(.waitingForDecoder)
        let job = lanes.add { [metrics, crashRecord, picture] decoder in
            metrics.leave(.waitingForDecoder)
            metrics.enter(.decoding)
            let decode = { Decode(picture, in: descriptor, by: decoder, token: token) }
            let ended = crashRecord?.during(decodeOf: item.seq, decode) ?? decode()
            metrics.leave(.decoding)
            end.set(ended)
        }
        // A decode that has begun ends by the token itself.
        let handler = token.onCancel { [metrics, lanes] _ in
            guard lanes.remove(job) else { return }
            metrics.leave(.waitingForDecoder)
            end.set(nil)
        }
        defer { withExtendedLifetime(handler) {} }
        guard let decode = await end.value() else { throw Failure(token.cause ?? .cancelled, "") }
        return decode
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

extension ItemTimings {
    /// Sets the phases of the decode.
    mutating func add(_ times: ImagingTimes) {
        self[.decode] = times.decode
        self[.resample] = times.resample
        self[.encode] = times.encode
    }
}
