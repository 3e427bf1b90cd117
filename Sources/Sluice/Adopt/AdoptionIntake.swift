// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel

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
                if sidecar.complete(&item.photo) { isChanged = true }
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
