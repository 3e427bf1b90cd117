// SPDX-License-Identifier: MIT

public import SluiceModel

/// A source of photos that is read page by page: a photo service, a list, an RSS feed.
public protocol Feed: Sendable {
    /// The feed's name in the manifest.
    var name: String { get }
    /// The variant to download unless the user chooses another.
    var defaultVariant: String { get }
    /// Loads the page at a cursor from an earlier page, or the first page if the cursor is `nil`.
    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page
    /// Reports a photo's download to the service, if the service requires that.
    func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure)
    /// The maximum number of pages to load; `nil` if the feed is known to be finite.
    var maxPages: Int? { get }
    /// Whether the feed lists each photo once, so that dry runs need not remember them.
    var listsPhotosOnce: Bool { get }
}

extension Feed {
    /// Does nothing: most services do not require download reports.
    public func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {}

    /// 10,000, so that a remote feed without an end cannot keep a run going.
    public var maxPages: Int? { 10_000 }

    /// False: most feeds may repeat photos.
    public var listsPhotosOnce: Bool { false }
}
