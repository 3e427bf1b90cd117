// SPDX-License-Identifier: MIT

internal import SluiceFeeds
public import SluiceModel

/// A list of photos that the program itself reads, page by page, from anywhere.
public protocol PhotoFeed: Sendable {
    /// The name in the manifest and the report.
    var name: String { get }

    /// The variant to download unless the options choose another; `original` by default.
    var defaultVariant: String { get }

    /// Returns the page at a cursor that the page before has; the first page if it is `nil`.
    ///
    /// An interrupted run continues at the cursor of its last page, perhaps in another process. Pages are requested one
    /// after the other; if the run stops, the current task is cancelled. A ``Failure`` is reported with its cause, and
    /// one whose cause may pass is tried again by a later run.
    func page(at cursor: String?) async throws -> PhotoPage
}

extension PhotoFeed {
    /// The variant that `Photo(id:url:)` makes.
    public var defaultVariant: String { Variant.original }
}

/// One page of a ``PhotoFeed``.
public struct PhotoPage: Sendable, Hashable {
    /// The photos, in their order; each one's `variants` have its addresses.
    public var photos: [Photo]
    /// Where the next page begins, as only the feed understands it; `nil` on the last page.
    public var next: String?
    /// The number of photos of the whole feed, if it is known.
    public var total: Int?

    /// Creates a page.
    public init(_ photos: [Photo], next: String? = nil, total: Int? = nil) {
        (self.photos, self.next, self.total) = (photos, next, total)
    }
}

/// A program's feed as a run reads it.
struct ProgramFeed<Pages: PhotoFeed>: Feed {
    let pages: Pages

    var name: String { pages.name }
    var defaultVariant: String { pages.defaultVariant }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let reading = Task { try await pages.page(at: cursor?.rawValue) }
        let handler = token.onCancel { _ in reading.cancel() }
        let result = await reading.result
        withExtendedLifetime(handler) {}
        if token.isCancelled { throw Failure(.cancelled, "") }
        switch result {
        case .success(let page):
            return Page(
                number: number, photos: page.photos.map(\.withValidID), next: page.next.map(Cursor.init),
                total: page.total)
        case .failure(let failure as Failure): throw failure
        case .failure(let error): throw Failure(.feedParse, "\(error)")
        }
    }
}

extension Photo {
    /// The photo, which fails if its id cannot be recorded.
    fileprivate var withValidID: Photo {
        if id.isEmpty { return Photo(invalid: "no id", because: "the photo has no id") }
        guard id.utf8.count > Photo.maxIDLength else { return self }
        return Photo(
            invalid: String(id.unicodeScalars.prefix(64).map(Character.init)),
            because: "the photo has an id of \(id.utf8.count) bytes (limit \(Photo.maxIDLength))")
    }
}
