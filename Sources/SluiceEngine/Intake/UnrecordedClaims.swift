// SPDX-License-Identifier: MIT

internal import SluiceLedger
package import SluiceModel

/// Accepts each photo once, as the ledger does, but keeps the photos seen in memory: about 16 bytes per photo.
///
/// Dry runs use it, because they do not write to a ledger.
package struct UnrecordedClaims: PageClaiming {
    /// For each photo seen, by its key, a hash of the URLs that were listed first.
    private var seen: [Int: Int32] = [:]

    package init() {}

    /// The keys of all photos seen.
    package var keys: Dictionary<Int, Int32>.Keys { seen.keys }

    package mutating func claim(_ page: Page, conflict: (Photo) -> Void) throws(Failure) -> [Photo] {
        var new: [Photo] = []
        new.reserveCapacity(page.photos.count)
        for photo in page.photos {
            let (key, hash) = (Ledger.key(of: photo), Self.hash(of: photo))
            if let first = seen[key] {
                if first != hash { conflict(photo) }
            } else {
                seen[key] = hash
                new.append(photo)
            }
        }
        return new
    }

    private static func hash(of photo: Photo) -> Int32 {
        var hasher = Hasher()
        for variant in photo.variants { hasher.combine(variant.url) }
        return Int32(truncatingIfNeeded: hasher.finalize())
    }
}

/// Counts pages and collects notes from the events of a page reader.
package final class DryRunProgress: Sendable {
    private let state = Locked((pages: 0, notes: [String]()))

    package init() {}

    /// The number of pages read.
    package var pages: Int { state.withLock { $0.pages } }
    /// The notes on the pages.
    package var notes: [String] { state.withLock { $0.notes } }

    /// Records an event.
    package func record(_ event: Event) {
        switch event {
        case .pageLoaded: state.withLock { $0.pages += 1 }
        case .note(let note, _): state.withLock { $0.notes.append(note) }
        default: break
        }
    }
}
