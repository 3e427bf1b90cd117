// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// A list at an address, which is downloaded to a temporary file and read from there page by page.
///
/// So its size does not matter, and the columns of a Parquet file can be read at their places. Cursors are those of a
/// ``ListFeed`` with a prefix.
final class RemoteList: Sendable {
    private static let prefix = "list\n"

    private let address: String
    private let transfers: Transfers
    private let options: FeedOptions
    private let open = Locked<ListFeed?>(nil)

    init(address: String, transfers: Transfers, options: FeedOptions) {
        (self.address, self.transfers, self.options) = (address, transfers, options)
    }

    /// Whether an address names a list by its ending, for example `/photos.csv.gz`.
    static func isNamed(by address: String) -> Bool {
        guard let name = WebAddress(address)?.pathComponents.last else { return false }
        return ListName.isList(name)
    }

    /// Whether a cursor is one of a list.
    static func owns(_ cursor: Cursor) -> Bool { cursor.rawValue.hasPrefix(prefix) }

    /// Returns a page; the first one downloads the list, unless the caller has received all of its bytes.
    func page(
        _ number: Int, at cursor: Cursor?, received bytes: [UInt8]? = nil, token: CancellationToken
    ) async throws(Failure) -> Page {
        let inner = cursor.map { Cursor(rawValue: String($0.rawValue.dropFirst(Self.prefix.count))) }
        var page: Page
        if let feed = open.withLock({ $0 }) {
            page = try await feed.page(number, at: inner, token: token)
        } else {
            let folder = try Self.onDisk { () throws(FileError) in try ScratchFolder() }
            try await store(bytes, in: folder, token: token)
            let feed = ListFeed(
                Userinfo.split(address).url, file: "\(folder.path)/\(Self.fileName)", options: options.list)
            page = try await feed.page(number, at: inner, token: token)
            // The list is open, so it needs no name any more, and vanishes however the run ends.
            folder.removeFiles()
            open.withLock { $0 = feed }
        }
        page.next = page.next.map { Cursor(rawValue: Self.prefix + $0.rawValue) }
        return page
    }

    /// The failure of an address whose reply has no bytes.
    static func empty(_ address: String) -> Failure {
        Failure(.feedParse, "'\(Userinfo.split(address).url)' is empty")
    }

    private static let fileName = "list"

    private func store(_ bytes: [UInt8]?, in folder: ScratchFolder, token: CancellationToken) async throws(Failure) {
        let partial = try Self.onDisk { () throws(FileError) in
            try PartialFile(Self.fileName, in: try Folder(folder.path))
        }
        if let bytes { return try Self.onDisk { () throws(FileError) in try partial.write(bytes) } }
        let request = Request(address, headers: options.headers, limit: 1 << 42, timeout: .seconds(24 * 3600))
        do throws(Failure) { _ = try await transfers.download(request, into: partial, token: token) } catch {
            throw error.cause == .emptyBody ? Self.empty(address) : error
        }
    }

    private static func onDisk<Value>(_ body: () throws(FileError) -> Value) throws(Failure) -> Value {
        do throws(FileError) { return try body() } catch {
            throw Failure(.disk, "cannot store the list: \(error)", scope: .run)
        }
    }
}
