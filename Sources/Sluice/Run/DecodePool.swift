// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

/// As many decodes at a time as the machine has cores, and as their memory lets, whatever the number of items in flight.
final class DecodePool: Sendable {
    /// How many decode at a time.
    let width: Int
    private let plan: MemoryPlan
    private let places: SharedBudget
    private let memory: SharedBudget
    private let lanes: [Lane]
    private let idle: Locked<[Lane]>
    /// Reads headers, and refuses none for its memory: that is the plan's to say.
    private let opener: Thumbnailer
    private let measures: Measures

    /// Makes a pool whose decodes take together what the plan has for them, and are no more than `width` at a time; `tell`
    /// is told if they cannot be isolated as wanted.
    init(
        upTo width: Int, plan: MemoryPlan, options: ThumbnailOptions, isolation: Isolation, measures: Measures,
        tell: @escaping @Sendable (String) -> Void
    ) {
        let width = plan.decoders(of: width, isolation)
        self.width = width
        self.plan = plan
        self.measures = measures
        places = SharedBudget(width)
        memory = SharedBudget(plan.decodes)
        var options = options
        options.limits.memory = .max
        opener = Thumbnailer(options)
        options.limits.memory = plan.decodes
        let own = OwnPictures(thumbnailer: Thumbnailer(options))
        lanes = (0..<width).map { number in
            switch isolation {
            case .none: Lane(number: number, maker: own)
            case .workers(let executable): Lane(number: number, maker: WorkerPictures(executable, own, tell: tell))
            }
        }
        idle = Locked(lanes)
    }

    /// The processes that decode, as far as they stand ready.
    var workers: [Int32] { lanes.compactMap(\.process) }

    /// Makes the thumbnails of an item's open file; the token ends it between two rows, or while it waits for its turn.
    ///
    /// While it decodes, and not while it waits, the ledger knows: if the process ends then, the item may be the reason.
    /// One that may have been before is decoded alone, so that it is clear the second time.
    func thumbnails(
        of descriptor: Int32, for item: Item, isSuspect: Bool, in ledger: Ledger, token: Token,
        timing timings: inout Timings
    ) async throws(Failure) -> PictureResult {
        let share = isSuspect ? width : 1
        let queuedAt = ContinuousClock.now
        timings.queued = queuedAt
        try await wait(in: .decodeLine, for: places, share, token)
        timings[.queue] = ContinuousClock.now - queuedAt
        let lane = idle.withLock { $0.removeLast() }
        defer {
            idle.withLock { $0.append(lane) }
            places.giveBack(share)
        }
        // A run that is killed before the decode has begun is no fault of the picture's.
        await lane.prepare()
        return try await ledger.attempt(on: item) { () async throws(Failure) in
            let picture = try await lane.run { self.open(descriptor) }.get()
            let openAt = ContinuousClock.now
            try await wait(in: .memoryLine, for: memory, picture.memory, token)
            timings[.queue] += ContinuousClock.now - openAt
            defer { memory.giveBack(picture.memory) }
            let (result, times) = await measures.during(.decode) {
                await lane.thumbnails(of: picture, in: descriptor, token: token)
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

    private func open(_ descriptor: Int32) -> Result<OpenPicture, Failure> {
        do throws(ImagingError) {
            let picture = try opener.open(fileAt: descriptor)
            // One that takes more than all together may would wait for ever.
            return plan.refusal(ofDecodeTaking: picture.memory).map { .failure($0) } ?? .success(picture)
        } catch {
            return .failure(Failure(error))
        }
    }
}

/// The serial queue that one decode at a time works on: a thread of its own, where blocking harms nobody.
private struct Lane: Sendable {
    private let queue: DispatchQueue
    private let maker: any PictureMaking

    init(number: Int, maker: any PictureMaking) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
        self.maker = maker
    }

    var process: Int32? { maker.process }

    func prepare() async {
        await run { [maker] in maker.prepare() }
    }

    func thumbnails(
        of picture: OpenPicture, in descriptor: Int32, token: Token
    ) async -> (Result<PictureResult, Failure>, PictureTimes) {
        await run { [maker] in
            var times = PictureTimes()
            do throws(Failure) {
                return (
                    .success(try maker.thumbnails(of: picture, in: descriptor, token: token, timing: &times)), times
                )
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

extension Timings {
    /// Takes note of what the thumbnails took.
    mutating func note(_ times: PictureTimes) {
        self[.decode] = times.decode
        self[.resample] = times.resample
        self[.encode] = times.encode
    }
}
