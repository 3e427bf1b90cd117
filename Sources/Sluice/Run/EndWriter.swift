// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

/// Makes what items ended with safe, many at a time: their files' bytes, then their names, then their receipts.
///
/// An item's slot is free meanwhile. Nobody is told of an end before it is safe: what was told is done stays done.
final class EndWriter: Sendable {
    /// Told of an end once it is safe, and of what stops the run if it could not be made so.
    typealias Told = @Sendable (End, StopReason?) -> Void

    /// So many are written at once, without waiting for more.
    private static let most = 64
    /// Nobody waits longer for others to come.
    private static let longestPause = Duration.seconds(1)
    /// Writing may take one part of the time in so many, where there is no hurry.
    private static let share = 20

    private struct Ending: Sendable {
        let item: Item
        var outcome: Outcome
        let told: Told
    }

    private struct State {
        var waiting: [Ending] = []
        /// The number of the batch that waits.
        var batch = 0
        var pause = Duration.zero
        var forRoom: [CheckedContinuation<Void, Never>] = []
    }

    let folder: Folder
    let ledger: Ledger
    private let durability: Durability
    private let sharesContent: Bool
    private let verdict: @Sendable (FileError) -> Failure
    private let measures: Measures
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "sluice.ends")

    /// Makes a writer; `verdict` says what it means for an item that a file of its own could not get its name.
    init(
        in folder: Folder, ledger: Ledger, durability: Durability, measures: Measures = Measures(),
        sharesContent: Bool = false,
        verdict: @escaping @Sendable (FileError) -> Failure = { Failure($0) }
    ) {
        self.folder = folder
        self.ledger = ledger
        self.durability = durability
        self.sharesContent = sharesContent
        self.verdict = verdict
        self.measures = measures
    }

    /// Takes an item's outcome; `told` is called once, when it is safe, on the writer's queue.
    func add(_ outcome: Outcome, of item: Item, told: @escaping Told) {
        measures.enter(.ends)
        let (batch, count, pause) = state.withLock { state in
            state.waiting.append(Ending(item: item, outcome: outcome, told: told))
            return (state.batch, state.waiting.count, state.pause)
        }
        // Weakly: for a batch that is written by then, nobody must hold the ledger open.
        if count == 1 { queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.write(batch) } }
        if count == Self.most { queue.async { self.write(batch) } }
    }

    /// Waits while so many wait that more would only fill the memory: a slow disk slows the run.
    func room() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.waiting.count < 4 * Self.most { return true }
                state.forRoom.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// Writes at once what waits, and returns when everybody was told.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.write(self.state.withLock { $0.batch })
                continuation.resume()
            }
        }
    }

    /// Writes a batch, unless that is done already.
    private func write(_ batch: Int) {
        let (endings, forRoom) = state.withLock { state -> ([Ending], [CheckedContinuation<Void, Never>]) in
            guard state.batch == batch else { return ([], []) }
            state.batch += 1
            defer { (state.waiting, state.forRoom) = ([], []) }
            return (state.waiting, state.forRoom)
        }
        for continuation in forRoom { continuation.resume() }
        guard !endings.isEmpty else { return }
        let start = ContinuousClock.now
        measures.enter(.writer)
        makeSafe(endings)
        measures.leave(.writer)
        measures.change(.ends, by: -endings.count)
        let took = ContinuousClock.now - start
        state.withLock { $0.pause = min(Self.longestPause, took * (Self.share - 1)) }
    }

    private func makeSafe(_ all: [Ending]) {
        var endings = all
        var trouble: StopReason?
        do {
            let replacing = endings.filter { $0.outcome.isReplacing && !$0.outcome.isUntold }.map(\.item)
            try doubt(replacing, flushed: durability != .none)
            try place(&endings)
            try keepReceipts(of: endings)
        } catch {
            trouble = StopReason(error)
            for index in endings.indices where !endings[index].outcome.isUntold {
                endings[index].outcome.fail(with: Failure(.disk, error.message))
            }
        }
        for ending in endings {
            for file in ending.outcome.files { try? folder.remove(file.temporary) }
            ending.told(ending.outcome.end, trouble)
        }
    }

    /// Gives the files their names, once the bytes of all are safe.
    private func place(_ endings: inout [Ending]) throws(MirrorError) {
        let wanted = endings.indices.filter { !endings[$0].outcome.isUntold }
        if sharesContent {
            let standing = try share(wanted.map { (endings[$0].item.seq, endings[$0].outcome) })
            for index in wanted { endings[index].outcome.leave(standing, in: folder) }
        }
        if durability == .batch { try MirrorError.onDisk(folder.flush(wanted.flatMap { endings[$0].outcome.files })) }
        var placed: [StagedFile] = []
        for index in wanted {
            let files = endings[index].outcome.files
            do throws(FileError) {
                try endings[index].outcome.place(in: folder)
            } catch {
                endings[index].outcome.fail(with: verdict(error))
            }
            placed += files.dropLast(endings[index].outcome.files.count)
        }
        if durability != .none { try MirrorError.onDisk(folder.flushNames(of: placed)) }
        for index in wanted where endings[index].outcome.files.isEmpty {
            for name in endings[index].outcome.replaced { try MirrorError.onDisk(folder.remove(name)) }
        }
    }

    private func keepReceipts(of endings: [Ending]) throws(MirrorError) {
        let ends = endings.filter { !$0.outcome.isUntold }.map { (item: $0.item, receipt: $0.outcome.receipt) }
        guard !ends.isEmpty else { return }
        try MirrorError.inLedger(ledger.record(ends, flushed: durability != .none))
    }
}
