// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// A feed of a list: a file, a pipe or standard input, read page by page with bounded memory.
///
/// A cursor is the number of records before its page. A feed that is opened again skips that many records. Pages must
/// be requested one at a time and in order.
final class ListFeed: Feed {
    /// Large enough that a page costs little, small enough that the first page arrives soon.
    private static let pageSize = 1000

    private struct State {
        var reader: (any ListReader)?
        /// The note of the last page.
        var note: String?
        /// The number of records read so far.
        var count = 0
        /// The failure that stopped reading in the middle of a page; the next page throws it.
        var failure: Failure?
    }

    let name = "list"
    let defaultVariant = ListRecord.variant
    let maxPages: Int? = nil
    private let path: String
    private let content: ListContent
    private let options: ListOptions
    private let partition: PartitionColumns?
    private let state = Locked(State())

    /// Creates the feed; the first page opens the list.
    ///
    /// With a `content`, `path` only names the list in messages. Its photos have the columns of the `partition`.
    init(
        _ path: String, content: ListContent? = nil, options: ListOptions, partition: PartitionColumns? = nil
    ) {
        self.path = path
        self.content = content ?? .file(path)
        (self.options, self.partition) = (options, partition)
    }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        try readPage(number, at: cursor, token: token)
    }

    /// Reads a page, and blocks the calling thread until its records have arrived.
    func readPage(_ number: Int, at cursor: Cursor?, token: CancellationToken) throws(Failure) -> Page {
        let first = cursor?.position ?? 0
        // Held during I/O, because a feed has a single reader and nothing else waits for this lock.
        return try state.withLock { state throws(Failure) in
            if let failure = state.failure { throw failure }
            let reader =
                if let open = state.reader { open } else {
                    try ListOpening.open(path, content, options: options, token: token)
                }
            if state.count < first {
                try reader.skip(first - state.count)
                state.count = first
            }
            let isFirst = state.reader == nil
            state.reader = reader
            var page = Page(number: number, photos: [])
            page.hasRows = reader.hasRows
            page.photos.reserveCapacity(Self.pageSize)
            do throws(Failure) {
                while page.photos.count < Self.pageSize, let photo = try reader.next() {
                    page.photos.append(partition?.added(to: photo, options) ?? photo)
                    state.count += 1
                }
            } catch {
                // Return the photos before the failure as a page.
                guard !page.photos.isEmpty, error.cause != .cancelled else { throw error }
                state.failure = error
            }
            let isMore = page.photos.count == Self.pageSize || state.failure != nil
            if isMore { page.next = Cursor(rawValue: "\(state.count)") }
            page.share = isMore ? reader.consumedShare : 1
            if let note = reader.note, note != state.note { page.notes.append(note) }
            state.note = reader.note
            if isFirst, let names = reader.membersWithoutAddress {
                let list = names.joined(separator: ", ")
                throw Failure(
                    .feedParse, "no member is named 'url' or holds an address; the members are \(list)",
                    hint: .chooseAddressColumn)
            }
            if isFirst, page.photos.isEmpty, first == 0, !options.acceptsEmpty {
                let reason = reader.note.map { "has no photos; \($0)" } ?? "is empty"
                throw Failure(.feedParse, "\(path == "-" ? "standard input" : "'\(path)'") \(reason)")
            }
            return page
        }
    }
}

/// `-` for standard input, or the path of a file or pipe: a list of photos.
struct ListSource: SingleFeedKind {
    private let path: String

    var type: SourceType { .list }

    init?(_ text: String) throws(SourceError) {
        guard text == "-" || InputFile.exists(text) else { return nil }
        path = text
    }

    /// Names the list of a plan.
    init(planned path: String) { self.path = path }

    /// A list may name photos on any host.
    var politeness: Politeness {
        var politeness = Politeness()
        politeness.respectsRobotsTxt = true
        return politeness
    }

    func feed(through transfers: Transfers, options: FeedOptions) -> any Feed {
        ListFeed(path, options: options.ownList)
    }
}
