// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// A feed of a list: a file, a pipe or standard input, read page by page with bounded memory.
///
/// A cursor is the number of records before its page. A feed that is opened again skips that many records. Pages must
/// be requested one at a time and in order.
final class ListFeed: Feed {
    /// Large enough that a page costs little, small enough that the first page arrives soon.
    private static let pageSize = 1000

    private struct State {
        var reader: ListReader?
        /// The failure that stopped reading in the middle of a page; the next page throws it.
        var failure: Failure?
    }

    let name = "list"
    let defaultVariant = ListRecord.variant
    let maxPages: Int? = nil
    private let path: String
    private let options: ListOptions
    private let state = Locked(State())

    /// Creates the feed; the first page opens the file.
    init(_ path: String, options: ListOptions) {
        self.path = path
        self.options = options
    }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        let first = cursor.flatMap { Int($0.rawValue) } ?? 0
        // Held during I/O, because a feed has a single reader and nothing else waits for this lock.
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
                // Return the photos before the failure as a page.
                guard !page.photos.isEmpty, error.cause != .cancelled else { throw error }
                state.failure = error
            }
            let isMore = page.photos.count == Self.pageSize || state.failure != nil
            if isMore { page.next = Cursor(rawValue: "\(reader.count)") }
            page.share = isMore ? reader.consumedShare : 1
            if isFirst, let note = reader.note { page.notes.append(note) }
            return page
        }
    }
}

/// Reads the records of an open list.
private final class ListReader {
    /// The number of records read so far.
    private(set) var count = 0
    private var buffer: ListBuffer
    private var format: any ListFormat

    /// Opens a file, a pipe, or standard input for `-`, and detects its format.
    init(_ path: String, options: ListOptions, token: CancellationToken) throws(Failure) {
        let file: InputFile
        do throws(FileError) {
            file = try InputFile(path)
        } catch {
            throw Failure(.disk, "\(error)", finalURL: path, scope: .run)
        }
        var buffer = ListBuffer(file, token: token)
        format = try ListFormatDetector.detect(&buffer, options: options)
        self.buffer = buffer
    }

    /// The share of the file that the records so far took, about; `nil` for a pipe.
    var consumedShare: Double? { buffer.consumedShare }

    /// A note for the user about the whole list, known after the first record.
    var note: String? { format.note }

    /// Returns the next record's photo; `nil` after the last.
    func next() throws(Failure) -> Photo? {
        guard let photo = try format.next(from: &buffer) else { return nil }
        count += 1
        return photo
    }
}
