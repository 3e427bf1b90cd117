// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging

extension Command {
    static let mirror = Command(
        name: .mirror,
        summary: "Download sources, with thumbnails and a gallery",
        about: [
            """
            Reads the pages of SOURCE, downloads each photo once, makes its thumbnails, and writes a gallery \
            (index.html), a manifest (manifest.jsonl) and a ledger with the state of every photo.
            """,
            """
            Repeating the command continues where the last run stopped: finished photos are kept, and failed ones \
            are retried. Ctrl-C stops the run cleanly, and a second Ctrl-C stops it immediately. Finished work is \
            never lost.
            """,
            """
            Several SOURCEs, also those in the file of --sources, make one mirror. They are read in the given order, \
            and share the limits per host. One that cannot be read is reported, and the others continue.
            """,
            """
            Without SOURCE, repeats the last command of the mirror in --out, or in the current folder. Options given \
            now override the recorded ones.
            """,
        ],
        positionals: [
            Positional(
                name: "SOURCE",
                help:
                    "demo, a service, a recipe, a list (file or -), a lock, photos, a folder, a bucket, a feed URL, iiif:URL, oai:URL",
                isRequired: false, isRepeated: true, completion: .source)
        ],
        examples: [
            Example(line: "sluice mirror demo --pages 3", meaning: "three pages of the demo, into demo-mirror"),
            Example(
                line: "sluice mirror demo -o photos --sizes 256,1024 --format webp",
                meaning: "two sizes of WebP thumbnails"),
            Example(
                line: "sluice mirror unsplash:search/lakes --pages 2",
                meaning: "two pages of a search; the key is in UNSPLASH_ACCESS_KEY"),
            Example(
                line: "sluice mirror lists/ https://example.org/photos.rss --out photos",
                meaning: "all lists of a folder, and a feed"),
            Example(line: "sluice mirror --out photos --retry timeout", meaning: "retry only photos that timed out"),
            Example(line: "sluice mirror demo --json | jq .event", meaning: "events of the run, for a script"),
        ],
        run: { options, console in
            let request = try MirrorRequest(options)
            try options.checkTypedSources()
            var wanted = request.options
            wanted.publicNames = try await SourceConfirmation(of: request, options).check(console)
            var mirror = PhotoMirror(of: request.sources, into: request.folder, options: wanted)
            let isDryRun = options.isDryRun
            var forecast: Forecast?
            if options.update.forecasts {
                let code = await console.forecast(mirror, isJSON: options.output.isJSON) { forecast = $0 }
                guard let forecast, !isDryRun else { return code }
                var compared = wanted
                compared.run.forecast = forecast.estimate
                mirror = PhotoMirror(of: request.sources, into: request.folder, options: compared)
            }
            let isLock =
                !isDryRun && request.sources.count == 1 && DatasetLock.isLock(request.sources[0])
                && wanted.retriedCauses == nil
            let results = LockRun()
            let code = await MonitoredRun(
                run: mirror, folder: request.folder,
                writesGallery: wanted.writesGallery,
                progress: RunProgress(
                    limits: RunProgress.Limits(pages: wanted.pages, items: wanted.maxItems),
                    purpose: wanted.retriedCauses == nil ? .mirror : .retry),
                memory: wanted.memory, options: options, console: console,
                observer: { if isLock { results.record($0) } }, forecast: forecast,
                needsPhotos: wanted.selection.filter != nil || !wanted.selection.collections.isEmpty,
                dryRun: isDryRun ? mirror.control : nil
            ).execute()
            guard isLock else { return code }
            let report = LockReport(
                lock: request.sources[0], folder: request.folder, run: results, options: options, console: console)
            return report.print(after: code)
        })
}

extension RawOptions {
    /// Refuses a typed SOURCE that is none, before the others are downloaded.
    ///
    /// A recorded one, or one of the file of --sources, may be missing today.
    fileprivate func checkTypedSources() throws(UsageError) {
        guard positionals.count > 1, !continuesMirror, !isArgument("sources") else { return }
        for text in positionals {
            do throws(SourceError) { _ = try Source(text) } catch { throw UsageError("\(error)") }
        }
    }
}

/// The validated request of a `mirror` command.
struct MirrorRequest {
    /// The SOURCE arguments; several as the ledger records them, so that every run names them alike.
    let sources: [String]
    let folder: String
    let options: MirrorOptions

    init(_ raw: RawOptions) throws(UsageError) {
        if !raw.mirror.keepsOriginals, raw.mirror.thumbnails.sizes.isEmpty {
            throw UsageError("--no-originals cannot be combined with --sizes none: no picture would be kept")
        }
        if raw.mirror.fetch == .enough, raw.mirror.keepsOriginals {
            throw UsageError("--fetch enough needs --no-originals: an original is kept completely")
        }
        if raw.mirror.writesSidecars, !raw.mirror.keepsOriginals {
            throw UsageError("--xmp cannot be combined with --no-originals: a sidecar belongs to an original")
        }
        if raw.mirror.skipsSimilar, !raw.mirror.keepsOriginals {
            throw UsageError("--skip-similar cannot be combined with --no-originals: it compares originals")
        }
        if raw.update.forecasts { try Self.checkForecast(raw) }
        if raw.update.prunes { try Self.checkPruning(raw.mirror) }
        let given = raw.positionals
        folder = raw.output.folder ?? defaultFolder(for: given)
        var options = raw.mirror
        options.run = try raw.runOptions(of: .mirror, given, maxBytes: options.maxBytes)
        sources = given.count == 1 ? given : raw.absoluteArguments(given)
        if raw.update.prunes {
            options.prune = PruneOptions()
            options.prune?.limit = raw.update.pruneLimit
        }
        self.options = options
    }

    /// Builds the request of an `adopt` command, without its folder.
    init(adopting raw: RawOptions) throws(UsageError) {
        if raw.isArgument("skip-similar") {
            throw UsageError(
                "--skip-similar is not possible with adopt; use `sluice duplicates DIR --keep best --move FOLDER` after it"
            )
        }
        var raw = raw
        raw.positionals.removeFirst()
        try self.init(raw)
    }

    /// Rejects a forecast of what no forecast knows, or whose list could not be read a second time.
    private static func checkForecast(_ raw: RawOptions) throws(UsageError) {
        if raw.isDryRun ? raw.update.prunes : raw.mirror.retriedCauses != nil {
            throw UsageError("--forecast cannot be combined with --\(raw.isDryRun ? "prune" : "retry")")
        }
        if !raw.isDryRun, raw.positionals.contains("-") {
            throw UsageError("--forecast reads the list before the run does: name a file instead of standard input")
        }
    }

    /// Rejects options that select a part of the feed: the other photos would appear to be missing from it.
    private static func checkPruning(_ options: MirrorOptions) throws(UsageError) {
        guard let option = options.changedNames(affecting: .coverage).first else { return }
        throw UsageError("--prune cannot be combined with --\(option): it needs the whole feed")
    }
}
