// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Submits the photos that have a file in another tool's folder.
struct AdoptionIntake: Intake {
    /// The folder, as the user named it.
    let folder: String
    let choice: VariantChoice
    /// Reads the feed; `nil` to match only photos that the ledger knows.
    let reading: FeedIntake?
    var keepsEarlierReceipts: Bool { true }

    /// Reads the feed into the ledger if that is wanted, then submits the photos that have a file.
    ///
    /// No photo starts before all photos are known, because a name that two photos share identifies neither.
    func submitItems(to driver: RunDriver) async -> Bool {
        var search = AdoptionSearch(in: folder, choice: choice)
        if let reading {
            _ = await reading.read(in: driver) { claims, _ in await add(claims, to: &search, driver) }
        }
        do throws(LedgerError) {
            var batches = driver.ledger.batches()
            while reading == nil, !driver.intakeToken.isCancelled, let entries = try batches.next() {
                await add(try driver.ledger.claim(positions: entries.map(\.item.seq))[...], to: &search, driver)
            }
            let (files, choices) = await search.resolve()
            for file in files {
                if driver.isDryRun { driver.list(.file(file)) } else { driver.record(.fileFound(file)) }
            }
            try addFacts(of: choices, to: driver.ledger)
            driver.record(.note(FoundFile.summary(of: files)))
            await driver.submit(positions: choices.keys.sorted()[...], reportsPage: reading == nil) { item in
                choices[item.seq].map { .fetched($0) }
            }
        } catch {
            driver.stop(StopReason(error))
        }
        return false
    }

    /// Adds the facts in the sidecars of matched files to photos that lack them.
    private func addFacts(of choices: [Int: AdoptedFile], to ledger: Ledger) throws(LedgerError) {
        for (seq, file) in choices where !file.sidecars.isEmpty {
            guard var item = try ledger.entry(at: seq)?.item else { continue }
            var isChanged = false
            for sidecar in file.sidecars.lazy.compactMap(PhotoSidecar.init(fileAt:)) {
                let hasFacts = sidecar.complete(&item.photo)
                if sidecar.addDate(to: &item.photo) || hasFacts { isChanged = true }
            }
            if isChanged { try ledger.updateFacts(of: item) }
        }
    }

    private func add(_ claims: ArraySlice<Claim>, to search: inout AdoptionSearch, _ driver: RunDriver) async {
        let feeds = TextSet(SourceSet(text: driver.run.feed).members)
        for claim in claims.lazy.map(driver.committer.verified) where claim.item.photo.invalidReason == nil {
            let isOwn = feeds.contains(claim.item.feed)
            let isWanted = isOwn && driver.pipeline.validReceipt(claim, for: claim.item) == nil
            await search.add(
                claim.item.photo, at: claim.item.seq, isWanted: isWanted, earlier: claim.receipt?.original)
        }
    }
}

extension FoundFile {
    /// The number of files with each verdict: `3 files: 2 matched, 1 unknown`.
    static func summary(of files: [FoundFile]) -> String {
        let counts = [Verdict: [FoundFile]](grouping: files, by: \.verdict).mapValues(\.count)
        let labels: [(Verdict, String)] = [
            (.match, "matched"), (.needless, "not needed"), (.ambiguous, "ambiguous"), (.unknown, "unknown"),
        ]
        let parts = labels.compactMap { verdict, label in counts[verdict].map { "\($0) \(label)" } }
        let count = files.count == 1 ? "1 file" : "\(files.count) files"
        return parts.isEmpty ? count : "\(count): \(parts.joined(separator: ", "))"
    }
}

/// Finds the files of an adopted folder that belong to a feed's photos.
///
/// Photos are added one at a time; ``resolve()`` returns the result after the last one.
struct AdoptionSearch {
    private var folder: AdoptedFolderIndex
    private var matcher: FileMatcher
    private let choice: VariantChoice
    /// The known checksums of photos that have candidates, by sequence number.
    private var checksums: [Int: Checksum] = [:]

    /// Throws if the folder at `path` cannot be read.
    static func checkFolder(_ path: String) throws(MirrorError) {
        do throws(FileError) { _ = try Folder(path).names() } catch {
            throw MirrorError(.usage, "cannot adopt '\(path)': \(error.reason)")
        }
    }

    /// Reads the names of the files in the folder at `path`.
    init(in path: String, choice: VariantChoice) {
        folder = AdoptedFolderIndex(path)
        matcher = FileMatcher(of: folder.files.map(\.relative))
        self.choice = choice
    }

    /// Adds a photo.
    ///
    /// Photos that need no file are added too, because a file may belong to one of them.
    mutating func add(_ photo: Photo, at seq: Int, isWanted: Bool, earlier: StoredFile?) async {
        guard let variant = choice.variant(of: photo) else { return }
        var candidates: [FileMatcher.Candidate] = []
        // The original of an earlier run that is now missing had exactly this hash.
        let known = variant.checksum ?? earlier.flatMap { Checksum(.sha256, $0.sha256) }
        if isWanted, let known {
            candidates = await folder.files(with: known).map { FileMatcher.Candidate($0, .hash) }
            if !candidates.isEmpty { checksums[seq] = known }
        } else {
            candidates = folder.files(for: LikelyFileNames(of: photo, as: variant))
        }
        matcher.add(candidates, for: seq, isWanted: isWanted)
    }

    /// Returns the verdict on each file, sorted by name, and the file chosen for each photo.
    mutating func resolve() async -> (files: [FoundFile], choices: [Int: AdoptedFile]) {
        await matcher.resolve { [folder] in await folder.haveSameBytes($0) }
        var choices: [Int: AdoptedFile] = [:]
        for (seq, file) in matcher.files {
            let sidecars = folder.sidecars[file] ?? []
            choices[seq] = AdoptedFile(path: folder.files[file].path, checksum: checksums[seq], sidecars: sidecars)
        }
        return (matcher.found, choices)
    }
}

extension PhotoMirror {
    /// Describes a run that copies originals of one source from a folder that another tool filled.
    public convenience init(
        of source: String, into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        self.init(of: [source], into: folder, options: options, adopting: files, walkingFeed: walkingFeed)
    }

    /// Describes a run that copies originals from a folder that another tool filled, instead of downloading them.
    ///
    /// A file is matched with a photo by its checksum, by a URL that the tool recorded, by its name, or by the photo's
    /// ID. Ambiguous matches are ignored, and the folder itself is not changed. With `walkingFeed` the photos of the
    /// feed are matched, otherwise only those in the ledger. Photos without a file keep their state, so that a later
    /// run downloads them.
    public convenience init(
        of sources: [String], into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        var changed = options
        changed.reset(.notAdoption)
        let options = changed
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            guard !S3Location.isLocation(folder) else {
                throw MirrorError(.usage, "cannot adopt into '\(folder)': this is not supported for buckets")
            }
            try AdoptionSearch.checkFolder(files)
            let session = try FeedSession(sources, options: options, in: context)
            let intake = AdoptionIntake(
                folder: files, choice: session.choice(options), reading: walkingFeed ? try session.intake(options) : nil
            )
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context, intake: intake)
            // Each item has the file that was found for it.
            run.input = { _ in nil }
            run.requiresMirror = !walkingFeed
            return run
        }
    }
}
