// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel

/// What a run would remove, because its feed lists it no more.
public struct PruneRehearsal: Sendable, Hashable {
    /// How many photos would go.
    public internal(set) var gone = 0
    /// How many there would be else.
    public internal(set) var all = 0
    /// How many pages were read.
    public internal(set) var pages = 0
    /// Why the feed's end was not seen, if it was not; then nothing would go.
    public internal(set) var failure: Failure?
    /// Why so many would not go, if they would not.
    public internal(set) var refusal: String?
}

extension Mirror {
    /// Reads the feed to its end, and hands on the manifest's line of each photo that a run with ``MirrorOptions/prune``
    /// would remove.
    ///
    /// Nothing is changed. It ends early where `write` returns false, and by ``stop(_:)``.
    public func rehearsePruning(writing write: ([UInt8]) -> Bool) async throws(MirrorError) -> PruneRehearsal {
        let open = try OpenFeed(source, options: options, width: 1, token: course.token)
        var ahead = LookAhead(Walk(open.feed, limit: nil), token: course.token)
        var rehearsal = PruneRehearsal()
        var listed: Set<Int> = []
        do throws(Failure) {
            while let page = try await ahead.next() {
                rehearsal.pages += 1
                for photo in page.photos { listed.insert(Ledger.key(of: photo)) }
                try ahead.found(new: page.photos.count)
            }
        } catch {
            rehearsal.failure = error
            return rehearsal
        }
        let place = try MirrorFolder.open(reading: folder)
        let known = try MirrorError.inLedger(place.ledger.listed(by: shownSource, of: open.feed.name))
        let gone = known.filter { !listed.contains($0.key) }
        (rehearsal.gone, rehearsal.all) = (gone.count, gone.count + listed.count)
        rehearsal.refusal = (options.prune ?? PruneOptions()).refusal(gone.count, of: rehearsal.all)
        var lines = ManifestLines()
        for seq in gone.map(\.seq) {
            guard let entry = try MirrorError.inLedger(place.ledger.entry(at: seq)) else { continue }
            lines.add(entry)
            guard lines.hand(to: write) else { break }
        }
        place.close()
        return rehearsal
    }
}
