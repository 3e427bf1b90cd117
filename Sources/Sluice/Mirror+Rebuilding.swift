// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel

extension Mirror {
    /// Writes the gallery and the manifest of the mirror in `folder` anew, from its ledger alone.
    ///
    /// The gallery has the look that is given from then on.
    public static func rebuild(
        _ folder: String, look: GalleryLook = GalleryLook()
    ) throws(MirrorError) -> RebuildReport {
        let place = try MirrorFolder.open(folder)
        try place.remember(look)
        try place.export()
        let counts = try MirrorError.inLedger(place.ledger.counts())
        place.close()
        return RebuildReport(
            items: counts.done + counts.skipped + counts.failed + counts.waiting, done: counts.done,
            failed: counts.failed)
    }

    /// Makes the ledger of the mirror in `folder` anew, from `manifest.jsonl` and the files, and then the rest from it.
    ///
    /// The old ledger is kept beside it. A photo is done if its file is as the manifest says, byte for byte; the others
    /// are for the next run, which also makes thumbnails anew that it cannot tell the options of.
    public static func rebuildLedger(
        _ folder: String, look: GalleryLook = GalleryLook()
    ) throws(MirrorError) -> RebuildReport {
        let place = try MirrorFolder.find(folder)
        let lock = try MirrorFolder.lock(place)
        let lost = try LedgerRebuilding(in: place).run()
        lock.release()
        var report = try rebuild(folder, look: look)
        report.lost = lost
        return report
    }
}

/// The way from a manifest to a ledger.
private struct LedgerRebuilding {
    /// Where the new ledger grows, below the mirror's folder.
    private static let workplace = ".sluice/rebuilding"
    private static let batch = 1000

    let folder: Folder

    init(in folder: Folder) { self.folder = folder }

    /// Puts the new ledger in the old one's place; returns how many photos are not as the manifest says.
    func run() throws(MirrorError) -> Int {
        guard folder.size(of: ManifestWriter.names[0]) != nil else {
            throw MirrorError(
                .damaged, "\(folder.path) has no \(ManifestWriter.names[0]): mirror the feed again into an empty folder"
            )
        }
        try removeLedger(below: Self.workplace)
        let lost = try fill(try MirrorError.onDisk(folder.folder(Self.workplace, create: true)))
        try putAside()
        try MirrorError.onDisk(folder.rename("\(Self.workplace)/\(Ledger.name)", to: Ledger.name))
        try MirrorError.onDisk(folder.flush(MirrorFolder.mark))
        return lost
    }

    /// Fills a new ledger, which is closed when this returns.
    private func fill(_ workplace: Folder) throws(MirrorError) -> Int {
        var manifest = try MirrorError.onDisk(ManifestReader(in: folder))
        let ledger = try MirrorError.inLedger(Ledger(in: workplace))
        let (source, now) = (ManifestWriter.names[0], Machine.secondsSince1970)
        let run = try MirrorError.inLedger(ledger.beginRun(source: source, feed: "", options: "", startedAt: now))
        var lost = 0
        while true {
            var entries: [Entry] = []
            while entries.count < Self.batch, let entry = try MirrorError.onDisk(manifest.next()) {
                entries.append(checked(entry, losing: &lost))
            }
            if entries.isEmpty { break }
            try MirrorError.inLedger(ledger.restore(entries, in: run))
        }
        try MirrorError.inLedger(ledger.endRun(run, summary: Summary(), endedAt: Machine.secondsSince1970))
        return lost + manifest.unreadable
    }

    /// The entry, without the receipt of a photo whose original is not what the manifest says.
    private func checked(_ entry: Entry, losing lost: inout Int) -> Entry {
        guard let receipt = entry.receipt, receipt.state == .done else { return entry }
        var entry = entry
        let thumbs = receipt.thumbs.filter { folder.holds($0.file) }
        entry.receipt?.thumbs = thumbs
        let stands = receipt.original.map { folder.holds($0) } ?? (thumbs.count == receipt.thumbs.count)
        if !stands {
            entry.receipt = nil
            lost += 1
        }
        return entry
    }

    /// Keeps the old ledger under another name, with its log.
    private func putAside() throws(MirrorError) {
        let name = "\(Ledger.name).\(Machine.secondsSince1970)"
        for suffix in ["", "-wal"] where folder.size(of: Ledger.name + suffix) != nil {
            try MirrorError.onDisk(folder.rename(Ledger.name + suffix, to: name + suffix))
        }
        try MirrorError.onDisk(folder.remove(Ledger.name + "-shm"))
    }

    /// Removes what a killed rebuilding left.
    private func removeLedger(below place: String) throws(MirrorError) {
        for suffix in ["", "-wal", "-shm"] where folder.size(of: "\(place)/\(Ledger.name)\(suffix)") != nil {
            try MirrorError.onDisk(folder.remove("\(place)/\(Ledger.name)\(suffix)"))
        }
    }
}
