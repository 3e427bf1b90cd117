// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet
internal import SluiceTransfer

/// A list at an address, which is read page by page while it arrives.
///
/// A text is downloaded to a temporary file and read behind the download. Of a Parquet file, only the parts that are
/// read are requested, if the server states their version. If the list changes meanwhile, it is read again from its
/// beginning, so that no page has records of two versions. Cursors are those of a ``ListFeed`` with a prefix.
final class RemoteList: Sendable {
    private static let prefix = "list\n"
    /// Follows the prefix once for each time that the list has changed, so that the walk does not take it for a loop.
    private static let repetition = "again\n"
    /// The number of changes after which reading ends.
    private static let maxChanges = 3

    private struct State {
        var feed: ListFeed?
        /// The requests for its parts; `nil` if it is downloaded.
        var parts: PartRequests?
        var download: ListDownload?
        /// Whether the server sends parts; `nil` before it was asked.
        var sendsParts: Bool?
        var changes = 0
    }

    private let address: String
    private let transfers: Transfers
    private let options: FeedOptions
    private let state = Locked(State())

    init(address: String, transfers: Transfers, options: FeedOptions) {
        (self.address, self.transfers, self.options) = (address, transfers, options)
    }

    deinit { state.withLock { $0.download?.cancel() } }

    /// Whether an address names a list by its ending, for example `/photos.csv.gz`.
    static func isNamed(by address: String) -> Bool {
        guard let name = WebAddress(address)?.pathComponents.last else { return false }
        return ListName.isList(name)
    }

    /// Whether a cursor is one of a list.
    static func owns(_ cursor: Cursor) -> Bool { cursor.rawValue.hasPrefix(prefix) }

    /// Whether a list is known to be at the address.
    var isOpen: Bool { state.withLock { $0.feed != nil } }

    /// Returns a page; the first one opens the list, unless the caller has received all of its bytes.
    func page(
        _ number: Int, at cursor: Cursor?, received bytes: [UInt8]? = nil, token: CancellationToken
    ) async throws(Failure) -> Page {
        let place = cursor.flatMap { Int($0.rawValue.split(separator: "\n").last ?? "")?.within(Quantity.range) } ?? 0
        // Reading waits for the list's bytes, and tasks have only one thread per core.
        let result = await DedicatedThread.run { [self] in
            Result { () throws(Failure) in try read(number, from: place, received: bytes, token: token) }
        }
        return try result.get()
    }

    /// The failure of an address whose reply has no bytes.
    static func empty(_ address: String) -> Failure {
        Failure(.feedParse, "'\(Userinfo.split(address).url)' is empty")
    }

    private var name: String { Userinfo.split(address).url }

    private func read(
        _ number: Int, from place: Int, received bytes: [UInt8]?, token: CancellationToken
    ) throws(Failure) -> Page {
        var (state, place) = (state.withLock(\.self), place)
        while true {
            defer { self.state.withLock { $0 = state } }
            do throws(Failure) {
                if state.feed == nil { try open(&state, received: bytes, token: token) }
                guard let feed = state.feed else { throw Self.empty(address) }
                let cursor = place == 0 ? nil : Cursor(rawValue: "\(place)")
                var page = try feed.readPage(number, at: cursor, token: token)
                let prefix = Self.prefix + String(repeating: Self.repetition, count: state.changes)
                page.next = page.next.map { Cursor(rawValue: prefix + $0.rawValue) }
                return page
            } catch {
                guard state.parts?.hasChanged == true || state.download?.hasChanged == true else {
                    // The readers know files only.
                    let failure = error.cause == .disk ? state.parts?.failure ?? state.download?.failure : nil
                    // Nothing reads the rest, which may have no end.
                    state.download?.cancel()
                    throw failure ?? error
                }
            }
            state.changes += 1
            guard state.changes <= Self.maxChanges else {
                throw Failure(.feedParse, "'\(name)' changed \(state.changes) times while it was read")
            }
            place = 0
            if state.parts != nil {
                state.parts = nil
                try download(&state, token: token)
            }
            state.feed = nil
        }
    }

    private func open(_ state: inout State, received bytes: [UInt8]?, token: CancellationToken) throws(Failure) {
        if state.download == nil {
            if bytes == nil, ListName.isParquet(address), try requestParts(&state, token: token) { return }
            if let bytes { state.download = try ListDownload(of: bytes) } else { try download(&state, token: token) }
        }
        guard let download = state.download else { return }
        let isParquet = try download.begins(with: ParquetReader.magic, token: token)
        if isParquet, !download.isComplete, state.sendsParts == nil, try requestParts(&state, token: token) {
            download.cancel()
            state.download = nil
            return
        }
        let content: ListContent
        if isParquet {
            try download.waitForEnd(token: token)
            content = .parquet { () throws(FileError) in LocalParquetFile(try download.file()) }
        } else {
            content = .text { () throws(FileError) in FollowedFile(download) }
        }
        state.feed = ListFeed(name, content: content, options: options.list)
    }

    private func download(_ state: inout State, token: CancellationToken) throws(Failure) {
        let request = Request(address, limit: 1 << 42, timeout: .seconds(24 * 3600))
        state.download = try ListDownload(of: request, through: transfers, token: token)
    }

    /// Opens the list as a Parquet file of which parts are requested; returns false if the server sends none.
    private func requestParts(_ state: inout State, token: CancellationToken) throws(Failure) -> Bool {
        let request = Request(address, timeout: .seconds(300))
        let parts = PartRequests(request, transfers: transfers, token: token)
        state.sendsParts = false
        switch try parts.end(RequestedParts.endSize) {
        case .unsupported: return false
        case .whole(let bytes):
            guard bytes.starts(with: ParquetReader.magic) else { return false }
            let content = ListContent.parquet { () throws(FileError) in
                // All of it is known, so that no part is requested.
                RequestedParts(size: bytes.count, end: bytes) { (_) throws(FileError) in [] }
            }
            state.feed = ListFeed(name, content: content, options: options.list)
        case .part(let version, let end):
            guard end.suffix(ParquetReader.magic.count).elementsEqual(ParquetReader.magic) else { return false }
            let content = ListContent.parquet { () throws(FileError) in
                RequestedParts(size: version.size, end: end) { (range) throws(FileError) in
                    try parts.read(range, of: version)
                }
            }
            state.feed = ListFeed(name, content: content, options: options.list)
            state.parts = parts
        }
        return true
    }
}
