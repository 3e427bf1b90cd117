// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel

extension RunDriver {
    /// The number of entries read from the ledger at a time.
    private static let step = 256

    /// Reads the feed into the ledger if the adoption asks for that, then processes the photos that have a file.
    ///
    /// No photo starts before all photos are known, because a name that two photos share identifies neither.
    func adopt(_ adoption: Adoption, choice: VariantChoice) async {
        var search = AdoptionSearch(in: adoption.folder, choice: choice)
        if adoption.walksFeed { _ = await walkFeed { claims, _ in await add(claims, to: &search) } }
        do throws(LedgerError) {
            var last = 0
            while !adoption.walksFeed, !intake.isCancelled {
                let entries = try ledger.entries(after: last, limit: Self.step)
                guard let end = entries.last else { break }
                last = end.item.seq
                await add(try ledger.claim(positions: entries.map(\.item.seq))[...], to: &search)
            }
            let (files, choices) = await search.resolve()
            recorder.record(files.map { .fileFound($0) })
            recorder.record(.note(FoundFile.summary(of: files)))
            adoption.setChoices(choices)
            await process(choices.keys.sorted()[...], reportsPage: !adoption.walksFeed)
        } catch {
            stop(StopReason(error))
        }
    }

    private func add(_ claims: ArraySlice<Claim>, to search: inout AdoptionSearch) async {
        for claim in claims.lazy.map(committer.verified) where claim.item.photo.invalidReason == nil {
            let isOwn = claim.item.feed == run.feed
            let isWanted = isOwn && pipeline.keptReceipt(claim, for: claim.item) == nil
            await search.add(
                claim.item.photo, at: claim.item.seq, isWanted: isWanted, earlier: claim.receipt?.original)
        }
    }
}

extension FoundFile {
    /// The number of files with each verdict: `3 files: 2 matched, 1 unknown`.
    static func summary(of files: [FoundFile]) -> String {
        let counts = Dictionary(grouping: files, by: \.verdict).mapValues(\.count)
        let labels: [(Verdict, String)] = [
            (.match, "matched"), (.needless, "not needed"), (.ambiguous, "ambiguous"), (.unknown, "unknown"),
        ]
        let parts = labels.compactMap { verdict, label in counts[verdict].map { "\($0) \(label)" } }
        let count = files.count == 1 ? "1 file" : "\(files.count) files"
        return parts.isEmpty ? count : "\(count): \(parts.joined(separator: ", "))"
    }
}
