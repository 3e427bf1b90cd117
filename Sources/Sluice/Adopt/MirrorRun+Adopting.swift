// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel

extension MirrorRun {
    /// So many are looked up in the ledger at once.
    private static let step = 256

    /// Enters what the feed lists in the ledger, if that is to be asked, and sends the photos on their way that have a
    /// file in the folder.
    ///
    /// None goes before all are known: a name that two photos have is neither's.
    func adopt(_ adoption: Adoption, choice: VariantChoice) async {
        var search = AdoptSearch(in: adoption.folder, choice: choice)
        if adoption.walksFeed { _ = await walkFeed { claims, _ in await look(claims, in: &search) } }
        do throws(LedgerError) {
            var last = 0
            while !adoption.walksFeed, !intake.isCancelled {
                let entries = try ledger.entries(after: last, limit: Self.step)
                guard let end = entries.last else { break }
                last = end.item.seq
                await look(try ledger.claim(places: entries.map(\.item.seq))[...], in: &search)
            }
            let (files, choices) = await search.settle()
            recorder.record(files.map { .fileFound($0) })
            recorder.record(.note(FoundFile.summary(of: files)))
            adoption.settle(choices)
            await takeUp(choices.keys.sorted()[...], isListing: !adoption.walksFeed)
        } catch {
            stop(StopReason(error))
        }
    }

    private func look(_ claims: ArraySlice<Claim>, in search: inout AdoptSearch) async {
        for claim in claims.lazy.map(ends.believed) where claim.item.photo.flaw == nil {
            let isOwn = claim.item.feed == run.feed
            let isWanted = isOwn && way.standing(claim, for: claim.item) == nil
            await search.add(
                claim.item.photo, at: claim.item.seq, isWanted: isWanted, earlier: claim.receipt?.original)
        }
    }
}

extension FoundFile {
    /// How many files were found to be what, in a sentence.
    static func summary(of files: [FoundFile]) -> String {
        let counts = Dictionary(grouping: files, by: \.verdict).mapValues(\.count)
        let words: [(Verdict, String)] = [
            (.match, "of a photo that has need of it"), (.needless, "of a photo that has its file"),
            (.ambiguous, "ambiguous"), (.unknown, "of no photo"),
        ]
        let parts = words.compactMap { verdict, word in counts[verdict].map { "\($0) \(word)" } }
        return "of \(files.count) files: \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))"
    }
}
