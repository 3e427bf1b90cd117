// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel

/// What a run would take up, counted without a request to a photo's host and without a file.
public struct Rehearsal: Sendable, Hashable {
    /// How many photos would be fetched.
    public internal(set) var photos = 0
    /// How many records are none that could be fetched.
    public internal(set) var failed = 0
    /// How many pages were read.
    public internal(set) var pages = 0
    /// Why the walk ended before the feed's end, if it did.
    public internal(set) var failure: Failure?
    /// What was odd and lost nothing but itself.
    public internal(set) var notes: [String] = []
}

extension Mirror {
    /// Reads the feed as a run would, and hands on a line in the manifest's form for each photo that it would take up.
    ///
    /// Nothing is kept: no folder is made and no ledger read, so that photos that an earlier run did are lines, too. It
    /// ends early where `write` returns false, and by ``stop(_:)``.
    public func rehearse(writing write: ([UInt8]) -> Bool) async throws(MirrorError) -> Rehearsal {
        let open = try OpenFeed(source, options: options, width: 1, token: course.token)
        var ahead = LookAhead(Walk(open.feed, limit: options.pages), token: course.token)
        var selector = Selector(options.selection)
        var rehearsal = Rehearsal()
        var lines = RehearsalLines(feed: open.feed.name, variant: options.variant ?? open.feed.defaultVariant)
        do throws(Failure) {
            while !selector.isOver, let number = ahead.nextNumber, var page = try await ahead.next() {
                let listed = page.photos.count
                selector.narrow(&page)
                rehearsal.pages = number
                rehearsal.notes += page.notes
                try ahead.found(new: listed)
                let wanted = (options.maxItems ?? .max) - rehearsal.photos - rehearsal.failed
                let isMore = page.photos.count < wanted && !selector.isOver
                // The feed is read while these lines are written.
                if isMore { ahead.begin() }
                for photo in page.photos.prefix(wanted) { lines.add(photo, page: number, to: &rehearsal) }
                guard lines.lines.hand(to: write), isMore else { break }
            }
        } catch {
            rehearsal.failure = error
        }
        ahead.end()
        return rehearsal
    }
}

/// Photos as lines of a manifest: left for later, or failed where that is certain already.
private struct RehearsalLines {
    let feed: String
    let variant: String
    var lines = ManifestLines()
    private var seq = 0

    init(feed: String, variant: String) {
        self.feed = feed
        self.variant = variant
    }

    mutating func add(_ photo: Photo, page: Int, to rehearsal: inout Rehearsal) {
        var receipt = Receipt(.skipped, failure: Failure(.deferred, ""))
        if let flaw = photo.flaw {
            receipt.end(with: flaw)
        } else if let variant = photo.variant(named: variant) {
            receipt.begin(variant, of: photo)
        } else {
            receipt.end(with: Failure(.policy, "the photo has no variant \(variant)"))
        }
        if receipt.state == .failed { rehearsal.failed += 1 } else { rehearsal.photos += 1 }
        seq += 1
        lines.add(Item(seq: seq, feed: feed, page: page, photo: photo), receipt)
    }
}

extension ManifestLines {
    /// Hands on the lines since the last call; false if nobody wants more.
    mutating func hand(to write: ([UInt8]) -> Bool) -> Bool {
        defer { removeAll() }
        return write(bytes)
    }
}
