// SPDX-License-Identifier: MIT

internal import Sluice

extension Command {
    static let mirror = Command(
        name: .mirror,
        summary: "Mirror a feed's photos, with thumbnails and a gallery",
        about: [
            """
            Pulls the pages of SOURCE, downloads each photo once, makes its thumbnails, and writes a gallery \
            (index.html), a manifest (manifest.jsonl) and the ledger that knows every photo's state.
            """,
            """
            The same command again goes on where the last run ended: what is done is kept, what failed is tried again. \
            Ctrl-C stops cleanly, a second one at once; either way nothing that was done is lost.
            """,
            """
            Without SOURCE the last command of the mirror in --out, or in the current folder, is given again, with the \
            options that are given now behind it.
            """,
        ],
        positionals: [
            Positional(
                name: "SOURCE",
                help:
                    "demo, a service's name, a recipe's file, a list (a file, or -), a folder, a feed's address, iiif:ADDRESS",
                isRequired: false, completion: .file)
        ],
        examples: [
            Example(line: "sluice mirror demo --pages 3", meaning: "three pages of the demo, into demo-mirror"),
            Example(
                line: "sluice mirror demo -o photos --sizes 256,1024 --format webp",
                meaning: "two sizes of WebP thumbnails"),
            Example(
                line: "sluice mirror unsplash:search/lakes --pages 2",
                meaning: "two pages of a search; the key is in UNSPLASH_ACCESS_KEY"),
            Example(line: "sluice mirror --out photos --retry timeout", meaning: "only what timed out, once more"),
            Example(line: "sluice mirror demo --json | jq .event", meaning: "the run's events, for a script"),
        ],
        run: { options, console in
            do {
                let request = try MirrorRequest(options)
                let wanted = request.options
                let mirror = Mirror(of: request.source, into: request.folder, options: wanted)
                if options.isDryRun {
                    let rehearsal = DryRun(mirror: mirror, console: console)
                    return await wanted.prune == nil
                        ? rehearsal.fetch(isQuiet: options.isQuiet) : rehearsal.prune()
                }
                return await WatchedRun(
                    run: mirror, folder: request.folder,
                    writesGallery: wanted.writesGallery,
                    progress: RunProgress(
                        goals: RunProgress.Goals(pages: wanted.pages, items: wanted.maxItems),
                        errand: wanted.retriedCauses == nil ? .mirror : .retry),
                    options: options, console: console
                ).watch()
            } catch {
                return console.fail(error)
            }
        })
}

/// What `mirror` is asked to do, checked as a whole.
struct MirrorRequest {
    let source: String
    let folder: String
    let options: MirrorOptions

    init(_ raw: RawOptions) throws(UsageError) {
        if !raw.mirror.keepsOriginals, raw.mirror.thumbnails.sizes.isEmpty {
            throw UsageError("--no-originals with --sizes none would keep no picture: leave one of them out")
        }
        if raw.isDryRun, raw.isJSON {
            throw UsageError("--dry-run prints the manifest's lines, --json the run's events: leave one of them out")
        }
        if raw.isDryRun, raw.mirror.retriedCauses != nil {
            throw UsageError("--dry-run reads the feed, and --retry does not: leave one of them out")
        }
        if raw.prunes { try Self.checkPruning(raw.mirror) }
        source = raw.positionals[0]
        folder = raw.out ?? defaultFolder(for: source)
        var options = raw.mirror
        options.maxBytes = raw.maxBytes ?? options.maxBytes
        options.look = try raw.look()
        options.words = raw.lastingWords(of: .mirror, [source])
        options.isolation = raw.isolates == false ? .none : .ownWorkers
        if raw.prunes {
            options.prune = PruneOptions()
            options.prune?.limit = raw.pruneLimit
        }
        self.options = options
    }

    /// What `adopt` is asked to do, but for its folder.
    init(adopting raw: RawOptions) throws(UsageError) {
        var raw = raw
        raw.positionals.removeFirst()
        raw.isDryRun = false
        try self.init(raw)
    }

    /// What a walk leaves out would look as if the feed had lost it.
    private static func checkPruning(_ options: MirrorOptions) throws(UsageError) {
        let partial = [
            (options.pages != nil, "--pages"), (options.maxItems != nil, "--max-items"),
            (options.stopAfterSeen != nil, "--stop-after-seen"), (options.retriedCauses != nil, "--retry"),
            (options.selection != Selection(), "--range, --filter, --collection and --since"),
        ]
        guard let (_, option) = partial.first(where: \.0) else { return }
        throw UsageError("--prune needs the whole feed, which \(option) would not walk: leave one of them out")
    }
}
