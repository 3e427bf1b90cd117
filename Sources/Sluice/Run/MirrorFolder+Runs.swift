// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel

// What a run writes in a mirror's folder at its begin and at its end.

extension MirrorFolder {
    /// What a run tells of itself for people; the gallery leads there.
    private static let report = "report.html"

    /// Clears away what a killed run left, but for downloads that can go on, and enters the new one in the ledger.
    borrowing func begin(_ plan: RunPlan) throws(MirrorError) -> LedgerRun {
        let names = Set(try MirrorError.onDisk(folder.names(in: Self.partial)))
        _ = try MirrorError.onDisk(
            folder.removeLeftovers(in: Self.partial) { !PartialFile.isKept($0, among: names) || isOld($0) })
        return try MirrorError.inLedger(
            ledger.beginRun(
                source: plan.start.source, feed: plan.start.feed, options: plan.fingerprint, walk: plan.walk,
                words: plan.words, startedAt: Machine.secondsSince1970))
    }

    /// Whether a download broke off so long ago that nobody will come for it: its photo may have left the feed.
    private borrowing func isOld(_ name: String) -> Bool {
        let age = folder.lastWrite(of: "\(Self.partial)/\(name)").map { Machine.secondsSince1970 - $0 }
        return age.map { $0 > 30 * 86400 } ?? false
    }

    /// Enters the run's end in the ledger, and writes what is derived from it, unless that stands already.
    borrowing func end(_ run: LedgerRun, recorder: Recorder, writesGallery: Bool) throws(MirrorError) {
        let (summary, hosts) = (recorder.current, recorder.hosts)
        try MirrorError.inLedger(
            ledger.endRun(run, summary: summary, hosts: hosts, endedAt: Machine.secondsSince1970))
        var options = writesGallery ? try galleryOptions() : nil
        // It is written behind the gallery.
        options?.report = Self.report
        guard try MirrorError.inLedger(ledger.exportStamp()) != exportStamp(options) else { return }
        try export(options)
    }

    /// Writes the manifest and the gallery anew.
    borrowing func export() throws(MirrorError) { try export(try galleryOptions()) }

    /// Writes the manifest, and the gallery if it is wanted, from the ledger, in one pass.
    private borrowing func export(_ options: GalleryOptions?) throws(MirrorError) {
        do {
            var manifest = try ManifestWriter(in: folder)
            var gallery = try options.map { options throws(FileError) in
                try GalleryWriter(into: folder, options: options)
            }
            try ledger.forEachEntry { entry in
                try manifest.add(entry)
                try gallery?.add(entry)
            }
            try manifest.finish()
            try gallery?.finish()
            try ledger.noteExport(exportStamp(options))
        } catch let error as FileError {
            throw MirrorError(error)
        } catch let error as LedgerError {
            throw MirrorError(error)
        } catch {
            throw MirrorError(.local, "\(error)")
        }
    }

    /// What changes with every file that is derived from the ledger, and with all that they are made with.
    private borrowing func exportStamp(_ options: GalleryOptions?) -> String {
        var print = Fingerprint()
        print.add(Version.number)
        print.add(options.map { "\($0)" })
        let top = ManifestWriter.names + (options == nil ? [] : [GalleryWriter.frontPage])
        for name in top { print.add(folder.stamp(of: name)) }
        for name in options == nil ? [] : GalleryWriter.folders {
            guard let place = try? folder.folder(name), let names = try? place.names() else { continue }
            for name in names {
                print.add(name)
                print.add(place.stamp(of: name))
            }
        }
        return print.text
    }

    /// The gallery as it grows.
    borrowing func liveGallery(wantsAll: Bool) throws(MirrorError) -> LiveGallery {
        LiveGallery(in: folder, ledger: ledger, options: try galleryOptions(), wantsAll: wantsAll)
    }

    /// The gallery is called as the folder is, unless its owner calls it otherwise.
    private borrowing func galleryOptions() throws(MirrorError) -> GalleryOptions {
        let path = try MirrorError.onDisk(folder.resolvedPath())
        var options = GalleryOptions(title: path.split(separator: "/").last.map(String.init) ?? "mirror")
        let look = try look()
        if let title = look.title, !title.isEmpty { options.title = title }
        options.theme = look.theme ?? .auto
        options.style = look.style.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
        options.goesOn = try MirrorError.inLedger(ledger.lastRun())?.words.first == "mirror"
        options.report = folder.size(of: Self.report) == nil ? nil : Self.report
        return options
    }
}
