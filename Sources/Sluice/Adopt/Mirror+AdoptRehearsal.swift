// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel

/// What a run that adopts a folder would find there.
public struct AdoptRehearsal: Sendable, Hashable {
    /// The files, in the order of their names, each as it was held against the photos.
    public internal(set) var files: [FoundFile] = []
    /// How many pages were read.
    public internal(set) var pages = 0
    /// Why the walk ended before the feed's end, if it did.
    public internal(set) var failure: Failure?

    /// How many files were found to be what, in a sentence.
    public var summary: String { FoundFile.summary(of: files) }
}

extension Mirror {
    /// Holds the files of the folder that is adopted against the photos, as a run would, and changes nothing.
    ///
    /// A file that is known by anything but its hash is not read yet. It ends early by ``stop(_:)``.
    public func rehearseAdopting() async throws(MirrorError) -> AdoptRehearsal {
        guard let adoption else { return AdoptRehearsal() }
        try adoption.check()
        let open = try OpenFeed(source, options: options, width: 1, token: course.token)
        var search = AdoptSearch(in: adoption.folder, choice: choice(of: open))
        var rehearsal = AdoptRehearsal()
        if adoption.walksFeed {
            let known = try KnownPlaces(in: folder, shownSource, of: open.feed.name)
            await walk(open, known, &search, &rehearsal)
        } else {
            try await readLedger(of: open.feed.name, &search)
        }
        rehearsal.files = await search.settle().files
        return rehearsal
    }

    private func walk(
        _ open: OpenFeed, _ known: KnownPlaces, _ search: inout AdoptSearch, _ rehearsal: inout AdoptRehearsal
    ) async {
        var ahead = LookAhead(Walk(open.feed, limit: options.pages), token: course.token)
        var (selector, next) = (Selector(options.selection), known.next)
        do throws(Failure) {
            while !selector.isOver, var page = try await ahead.next() {
                let listed = page.photos.count
                selector.narrow(&page)
                rehearsal.pages += 1
                try ahead.found(new: listed)
                for photo in page.photos where photo.flaw == nil {
                    let entry = try Failure.inLedger(known.entry(of: photo))
                    await search.add(photo, at: entry?.item.seq ?? next, entry?.receipt, below: known.folder)
                    if entry == nil { next += 1 }
                }
            }
        } catch {
            if error.cause != .cancelled { rehearsal.failure = error }
        }
        ahead.end()
    }

    private func readLedger(of feed: String, _ search: inout AdoptSearch) async throws(MirrorError) {
        let place = try MirrorFolder.open(reading: folder)
        var last = 0
        while !course.token.isCancelled {
            let entries = try MirrorError.inLedger(place.ledger.entries(after: last, limit: 256))
            guard let end = entries.last else { break }
            last = end.item.seq
            for entry in entries where entry.item.photo.flaw == nil && entry.item.feed == feed {
                await search.add(entry.item.photo, at: entry.item.seq, entry.receipt, below: place.folder)
            }
        }
        place.close()
    }
}

/// Which photos of a source a mirror knows, if there is one.
private struct KnownPlaces {
    let folder: Folder?
    /// The place that a new photo would have.
    let next: Int
    private let ledger: Ledger?
    private let places: [Int: Int]

    init(in path: String, _ source: String, of feed: String) throws(MirrorError) {
        guard let found = try? Folder(path), (try? found.names().contains(MirrorFolder.mark)) == true else {
            (folder, ledger, places, next) = (nil, nil, [:], 1)
            return
        }
        let place = try MirrorFolder.open(reading: path)
        let listed = try MirrorError.inLedger(place.ledger.listed(by: source, of: feed))
        places = Dictionary(listed.map { ($0.key, $0.seq) }) { first, _ in first }
        (folder, ledger) = (place.folder, place.ledger)
        next = (listed.last?.seq ?? 0) + 1
        place.close()
    }

    func entry(of photo: Photo) throws(LedgerError) -> Entry? {
        guard let seq = places[Ledger.key(of: photo)] else { return nil }
        return try ledger?.entry(at: seq)
    }
}

extension AdoptSearch {
    /// Takes in a photo with its receipt; it has need of a file unless it is done and its original stands.
    fileprivate mutating func add(_ photo: Photo, at seq: Int, _ receipt: Receipt?, below folder: Folder?) async {
        let original = receipt?.original
        let stands = original.map { folder?.size(of: $0.path) == $0.bytes } ?? true
        await add(photo, at: seq, isWanted: receipt?.state != .done || !stands, earlier: original)
    }
}
