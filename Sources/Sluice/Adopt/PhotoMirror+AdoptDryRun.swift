// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// The result of a dry run of adopting a folder.
public struct AdoptDryRunReport: Sendable, Hashable {
    /// The files, sorted by name, each with its verdict.
    public internal(set) var files: [FoundFile] = []
    /// The number of pages read.
    public internal(set) var pages = 0
    /// Why reading stopped before the end of the feed; `nil` if it did not.
    public internal(set) var failure: Failure?

    /// The number of files with each verdict, as text.
    package var summary: String { FoundFile.summary(of: files) }
}

extension PhotoMirror {
    /// Matches the files of a folder to photos, as a run that adopts it would, and changes nothing.
    ///
    /// Only files matched by hash are read; the others are matched by name alone. `stop(_:)` ends it
    /// early.
    public func dryRun(adopting files: String, walkingFeed: Bool) async throws(MirrorError) -> AdoptDryRunReport {
        try AdoptionSearch.checkFolder(files)
        let session = try session()
        var search = AdoptionSearch(in: files, choice: session.choice(options))
        var report = AdoptDryRunReport()
        if walkingFeed {
            let known = try KnownPhotos(in: folder, recordedSource, of: session.feedName)
            try await walk(session, known, &search, &report)
        } else {
            try await readLedger(of: session.feeds.names, &search)
        }
        report.files = await search.resolve().files
        return report
    }

    private func walk(
        _ session: FeedSession, _ known: KnownPhotos, _ search: inout AdoptionSearch, _ report: inout AdoptDryRunReport
    ) async throws(MirrorError) {
        let progress = DryRunProgress()
        var reader = PageReader(
            session.feeds, limits: session.limits, claims: UnrecordedClaims(), token: control.token,
            report: progress.record)
        var next = known.nextSeq
        do throws(Failure) {
            while let photos = try await reader.next() {
                for photo in photos where photo.invalidReason == nil {
                    let entry = try Failure.inLedger(known.entry(of: photo))
                    await search.add(photo, at: entry?.item.seq ?? next, entry?.receipt, in: known.store)
                    if entry == nil { next += 1 }
                }
            }
        } catch {
            reader.finish()
            if error.scope == .ledger { throw MirrorError(.damaged, error.detail, hint: error.hint) }
            if error.cause != .cancelled { report.failure = error }
        }
        reader.finish()
        report.failure = report.failure ?? reader.failure
        report.pages = progress.pages
    }

    private func readLedger(of feeds: [String], _ search: inout AdoptionSearch) async throws(MirrorError) {
        let mirror = try MirrorFolder.open(reading: folder)
        let own = TextSet(feeds)
        var batches = mirror.ledger.batches()
        while !control.token.isCancelled, let entries = try MirrorError.inLedger(batches.next()) {
            for entry in entries where entry.item.photo.invalidReason == nil && own.contains(entry.item.feed) {
                await search.add(entry.item.photo, at: entry.item.seq, entry.receipt, in: mirror.store)
            }
        }
        mirror.close()
    }
}

/// The photos of a source that are in the mirror's ledger; empty if the mirror does not exist yet.
private struct KnownPhotos {
    let store: (any Store)?
    /// The sequence number that a new photo would get.
    let nextSeq: Int
    private let ledger: Ledger?
    private let seqs: [Int: Int]

    init(in path: String, _ source: String, of feed: String) throws(MirrorError) {
        guard let found = try? Folder(path), (try? found.names().contains(MirrorFolder.marker)) == true else {
            (store, ledger, seqs, nextSeq) = (nil, nil, [:], 1)
            return
        }
        let mirror = try MirrorFolder.open(reading: path)
        let listed = try MirrorError.inLedger(mirror.ledger.itemsListed(by: source, of: feed))
        seqs = [Int: Int](listed.map { ($0.key, $0.seq) }) { first, _ in first }
        (store, ledger) = (mirror.store, mirror.ledger)
        nextSeq = (listed.last?.seq ?? 0) + 1
        mirror.close()
    }

    func entry(of photo: Photo) throws(LedgerError) -> LedgerEntry? {
        guard let seq = seqs[Ledger.key(of: photo)] else { return nil }
        return try ledger?.entry(at: seq)
    }
}

extension AdoptionSearch {
    /// Adds a photo with its receipt; it needs a file unless it is done and its original exists.
    fileprivate mutating func add(_ photo: Photo, at seq: Int, _ receipt: Receipt?, in store: (any Store)?) async {
        let original = receipt?.original
        let isPresent = original.map { store?.size(of: $0.path) == $0.bytes } ?? true
        await add(photo, at: seq, isWanted: receipt?.state != .done || !isPresent, earlier: original)
    }
}
