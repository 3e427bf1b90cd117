// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A list as a feed: a file, a pipe or standard input, read page by page and never whole.
///
/// It has one reader, who asks for one page behind the other. A cursor is the number of records before its page; a feed
/// that was opened anew passes over so many.
final class ListFeed: Feed {
    /// Enough that a page costs little, and few enough that the first comes soon.
    private static let pageSize = 1000

    private struct State {
        var reader: ListReader?
        /// What ended the reading in the middle of a page; the next page fails with it.
        var failure: Failure?
    }

    let name = "list"
    let defaultVariant = ListRecord.variant
    let longest: Int? = nil
    private let path: String
    private let options: ListOptions
    private let state = Locked(State())

    /// Describes the feed; nothing is opened before the first page.
    init(_ path: String, options: ListOptions) {
        self.path = path
        self.options = options
    }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        let first = cursor.flatMap { Int($0.rawValue) } ?? 0
        // Held over the reading: nobody else waits for it.
        return try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            let reader =
                if let open = state.reader { open } else {
                    try ListReader(path, options: options, token: token)
                }
            while reader.count < first, try reader.next() != nil {}
            let isFirst = state.reader == nil
            state.reader = reader
            var page = Page(number: number, photos: [])
            page.photos.reserveCapacity(Self.pageSize)
            do throws(Failure) {
                while page.photos.count < Self.pageSize, let photo = try reader.next() { page.photos.append(photo) }
            } catch {
                // What was found before it is a page all the same.
                guard !page.photos.isEmpty, error.cause != .cancelled else { throw error }
                state.failure = error
            }
            let isMore = page.photos.count == Self.pageSize || state.failure != nil
            if isMore { page.next = Cursor(rawValue: "\(reader.count)") }
            if isFirst, let note = reader.note { page.notes.append(note) }
            return page
        }
    }
}
