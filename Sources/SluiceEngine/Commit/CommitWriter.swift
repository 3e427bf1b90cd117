// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceFiles
package import SluiceLedger
package import SluiceModel
package import SluiceStore

/// Commits processed items in batches: it gives their files the final names durably, and then records receipts.
///
/// Items do not hold a slot while they wait. Their results are reported only after the commit, so a reported result is
/// durable.
package final class CommitWriter: Sendable {
    /// Called with an item's result after its commit, and with the reason to stop the run if the commit failed.
    typealias Completion = @Sendable (ItemOutcome, StopReason?) -> Void

    /// The longest time that a smaller batch waits for more items.
    private static let maximumDelay = Duration.seconds(1)
    /// Commits may take one part in this many of the time, unless batches are full.
    private static let timeShare = 20
    package static let batchSize = 64

    /// A class, because results are large and several steps of a commit select some of them.
    ///
    /// It is Sendable because one thread at a time uses it: the caller of the commit, and then the batch's writer.
    private final class PendingCommit: @unchecked Sendable {
        let item: Item
        var result: ProcessedItem
        let completion: Completion

        init(_ result: ProcessedItem, of item: Item, completion: @escaping Completion) {
            (self.result, self.item, self.completion) = (result, item, completion)
        }
    }

    private struct State {
        var pending: [PendingCommit] = []
        var batch = 0
        var delay = Duration.zero
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    package let store: any Store
    let ledger: Ledger
    private let durability: Durability
    /// A batch of this size is written immediately.
    private let batchSize: Int
    private let sharesContent: Bool
    private let believesDigests: Bool
    private let placementFailure: @Sendable (FileError) -> Failure
    private let metrics: RunMetrics
    private let state = Locked(State())
    /// The queues that write the batches in turn.
    private let queues: [DispatchQueue]

    /// Makes a writer.
    ///
    /// `believesDigests` says whether this process has computed the digests of the files; otherwise a file is hashed
    /// before it shares the storage of another one. `placementFailure` converts the error if a file cannot get its
    /// name.
    package init(
        in store: any Store, ledger: Ledger, durability: Durability, metrics: RunMetrics = RunMetrics(),
        batchSize: Int = batchSize, sharesContent: Bool = false, believesDigests: Bool = true,
        placementFailure: @escaping @Sendable (FileError) -> Failure = { Failure($0) }
    ) {
        (self.store, self.ledger, self.durability, self.batchSize) = (store, ledger, durability, batchSize)
        (self.sharesContent, self.believesDigests) = (sharesContent, believesDigests)
        (self.placementFailure, self.metrics) = (placementFailure, metrics)
        queues = (0..<store.concurrentCommits).map { DispatchQueue(label: "sluice.commits.\($0)") }
    }

    private func queue(of batch: Int) -> DispatchQueue { queues[batch % queues.count] }

    /// Queues a result for the next batch.
    ///
    /// Calls `completion` once, on one of the writer's queues, after the commit.
    func commit(_ result: ProcessedItem, of item: Item, completion: @escaping Completion) {
        metrics.enter(.awaitingCommit)
        let (batch, count, delay) = state.withLock { state in
            state.pending.append(PendingCommit(result, of: item, completion: completion))
            return (state.batch, state.pending.count, state.delay)
        }
        // A weak reference: if the batch has been written by then, the closure must not keep the ledger open.
        let queue = queue(of: batch)
        if count == 1 { queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in self?.write(batch) } }
        if count == batchSize { queue.async { self.write(batch) } }
    }

    /// Waits while four or more batches are pending, so that a slow disk slows the run instead of filling the memory.
    func waitForCapacity() async {
        await withCheckedContinuation { continuation in
            let hasCapacity = state.withLock { state in
                if state.pending.count < 4 * batchSize { return true }
                state.waiters.append(continuation)
                return false
            }
            if hasCapacity { continuation.resume() }
        }
    }

    /// Commits all pending results and returns after their completion handlers.
    func finish() async {
        let last = state.withLock { $0.batch }
        for batch in last..<last + queues.count {
            await withCheckedContinuation { continuation in
                queue(of: batch).async {
                    self.write(batch)
                    continuation.resume()
                }
            }
        }
    }

    /// Writes a batch unless it has been written already.
    private func write(_ batch: Int) {
        let (pending, waiters) = state.withLock { state -> ([PendingCommit], [CheckedContinuation<Void, Never>]) in
            guard state.batch == batch else { return ([], []) }
            state.batch += 1
            defer { (state.pending, state.waiters) = ([], []) }
            return (state.pending, state.waiters)
        }
        for continuation in waiters { continuation.resume() }
        guard !pending.isEmpty else { return }
        let start = ContinuousClock.now
        metrics.enter(.committing)
        commit(pending)
        metrics.leave(.committing)
        metrics.change(.awaitingCommit, by: -pending.count)
        let duration = ContinuousClock.now - start
        state.withLock { $0.delay = min(Self.maximumDelay, duration * (Self.timeShare - 1)) }
    }

    private func commit(_ batch: [PendingCommit]) {
        var stopReason: StopReason?
        var removals: [Intention] = []
        do {
            refuseForeignFiles(of: batch)
            try markInDoubt(batch)
            try placeFiles(of: batch)
            removals = try recordReceipts(of: batch)
        } catch {
            stopReason = StopReason(error)
            for commit in batch where commit.result.isRecorded {
                commit.result.fail(with: Failure(.disk, error.message, scope: .run, hint: error.hint))
            }
        }
        do throws(MirrorError) {
            if !removals.isEmpty { _ = try ledger.finish(removals, in: store) }
        } catch {
            stopReason = StopReason(error)
        }
        for commit in batch {
            for file in commit.result.files { store.discard(file) }
            commit.completion(commit.result.end, stopReason)
        }
    }

    /// Commits the files of all items together.
    private func placeFiles(of batch: [PendingCommit]) throws(MirrorError) {
        let recorded = batch.filter(\.result.isRecorded)
        if sharesContent, let sharing = store.sharing {
            let shared = try shareOriginals(of: recorded, by: sharing)
            for commit in recorded { commit.result.discardFiles(named: shared, in: store) }
        }
        let files = recorded.flatMap(\.result.files)
        let failures = try MirrorError.inMirror(store.commit(files, durability: durability))
        for commit in recorded {
            if let error = commit.result.settleFiles(failures) { commit.result.fail(with: placementFailure(error)) }
        }
    }

    /// Records the receipts; returns the intentions to remove the files that new ones replace.
    private func recordReceipts(of batch: [PendingCommit]) throws(MirrorError) -> [Intention] {
        let recorded = batch.filter(\.result.isRecorded)
        guard !recorded.isEmpty else { return [] }
        let receipts = recorded.map { (item: $0.item, receipt: $0.result.receipt) }
        let inDoubt = recorded.filter { $0.result.leavesFiles(in: store) }.map(\.item)
        let removals = recorded.flatMap { commit in
            commit.result.obsoleteFiles.map { Intention.removeFile($0, of: commit.item.seq) }
        }
        try MirrorError.inLedger(
            ledger.record(receipts, inDoubt: inDoubt, intending: removals, flushed: durability != .none))
        return removals
    }

    /// Fails items that would replace files without receipts.
    private func refuseForeignFiles(of batch: [PendingCommit]) {
        let sizes = store.sizes()
        for commit in batch where commit.result.isRecorded {
            guard let failure = replacementFailure(of: commit.result, sizes) else { continue }
            commit.result.fail(with: failure)
            for file in commit.result.files { store.discard(file) }
            commit.result.files = []
        }
    }

    /// Why an item must not replace the files with its names; `nil` if it may.
    private func replacementFailure(of result: ProcessedItem, _ sizes: any FileSizes) -> Failure? {
        do throws(FileError) {
            guard let name = try result.foreignFile(in: store, sizes) else { return nil }
            let detail = "cannot write \(name): a file that is not in the ledger has that name"
            return Failure(.policy, detail, hint: .rebuildLedger)
        } catch {
            // The file may be the item's own, which cannot be compared with it now.
            return Failure(.disk, error.description)
        }
    }

    /// Marks items whose files are about to get their names.
    ///
    /// Recording their receipts removes the mark. For new files it need not survive a power failure on its own: the
    /// flush of the files, which precedes their names, includes the ledger.
    private func markInDoubt(_ batch: [PendingCommit]) throws(MirrorError) {
        let placed = batch.filter { $0.result.isRecorded && !$0.result.files.isEmpty }
        guard !placed.isEmpty else { return }
        let isFlushed = durability == .each || durability == .batch && placed.contains(where: \.result.replacesFiles)
        try MirrorError.inLedger(ledger.markInDoubt(placed.map(\.item), flushed: isFlushed))
    }
}

// The process may end after a file was renamed and before its receipt was recorded. The file then differs from the one
// in the ledger, possibly with the same size, or the ledger has none.

extension CommitWriter {
    /// Verifies the files of an item whose commit was interrupted, and returns its claim without files that have
    /// changed or cannot be read.
    ///
    /// A claim that is not in doubt is returned as it is.
    package func verified(_ claim: Claim) -> Claim {
        guard claim.isInDoubt, claim.receipt != nil else { return claim }
        let check = FileCheck(in: store, token: CancellationToken())
        let expected = ExpectedFile.all(of: LedgerEntry(item: claim.item, receipt: claim.receipt))
        let changed = TextSet(expected.compactMap(check.fault(of:)).filter { $0.kind != .missing }.map(\.path))
        var claim = claim
        if let path = claim.receipt?.original?.path, changed.contains(path) { claim.receipt?.original = nil }
        if let path = claim.receipt?.sidecar?.path, changed.contains(path) { claim.receipt?.sidecar = nil }
        claim.receipt?.thumbs.removeAll { changed.contains($0.file.path) }
        return claim
    }
}

// Originals with identical bytes are stored once. This happens before an original gets its final name, so that the file
// under a name never changes.

extension CommitWriter {
    /// Makes originals share the storage of identical ones in this batch or from earlier runs.
    ///
    /// An original that cannot be shared stays a separate file, which only costs space. Returns the names that already
    /// refer to the shared file: two names of one file cannot be renamed to each other.
    private func shareOriginals(
        of batch: [PendingCommit], by sharing: any ContentSharing
    ) throws(MirrorError) -> TextSet {
        var shared: TextSet = []
        // The staged originals of this batch by checksum.
        var staged: TextMap<String> = [:]
        let originals = batch.compactMap { commit -> (seq: Int, original: StoredFile, file: StagedFile)? in
            guard commit.result.receipt.state == .done, let original = commit.result.receipt.original,
                let file = commit.result.files.first(where: { $0.name === original.path })
            else { return nil }
            return (commit.item.seq, original, file)
        }
        let earlier = try MirrorError.inLedger(
            ledger.paths(ofContents: originals.map { ($0.original.sha256, besides: $0.seq) }))
        for ((_, original, file), earlier) in zip(originals, earlier) {
            let first = staged[original.sha256] ?? earlier.flatMap { contains(original, at: $0) ? $0 : nil }
            if let first, sharing.areSameFile(first, original.path) {
                shared.insert(original.path)
                continue
            }
            guard believesDigests || first == nil || contains(original, at: file.content) else { continue }
            if let first, !believesDigests, !contains(original, at: first) { continue }
            staged[original.sha256] = file.content
            guard let first else { continue }
            _ = try? sharing.shareContent(
                of: first, with: file.content, temporary: "\(file.temporary)-same", flushed: false)
        }
        return shared
    }

    /// Whether the file at `path` still has the original's bytes.
    private func contains(_ original: StoredFile, at path: String) -> Bool {
        (try? store.contains(StoredFile(path: path, bytes: original.bytes, sha256: original.sha256))) ?? false
    }
}
