// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// The SQLite file that knows every item's state, and from which everything else in a mirror can be rebuilt.
///
/// One process writes to it at a time, under the mirror's lock; any number of threads of that process may call it.
/// What a method says it wrote outlives the process, however it ends; receipts outlive a power cut too, so record a
/// receipt only once its files stand and are flushed.
public final class Ledger: Sendable {
    /// Where it lies below the mirror's folder.
    public static let name = ".sluice/ledger.sqlite"

    let connection: OpenConnection
    private let queue = Locked(WriteBatch())

    /// Opens the mirror's ledger, or makes it.
    public init(in folder: Folder) throws(LedgerError) {
        let path: String
        do throws(FileError) {
            try folder.makeFolder(".sluice")
            path = try folder.resolvedPath() + "/" + Self.name
        } catch {
            let code: LedgerError.Code = error.isDiskFull ? .diskFull : .disk
            throw LedgerError(code: code, number: 0, reason: error.description, path: folder.full(Self.name))
        }
        connection = try OpenConnection(path)
    }

    /// Opens the ledger of a mirror that cannot be written to, to read in alone; whoever calls what writes meets an error.
    public init(reading folder: Folder) throws(LedgerError) {
        let path: String
        do throws(FileError) {
            path = try folder.resolvedPath() + "/" + Self.name
        } catch {
            throw LedgerError(code: .disk, number: 0, reason: error.description, path: folder.full(Self.name))
        }
        // What a run that was ended by force had written last stands beside the file.
        let isWhole = folder.size(of: Self.name + "-wal") ?? 0 == 0
        do throws(LedgerError) {
            connection = try OpenConnection(path, access: isWhole ? .unchanging : .reading)
        } catch {
            guard !isWhole, error.code == .disk else { throw error }
            var error = error
            error.reason = """
                its last run was ended by force, and what that wrote last can only be read where it can be written: copy \
                the mirror there
                """
            throw error
        }
    }

    /// Closes it before the mirror is given back; whoever calls it from then on meets an error.
    public func close() { connection.close() }

    /// Writes down that a run begins.
    ///
    /// `options` is a fingerprint of all that decides what the files will be, `walk` of all that decides what the pages
    /// have on them; `words` are those of the user's command.
    public func beginRun(
        source: String, feed: String, options: String, walk: String = "", words: [String] = [], startedAt: Int
    ) throws(LedgerError) -> LedgerRun {
        try connection.withLock { (connection) throws(LedgerError) in
            let values = [
                SQLValue.text(source), .text(feed), .text(options), .integer(startedAt), .text(walk),
                .text(StoredLists.text(of: words)),
            ]
            let id = try connection.transaction(flushed: false) { () throws(LedgerError) in
                try connection.runs.begin(values)
            }
            return LedgerRun(id: id, feed: feed)
        }
    }

    /// Writes down how a run ended and what it had of each host, and folds the write-ahead log back into the file.
    public func endRun(
        _ run: LedgerRun, summary: Summary, hosts: [String: HostCounts] = [:], endedAt: Int
    ) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                try connection.runs.end(run, summary: summary, endedAt: endedAt)
                for (host, counts) in hosts { try connection.runs.keep(counts, of: host, in: run) }
            }
            try connection.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// What a run had of each host, if it came to its end.
    public func hosts(of run: LedgerRun) throws(LedgerError) -> [String: HostCounts] {
        try connection.withLock { (connection) throws(LedgerError) in try connection.runs.hosts(of: run) }
    }

    /// Writes down a page and its photos, makes an item of each, and claims it.
    ///
    /// A photo that an earlier run knew keeps its place in the mirror; what is known of it is refreshed. One that this
    /// run has listed before, on this page or another, makes no second item: the first counts, and `note` is told of one
    /// that has other addresses. New ones get their names by `naming`, if they are to have any.
    public func claim(
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
                        claim.name = try connection.names.give(claim.item, by: naming)
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

    /// Claims the items in those places; those that are not in the mirror are passed over.
    public func claim(places: some Sequence<Int>) throws(LedgerError) -> [Claim] {
        let places = Array(places)
        return try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                var claims: [Claim] = []
                for seq in places {
                    if let claim = try connection.claim(seq) { claims.append(claim) }
                }
                return claims
            }
        }
    }

    /// Counts an attempt before it is made, so that one that kills the process is not made for ever.
    public func beginAttempt(on item: Item) throws(LedgerError) {
        try write([.attempt(item.seq)], flushed: false)
    }

    /// Takes back all attempts on an item whose decode has come to an end, however that was.
    ///
    /// A receipt alone does not: the item may have failed before its decode, and is what it was.
    public func endAttempt(on item: Item) throws(LedgerError) {
        try write([.endOfAttempt(item.seq)], flushed: false)
    }

    /// Notes that the items' files are about to be replaced, and may not be what their receipts tell until there are new
    /// ones; with `flushed` not even a power cut takes that back.
    public func doubt(_ items: [Item], flushed: Bool) throws(LedgerError) {
        try write(items.map { .doubt($0.seq) }, flushed: flushed)
    }

    /// Takes a doubt back: the files are what the receipt tells.
    public func endDoubt(of item: Item) throws(LedgerError) {
        try write([.endOfDoubt(item.seq)], flushed: false)
    }

    /// Keeps the item's end; it is safe on the disk when this returns.
    ///
    /// Calls that come at the same time share one flush.
    public func record(_ receipt: Receipt, for item: Item) throws(LedgerError) {
        try record([(item, receipt)])
    }

    /// Keeps the ends of many items together: all of them, or none.
    ///
    /// Without `flushed` they outlive the process, and not a power cut.
    public func record(_ ends: [(item: Item, receipt: Receipt)], flushed: Bool = true) throws(LedgerError) {
        try write(ends.map { .receipt($0.item.seq, $0.receipt) }, flushed: flushed)
    }

    /// Puts items and receipts in their places, as a lost ledger had them; nobody else may have those places.
    public func restore(_ entries: [Entry], in run: LedgerRun) throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: false) { () throws(LedgerError) in
                for entry in entries {
                    try connection.items.restore(entry.item, in: run)
                    if let receipt = entry.receipt { try connection.receipts.record(receipt, entry.item.seq) }
                    // Or a new photo might be given the name of a file that stands.
                    if let name = Self.name(in: entry.receipt) { try connection.names.keep(name, of: entry.item.seq) }
                }
            }
        }
    }

    /// Calls `body` with every item of the mirror and its receipt, in the order of their places.
    ///
    /// Memory stays flat, and `body` may call the ledger.
    public func forEachEntry(_ body: (Entry) throws -> Void) throws {
        var last = 0
        while true {
            let entries = try entries(after: last, limit: 256)
            guard let end = entries.last else { return }
            last = end.item.seq
            for entry in entries { try body(entry) }
        }
    }

    /// How many items there are in each state, and how many have no end yet.
    public func counts() throws(LedgerError) -> ItemCounts {
        try connection.withLock { (connection) throws(LedgerError) in
            let counts = try connection.receipts.counts()
            let all = try connection.database.integer("SELECT count(*) FROM listings")
            return ItemCounts(
                done: counts[.done] ?? 0, skipped: counts[.skipped] ?? 0, failed: counts[.failed] ?? 0,
                waiting: all - counts.values.reduce(0, +))
        }
    }

    /// Reads the whole file and throws if anything in it contradicts itself; takes as long as reading it takes.
    public func checkIntegrity() throws(LedgerError) {
        try connection.withLock { (connection) throws(LedgerError) in try connection.checkIntegrity() }
    }

    /// Up to `limit` items with their receipts, in the order of their places, from the one behind `seq` on.
    public func entries(after seq: Int, limit: Int) throws(LedgerError) -> [Entry] {
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.entries(after: seq, limit: limit)
        }
    }

    /// Puts the writes into the batch that is being gathered, and sees that this is written: by whoever comes first.
    private func write(_ writes: [Write], flushed: Bool) throws(LedgerError) {
        let batch = queue.withLock { batch in
            batch.add(writes, flushed: flushed)
            return batch
        }
        try connection.withLock { (connection) throws(LedgerError) in
            if !batch.isWritten {
                // From here on nobody adds to it.
                queue.withLock { $0 = WriteBatch() }
                batch.write(to: connection)
            }
            try batch.result()
        }
    }
}
