// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

// The beginning and the end of a run in a mirror's folder.

extension MirrorFolder {
    /// Removes the leftovers of a killed process, except for resumable downloads.
    package borrowing func removeLeftovers() throws(MirrorError) {
        let names = TextSet(try MirrorError.onDisk(state.names(in: Self.partial)))
        _ = try MirrorError.onDisk(
            state.removeLeftovers(in: Self.partial) { !PartialFile.isResumable($0, where: names.contains) || isOld($0) }
        )
    }

    /// Records the new run in the ledger, and counts the photos that crashed an earlier run.
    borrowing func begin(_ run: RunDefinition) throws(MirrorError) -> LedgerRun {
        try removeLeftovers()
        let crashed = try MirrorError.onDisk(CrashRecord.take(from: state))
        if !crashed.isEmpty { try MirrorError.inLedger(ledger.recordCrashes(of: crashed.sorted())) }
        return try MirrorError.inLedger(
            ledger.beginRun(
                source: run.recordedSource ?? run.start.source, feed: run.start.feed, options: run.fingerprint,
                walk: run.pagingFingerprint, words: run.options.commandLine,
                startedAt: Machine.secondsSince1970))
    }

    /// Whether a partial download is older than 30 days.
    ///
    /// Its photo may no longer be in the feed.
    private borrowing func isOld(_ name: String) -> Bool {
        let time = state.modificationTime(of: "\(Self.partial)/\(name)")
        return time.map { $0 < Machine.secondsSince1970 - 30 * 86400 } ?? false
    }

    /// Records the end of the run in the ledger, and rewrites the manifest and the gallery if they are out of date.
    borrowing func end(_ run: LedgerRun, recorder: EventRecorder, _ wanted: RunOptions) throws(MirrorError) {
        let summary = recorder.current
        try MirrorError.inLedger(ledger.endRun(run, summary: summary, endedAt: Machine.secondsSince1970))
        // A feed that cannot be read leaves nothing to show.
        let isEmpty = try MirrorError.inLedger(ledger.entries(after: 0, limit: 1)).isEmpty
        let isUnread = isEmpty && summary.failedPages > 0
        // A gallery must not go on showing photos that were removed, also without the option.
        let showsRemoved = try owesOutput && store.size(of: GalleryWriter.frontPage) != nil
        var options = wanted.writesGallery && !isUnread || showsRemoved ? try galleryOptions() : nil
        // The report does not exist yet: it is written after the gallery.
        options?.report = RunReport.pageFile
        let lacksParquet = wanted.writesParquet && !hasParquet
        // A ledger that has changed has no stamp, and that of the files costs requests in a bucket.
        if !lacksParquet, let stamp = try MirrorError.inLedger(ledger.exportStamp()), stamp == outputStamp(options) {
            return
        }
        let lost = try writeOutput(options, withParquet: wanted.writesParquet, checking: recorder.done)
        guard lost == 0 else {
            throw MirrorError(
                .damaged,
                "\(lost) of the \(recorder.done.count) photos that this run did have lost files since; run it again")
        }
    }

    /// Removes the temporary files of a killed run, and rewrites manifest and gallery if they are out of date.
    package borrowing func completeOutput() throws(MirrorError) {
        try removeLeftovers()
        let options = store.size(of: GalleryWriter.frontPage) == nil ? nil : try galleryOptions()
        guard try MirrorError.inLedger(ledger.exportStamp()) != outputStamp(options) else { return }
        _ = try writeOutput(options)
    }

    /// Rewrites the manifest and the gallery; `withParquet` adds `manifest.parquet`.
    package borrowing func writeOutput(withParquet: Bool = false) throws(MirrorError) {
        _ = try writeOutput(try galleryOptions(), withParquet: withParquet)
    }

    /// Whether the mirror has `manifest.parquet`, which all later commands then keep current.
    private var hasParquet: Bool { store.size(of: ManifestWriter.parquetName) != nil }

    /// Writes the manifest, and the gallery unless `options` is `nil`, in one pass over the ledger.
    ///
    /// Returns how many of the items at the positions `done` have lost files. Another program may have removed them
    /// while the run was in progress. Objects in buckets are not looked up, which would cost requests.
    private borrowing func writeOutput(
        _ options: GalleryOptions?, withParquet: Bool = false, checking done: PositionSet = PositionSet()
    ) throws(MirrorError) -> Int {
        if isDryRun { return 0 }
        do {
            try ledger.forgetExport()
            let journal = MarkJournal(in: state)
            let marks = try ledger.apply(journal)
            let sizes = isInBucket ? nil : store.sizes()
            var lost = 0
            var manifest = try ManifestWriter(in: store, withParquet: withParquet || hasParquet)
            var gallery = options.map { GalleryWriter(into: store, options: $0) }
            try ledger.forEachEntry { entry in
                try manifest.add(entry)
                try gallery?.add(entry)
                guard done.contains(entry.item.seq), let sizes, let files = entry.receipt?.files else { return }
                if files.contains(where: { sizes.size(of: $0.path) == nil }) { lost += 1 }
            }
            try manifest.finish()
            try gallery?.finish()
            try journal.clear(marks)
            try ledger.recordExportStamp(outputStamp(options), of: outputDigests(withGallery: options != nil))
            return lost
        } catch {
            throw MirrorError(converting: error)
        }
    }

    /// Returns the files of the manifest and the gallery that are not those that were written last.
    ///
    /// `manifest.parquet` may be removed: then it is not written again.
    package borrowing func outputFaults() throws(MirrorError) -> [FileFault] {
        let recorded = isInBucket ? [] : try MirrorError.inLedger(ledger.exportedFiles())
        guard !recorded.isEmpty else { return [] }
        let digests = TextMap(outputDigests(withGallery: true).map { ($0.name, $0.digest) })
        return recorded.compactMap { name, digest in
            guard let found = digests[name] else {
                if store.size(of: name) != nil { return FileFault(.unreadable, name) }
                return name == ManifestWriter.parquetName ? nil : FileFault(.missing, name)
            }
            return found == digest ? nil : FileFault(.changed, name, "it is not the file that was written")
        }
    }

    /// Returns the files of the manifest and the gallery with their digests; none in a bucket, where reading them would
    /// cost requests.
    private borrowing func outputDigests(withGallery: Bool) -> [(name: String, digest: String)] {
        if isInBucket { return [] }
        var (names, folders) = outputNames(withGallery: withGallery)
        for folder in folders {
            let entries = (try? store.list(folder)) ?? []
            names += entries.filter { $0.stamp != nil }.map { "\(folder)/\($0.name)" }
        }
        return names.compactMap { name in
            guard let file = try? store.open(name) else { return nil }
            return SHA256.digest(ofFileAt: file.descriptor).map { (name, $0) }
        }
    }

    /// Returns a fingerprint of the manifest and gallery files and of the settings that they were written with.
    private borrowing func outputStamp(_ options: GalleryOptions?) -> String {
        var fingerprint = Fingerprint()
        fingerprint.add(Version.number)
        if let options {
            fingerprint.add("\(options.title) \(options.theme.rawValue)")
            fingerprint.add("resumable=\(options.isResumable) report=\(options.report ?? "")")
            fingerprint.add(options.style.map { String(decoding: $0, as: UTF8.self) })
            if options.originals != nil { fingerprint.add("\((try? identity()) ?? "") \(inputFolder ?? "")") }
        }
        let (files, folders) = outputNames(withGallery: options != nil)
        for texts in stamps(of: files, and: folders) { for text in texts { fingerprint.add(text) } }
        return fingerprint.text
    }

    /// Returns the files of the manifest and the gallery, and the folders of the gallery.
    private borrowing func outputNames(withGallery: Bool) -> (files: [String], folders: [String]) {
        let manifest = ManifestWriter.names + (hasParquet ? [ManifestWriter.parquetName] : [])
        return withGallery ? (manifest + [GalleryWriter.frontPage], GalleryWriter.folders) : (manifest, [])
    }

    /// Returns the stamp of each file, and the names and stamps of the files in each folder.
    ///
    /// The requests to a bucket are concurrent.
    private borrowing func stamps(of files: [String], and folders: [String]) -> [[String?]] {
        let store = store
        let stamps = Locked([[String?]](repeating: [], count: files.count + folders.count))
        let names = Array((files + folders).enumerated())
        DedicatedThread.forEach(names, width: isInBucket ? names.count : 1) { index, name in
            let texts =
                index < files.count
                ? [store.stamp(of: name)]
                : ((try? store.list(name)) ?? []).flatMap { (entry) -> [String?] in [entry.name, entry.stamp] }
            stamps.withLock { $0[index] = texts }
        }
        return stamps.withLock { $0 }
    }

    /// The heading of the gallery and of the report: the user's title, or one made from the last run's source, or else
    /// from the folder's name.
    package var title: String {
        if let title = try? appearance().title, !title.isEmpty { return title }
        if let title = (try? ledger.lastRun()).flatMap({ SourceTitle.text(of: $0.shownSource) }) { return title }
        let folder = (try? identity())?.split(separator: "/").last ?? ""
        return SourceTitle.words(in: folder) ?? "Photos"
    }

    borrowing func galleryOptions() throws(MirrorError) -> GalleryOptions {
        let appearance = try appearance()
        let run = try MirrorError.inLedger(ledger.lastRun())
        var options = GalleryOptions(title: title)
        if let feed = run?.feed, feed === FileFeed.name, !isInBucket {
            options.originals = LocalOriginals(gallery: try identity(), base: inputFolder)
        }
        options.theme = appearance.theme ?? .auto
        options.style = appearance.style.flatMap { $0.isEmpty ? nil : Array($0.utf8) }
        options.isResumable = run?.words.first == "mirror"
        options.report = store.size(of: RunReport.pageFile) == nil ? nil : RunReport.pageFile
        return options
    }
}
