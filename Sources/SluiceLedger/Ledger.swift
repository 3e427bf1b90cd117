// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// The SQLite database with the state of every item; the rest of a mirror can be rebuilt from it.
///
/// One process at a time writes to it, under the mirror's lock. Any number of its threads may call the methods. When a
/// method returns, its writes survive a crash of the process. Receipts also survive a power failure, so record a
/// receipt only after its files are renamed and flushed.
package final class Ledger: Sendable {
    /// The ledger's path relative to the mirror.
    package static let name = ".sluice/ledger.sqlite"

    let connection: LockedConnection
    private let currentBatch = Locked(WriteBatch())

    /// Opens the mirror's ledger, and applies the marks that wait for it.
    ///
    /// With `creates` it is created if it does not exist or is empty.
    package init(in folder: Folder, creates: Bool = true) throws(LedgerError) {
        let path: String
        do throws(FileError) {
            try folder.makeFolder(".sluice")
            path = try folder.resolvedPath() + "/" + Self.name
        } catch {
            let code: LedgerError.Code = error.isDiskFull ? .diskFull : .disk
            throw LedgerError(code: code, number: 0, reason: error.description, path: folder.fullPath(of: Self.name))
        }
        connection = try LockedConnection(path, access: creates ? .creating : .writing)
        _ = try apply(MarkJournal(in: folder))
    }

    /// Opens the ledger of a read-only mirror, or one that was kept under another name; methods that write then throw.
    package init(reading folder: Folder, named name: String = Ledger.name) throws(LedgerError) {
        let path: String
        do throws(FileError) {
            path = try folder.resolvedPath() + "/" + name
        } catch {
            throw LedgerError(code: .disk, number: 0, reason: error.description, path: folder.fullPath(of: name))
        }
        // A killed run leaves its last writes in a separate file, the write-ahead log.
        let isWhole = folder.size(of: name + "-wal") ?? 0 == 0
        do throws(LedgerError) {
            connection = try LockedConnection(path, access: isWhole ? .unchanging : .reading)
        } catch {
            guard !isWhole, error.code == .disk else { throw error }
            var error = error
            error.reason = """
                the last run was killed, and reading its last writes requires write access; copy the mirror to a writable \
                folder
                """
            throw error
        }
    }

    /// Closes the ledger before the mirror's lock is released; later calls throw.
    package func close() { connection.close() }

    /// Records a page and claims an item for each of its photos.
    ///
    /// - A photo of an earlier run keeps its position in the mirror, and its facts are updated.
    /// - A photo that this run has already listed is not claimed again; `note` is called if its addresses differ.
    /// - A new photo gets a file name from the template, if there is one.
    package func claim(
        _ page: Page, in run: LedgerRun, naming: NameTemplate? = nil, noting note: (Photo) -> Void = { _ in }
    ) throws(LedgerError) -> [Claim] {
        let found = try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.runs.list(page, in: run)
                var found = (claims: [Claim](), others: [Photo]())
                found.claims.reserveCapacity(page.photos.count)
                var claims = PageClaims(page, in: run, items: connection.items)
                for photo in page.photos {
                    let new = try claims.claim(photo) { found.others.append($0) }
                    guard var claim = new?.claim else { continue }
                    if let naming, new?.isNew == true {
                        claim.name = try connection.fileNames.assignName(to: claim.item, by: naming)
                    }
                    found.claims.append(claim)
                }
                try claims.finish()
                return found
            }
        }
        found.others.forEach(note)
        return found.claims
    }

    /// Claims the items at the given positions; positions without an item are skipped.
    package func claim(positions: some Sequence<Int>) throws(LedgerError) -> [Claim] {
        let positions = Array(positions)
        return try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                var claims: [Claim] = []
                for seq in positions {
                    if let claim = try connection.claim(seq) { claims.append(claim) }
                }
                return claims
            }
        }
    }

    /// Replaces the facts of an item's photo until its feed states others.
    package func updateFacts(of item: Item) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.items.refresh(item.photo, ofFeed: item.feed)
        }
    }

    /// Counts a crash of the decoder for each of these positions, so that an item that crashes it is not retried
    /// forever.
    ///
    /// Positions without an item are skipped.
    package func recordCrashes(of positions: some Sequence<Int>) throws(LedgerError) {
        try write(positions.map { .crash($0) }, flushed: false)
    }

    /// Resets the crashes of an item after a decode that did not crash, whether it succeeded or not.
    ///
    /// Recording a receipt does not reset them, because the item may have failed before its decode.
    package func clearCrashes(of item: Item) throws(LedgerError) {
        try write([.clearedCrashes(item.seq)], flushed: false)
    }

    /// Marks items as in doubt before their files are written or replaced.
    ///
    /// Until new receipts are recorded, the files may not match the receipts. With `flushed` the mark survives a power
    /// failure.
    package func markInDoubt(_ items: [Item], flushed: Bool) throws(LedgerError) {
        try write(items.map { .doubt($0.seq) }, flushed: flushed)
    }

    /// Clears the mark after the files were found to match the receipt.
    package func clearDoubt(about item: Item) throws(LedgerError) {
        try write([.clearedDoubt(item.seq)], flushed: false)
    }

    /// Records the item's receipt durably.
    ///
    /// Concurrent calls share one flush.
    package func record(_ receipt: Receipt, for item: Item) throws(LedgerError) {
        try record([(item, receipt)])
    }

    /// Records the receipts of many items in one transaction.
    ///
    /// Without `flushed` they survive a crash of the process, but not a power failure. Recording a receipt ends an
    /// item's doubt, except for the items in `inDoubt`, which have files that the receipt omits.
    package func record(
        _ receipts: [(item: Item, receipt: Receipt)], inDoubt: [Item] = [], intending intentions: [Intention] = [],
        flushed: Bool = true
    ) throws(LedgerError) {
        try write(
            receipts.map { .receipt($0.item.seq, $0.receipt) } + inDoubt.map { .doubt($0.seq) }
                + intentions.map { .intention($0) }, flushed: flushed)
    }

    /// Inserts items and receipts from a lost ledger at their positions, which must be free.
    package func restore(_ entries: [LedgerEntry], in run: LedgerRun) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                for entry in entries {
                    try connection.items.restore(entry.item, in: run)
                    if let receipt = entry.receipt { try connection.receipts.record(receipt, entry.item.seq) }
                    // Reserves the name, so that a new photo cannot get the name of an existing file.
                    if let name = Self.name(in: entry.receipt) {
                        try connection.fileNames.reserve(name, for: entry.item.seq)
                    }
                }
            }
        }
    }

    /// Calls `body` with every item of the mirror and its receipt, ordered by position.
    ///
    /// It reads in batches, so memory use is constant and `body` may call the ledger.
    package func forEachEntry(_ body: (LedgerEntry) throws -> Void) throws {
        var batches = batches()
        while let entries = try batches.next() {
            for entry in entries { try body(entry) }
        }
    }

    /// Returns the number of items in each state.
    package func counts() throws(LedgerError) -> ItemCounts {
        try connection.withLock { (connection) throws(LedgerError) in
            let counts = try connection.receipts.counts()
            let all = try connection.database.count("SELECT count(*) FROM listings")
            return ItemCounts(
                done: counts[.done] ?? 0, skipped: counts[.skipped] ?? 0, failed: counts[.failed] ?? 0,
                waiting: all - counts.values.reduce(0, +))
        }
    }

    /// Whether the mirror has a ledger without damage, all of whose rows can be read.
    package static func isIntact(in folder: Folder) -> Bool {
        guard folder.size(of: name) ?? 0 > 0, let ledger = try? Ledger(reading: folder) else { return false }
        defer { ledger.close() }
        do {
            try ledger.checkIntegrity()
            _ = try (ledger.counts(), ledger.intentions(), ledger.runs())
            try ledger.forEachEntry { _ in }
            return true
        } catch { return false }
    }

    /// Reads the whole file and throws if it is inconsistent.
    package func checkIntegrity() throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in try connection.checkIntegrity() }
    }

    /// Returns up to `limit` items with their receipts after the position `seq`, in order.
    package func entries(after seq: Int, limit: Int) throws(LedgerError) -> [LedgerEntry] {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.entries(after: seq, limit: limit)
        }
    }

    /// Adds writes to the current batch and waits until the batch is written, by this thread or another one.
    func write(_ writes: [PendingWrite], flushed: Bool) throws(LedgerError) {
        let batch = currentBatch.withLock { batch in
            batch.add(writes, flushed: flushed)
            return batch
        }
        try connection.withLock { (connection) throws(LedgerError) in
            if !batch.isWritten {
                // Starts a new batch; no thread adds to this one any more.
                currentBatch.withLock { $0 = WriteBatch() }
                batch.write(to: connection)
            }
            try batch.result()
        }
    }
}

/// The number of a mirror's items in each state.
package struct ItemCounts: Sendable, Hashable {
    /// Items whose files are complete.
    package var done: Int
    /// Items left out on purpose.
    package var skipped: Int
    package var failed: Int
    package var waiting: Int

    package init(done: Int, skipped: Int, failed: Int, waiting: Int) {
        (self.done, self.skipped, self.failed, self.waiting) = (done, skipped, failed, waiting)
    }
}

// A rebuilt ledger replaces the mirror's. It gets a name of its own first, which is the intention to do so.

extension Ledger {
    static let rebuilt = "\(name)-rebuilt"

    /// Whether a killed rebuild has left a complete ledger that has not replaced the mirror's.
    package static func isRebuilt(in folder: Folder) -> Bool { folder.size(of: rebuilt) != nil }

    /// Replaces the mirror's ledger by the complete one at `path`, and keeps the old one with the time in its name.
    package static func replace(in folder: Folder, byRebuilt path: String) throws(FileError) {
        try folder.rename(path, to: rebuilt)
        try folder.flushNames(of: [rebuilt])
        try finishRebuild(in: folder)
    }

    /// Ends the replacement that a killed rebuild has begun.
    package static func finishRebuild(in folder: Folder) throws(FileError) {
        guard let time = folder.modificationTime(of: rebuilt) else { return }
        for suffix in ["", "-wal"] where folder.size(of: name + suffix) != nil {
            try folder.rename(name + suffix, to: "\(name).\(time)\(suffix)")
        }
        try folder.remove(name + "-shm")
        try folder.rename(rebuilt, to: name)
        try folder.flushNames(of: [name])
    }

    /// Removes the ledger of a killed rebuild, which another rebuild replaces.
    package static func removeRebuilt(in folder: Folder) throws(FileError) { try folder.remove(rebuilt) }
}
