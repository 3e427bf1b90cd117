// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

extension PhotoMirror {
    /// Rewrites the gallery and the manifest of the mirror in `folder` from its ledger.
    ///
    /// Later runs keep the appearance given here. `withParquet` adds `manifest.parquet`, which later runs keep current.
    public static func rebuild(
        _ folder: String, appearance: GalleryAppearance = GalleryAppearance(), withParquet: Bool = false,
        buckets: S3Options = S3Options()
    ) throws(MirrorError) -> RebuildReport {
        let mirror = try MirrorFolder.open(folder, buckets: buckets, completesOutput: false)
        try mirror.removeLeftovers()
        try mirror.save(appearance)
        try mirror.writeOutput(withParquet: withParquet)
        let counts = try MirrorError.inLedger(mirror.ledger.counts())
        try mirror.endSession()
        mirror.close()
        return RebuildReport(
            items: counts.done + counts.skipped + counts.failed + counts.waiting, done: counts.done,
            failed: counts.failed)
    }

    /// Removes the temporary files of a killed run from the mirror in `folder`, and rewrites an outdated gallery and
    /// manifest.
    public static func complete(_ folder: String, buckets: S3Options = S3Options()) throws(MirrorError) {
        let mirror = try MirrorFolder.open(folder, buckets: buckets)
        try mirror.completeOutput()
        try mirror.endSession()
        mirror.close()
    }

    /// Recreates the ledger of the mirror in `folder` from `manifest.jsonl` and the files, then rebuilds the rest.
    ///
    /// Keeps the old ledger under another name. A photo is done if its file matches the manifest's checksum. The next
    /// run downloads the others, and remakes the thumbnails whose options are unknown. The recorded runs, and the
    /// details of failures, come from the old ledger if it is readable.
    ///
    /// Refuses to replace an intact ledger, which knows more than the manifest, unless `isForced` is set.
    public static func rebuildLedger(
        _ folder: String, appearance: GalleryAppearance = GalleryAppearance(), withParquet: Bool = false,
        isForced: Bool = false
    ) throws(MirrorError) -> RebuildReport {
        let mirror = try MirrorFolder.find(folder)
        // The manifest may list photos that a killed command has withdrawn, which only the old ledger knows.
        if let old = try? Ledger(reading: mirror), (try? old.intentions())?.isEmpty == false {
            old.close()
            try? MirrorFolder.open(folder).close()
        }
        let lock = try MirrorFolder.lock(mirror)
        if !isForced, Ledger.isIntact(in: mirror) {
            throw MirrorError(.usage, "cannot rebuild the ledger of '\(folder)': it is intact", hint: .forceRebuild)
        }
        let lost = try LedgerRebuilding(in: mirror).run()
        lock.release()
        var report = try rebuild(folder, appearance: appearance, withParquet: withParquet)
        report.lost = lost
        return report
    }
}

/// The result of rebuilding a mirror's gallery, manifest or ledger.
public struct RebuildReport: Sendable, Hashable {
    /// The number of items in the ledger.
    public var items: Int
    /// The number of items that are done.
    public var done: Int
    /// The number of items that failed.
    public var failed: Int
    /// After rebuilding the ledger: the number of photos whose files do not match the manifest.
    public var lost = 0

    package init(items: Int, done: Int, failed: Int) {
        (self.items, self.done, self.failed) = (items, done, failed)
    }
}

/// Recreates a ledger from the manifest.
private struct LedgerRebuilding {
    /// The folder of the unfinished ledger, below the mirror's folder.
    private static let temporaryFolder = ".sluice/rebuilding"
    private static let batch = 1000

    let folder: Folder
    let store: any Store

    init(in folder: Folder) {
        self.folder = folder
        store = LocalStore(folder)
    }

    /// Replaces the ledger; returns the number of photos whose files do not match the manifest.
    func run() throws(MirrorError) -> Int {
        guard store.size(of: ManifestWriter.names[0]) != nil else {
            throw MirrorError(
                .damaged,
                "cannot rebuild the ledger: '\(store.location)' has no \(ManifestWriter.names[0]); "
                    + "mirror the feed again into an empty folder")
        }
        try removeLedger(below: Self.temporaryFolder)
        try MirrorError.onDisk(Ledger.removeRebuilt(in: folder))
        let lost: Int
        do throws(MirrorError) {
            lost = try fill(try MirrorError.onDisk(folder.folder(Self.temporaryFolder, create: true)))
        } catch {
            try? removeLedger(below: Self.temporaryFolder)
            throw error
        }
        try MirrorError.onDisk(
            Ledger.replace(in: folder, byRebuilt: "\(Self.temporaryFolder)/\(Ledger.name)"))
        return lost
    }

    /// Creates and fills a new ledger, and closes it.
    private func fill(_ temporaryFolder: Folder) throws(MirrorError) -> Int {
        var manifest = try MirrorError.onDisk(ManifestReader(in: store))
        var old = try OldLedger(in: folder)
        defer { old.close() }
        let ledger = try MirrorError.inLedger(Ledger(in: temporaryFolder))
        let (source, now) = (ManifestWriter.names[0], Machine.secondsSince1970)
        let run = try MirrorError.inLedger(ledger.beginRun(source: source, feed: "", options: "", startedAt: now))
        // After the run of the rebuild, so that the last run is the one that the next command continues.
        for past in try old.runs() { try MirrorError.inLedger(ledger.restore(past)) }
        var lost = 0
        while true {
            var entries: [LedgerEntry] = []
            var changed: [Item] = []
            while entries.count < Self.batch, var entry = try MirrorError.onDisk(manifest.next()) {
                if let failure = try old.failure(of: entry) { entry.receipt?.failure = failure }
                let checked = try checked(entry, lost: &lost)
                // The next run may replace files that no longer match the manifest.
                if checked != entry { changed.append(entry.item) }
                entries.append(checked)
            }
            if entries.isEmpty { break }
            try MirrorError.inLedger(ledger.restore(entries, in: run))
            try MirrorError.inLedger(ledger.markInDoubt(changed, flushed: false))
        }
        try MirrorError.inLedger(ledger.endRun(run, summary: Summary(), endedAt: Machine.secondsSince1970))
        return lost + manifest.unreadable
    }

    /// Checks an entry's files: removes missing thumbnails, and the receipt if the original does not match it.
    ///
    /// Throws if a file cannot be read, because the new ledger would lose a photo that may be intact.
    private func checked(_ entry: LedgerEntry, lost: inout Int) throws(MirrorError) -> LedgerEntry {
        guard let receipt = entry.receipt, receipt.state == .done else { return entry }
        var entry = entry
        var thumbs: [Thumb] = []
        for thumb in receipt.thumbs where try contains(thumb.file) { thumbs.append(thumb) }
        entry.receipt?.thumbs = thumbs
        if let sidecar = receipt.sidecar, try !contains(sidecar) { entry.receipt?.sidecar = nil }
        let isIntact = try receipt.original.map(contains) ?? (thumbs.count == receipt.thumbs.count)
        if !isIntact {
            entry.receipt = nil
            lost += 1
        }
        return entry
    }

    private func contains(_ file: StoredFile) throws(MirrorError) -> Bool {
        do throws(FileError) {
            return try store.contains(file)
        } catch {
            throw MirrorError(.local, "cannot rebuild the ledger: \(error)", hint: .removeUnreadableFile)
        }
    }

    /// Removes the files of an interrupted rebuild.
    private func removeLedger(below path: String) throws(MirrorError) {
        for suffix in ["", "-wal", "-shm"] where folder.size(of: "\(path)/\(Ledger.name)\(suffix)") != nil {
            try MirrorError.onDisk(folder.remove("\(path)/\(Ledger.name)\(suffix)"))
        }
    }
}

/// Reads the facts that the manifest lacks from the old ledger, until a read fails.
///
/// The manifest has the causes of all failures, but only those details that are the same in every run.
private struct OldLedger {
    private let folder: Folder
    /// The old ledger; `nil` if it is lost or damaged.
    private var ledger: Ledger?

    init(in folder: Folder) throws(MirrorError) {
        self.folder = folder
        do throws(LedgerError) {
            ledger = try Ledger(reading: folder, named: Self.name(in: folder))
        } catch {
            try giveUp(because: error)
        }
    }

    /// Returns the ledger's name; if there is none, the name of the one that the last rebuild renamed.
    ///
    /// A rebuild that was killed may have left only that.
    private static func name(in folder: Folder) -> String {
        guard folder.size(of: Ledger.name) == nil, let names = try? folder.names(in: MirrorFolder.marker) else {
            return Ledger.name
        }
        let prefix = "\(Ledger.name)."
        let times = names.map { "\(MirrorFolder.marker)/\($0)" }.filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count))?.within(Quantity.range) }
        return times.max().map { "\(prefix)\($0)" } ?? Ledger.name
    }

    /// Returns the recorded runs of commands.
    mutating func runs() throws(MirrorError) -> [PastRun] {
        do throws(LedgerError) {
            return try (ledger?.runs() ?? []).filter { !$0.words.isEmpty }
        } catch {
            try giveUp(because: error)
            return []
        }
    }

    /// Returns the recorded failure of an entry; `nil` if the old ledger does not confirm the entry's cause.
    mutating func failure(of entry: LedgerEntry) throws(MirrorError) -> Failure? {
        guard let ledger, let cause = entry.receipt?.failure?.cause else { return nil }
        do throws(LedgerError) {
            guard let old = try ledger.entry(at: entry.item.seq), let failure = old.receipt?.failure,
                failure.cause == cause, old.item.feed === entry.item.feed, old.item.photo.id === entry.item.photo.id,
                old.item.photo.collection === entry.item.photo.collection
            else { return nil }
            return failure
        } catch {
            try giveUp(because: error)
            return nil
        }
    }

    /// Reads nothing more from a damaged ledger.
    ///
    /// Throws if it is intact after all: SQLite reports a disk that fails for a moment as damage, and the new ledger
    /// would lack what the old one has.
    private mutating func giveUp(because error: LedgerError) throws(MirrorError) {
        close()
        guard Ledger.isIntact(in: folder) else { return }
        throw MirrorError(.local, "cannot rebuild the ledger: cannot read the old one: \(error.reason)")
    }

    /// Closes the old ledger, before its files are renamed.
    mutating func close() {
        ledger?.close()
        ledger = nil
    }
}
