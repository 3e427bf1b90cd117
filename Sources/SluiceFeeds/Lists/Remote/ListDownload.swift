// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// A list that is downloaded to a temporary file without a name, and can be read meanwhile.
final class ListDownload: Sendable {
    private struct State {
        var failure: Failure?
        var isComplete = false
        var hasChanged = false
        var total: Int?
        /// The number of bytes that were read.
        var read = 0
    }

    /// How far a list whose server states no length may be ahead of its reader.
    static let maxUnreadBytes = 4 << 30

    private let partial: PartialFile
    private let token: CancellationToken
    private let state = Locked(State())
    private let ended = DispatchSemaphore(value: 0)

    /// Begins a download; cancelling the token ends it.
    init(
        of request: Request, through transfers: Transfers, maxUnreadBytes: Int = maxUnreadBytes,
        token: CancellationToken
    ) throws(Failure) {
        partial = try Self.temporaryFile()
        self.token = CancellationToken(below: token)
        Task { [self] in
            do throws(Failure) {
                let observe: Transfers.Observer = { [weak self] event in
                    guard case .progressed(let bytes, let total) = event, let self else { return }
                    let unread = state.withLock { state in
                        state.total = total
                        return bytes - state.read
                    }
                    if total == nil, unread > maxUnreadBytes { self.token.cancel(.tooLarge) }
                }
                _ = try await transfers.download(request, into: partial, token: self.token, observer: observe)
                end(nil)
            } catch {
                let unread = "it is more than \(maxUnreadBytes >> 20) MiB ahead of its reader, and states no length"
                switch error.cause {
                case .emptyBody: end(RemoteList.empty(request.url))
                case .tooLarge where error.detail.isEmpty: end(Failure(.tooLarge, unread))
                default: end(error)
                }
            }
        }
    }

    /// Stores a list that has arrived.
    init(of bytes: [UInt8]) throws(Failure) {
        partial = try Self.temporaryFile()
        token = CancellationToken()
        try Self.onDisk { () throws(FileError) in try partial.write(bytes) }
        end(nil)
    }

    /// Ends the download, if it is in progress.
    func cancel() { token.cancel() }

    /// The reason why the list did not arrive.
    var failure: Failure? { state.withLock { $0.failure } }
    /// Whether all bytes have arrived.
    var isComplete: Bool { state.withLock { $0.isComplete } }
    /// Whether the reader has read bytes of another version than the server sends now.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }
    /// The number of bytes of the whole list, if it is known.
    var size: Int? { isComplete ? try? partial.length : state.withLock { $0.total } }

    /// Waits until the first bytes have arrived, and compares them.
    func begins(with bytes: [UInt8], token: CancellationToken) throws(Failure) -> Bool {
        while try Self.onDisk({ () throws(FileError) in try partial.length }) < bytes.count, !hasEnded {
            try token.check()
            wait(50)
        }
        if let failure { throw failure }
        return try Self.onDisk { () throws(FileError) in try partial.read(at: 0, count: bytes.count) } == bytes
    }

    /// Waits until the whole list has arrived.
    func waitForEnd(token: CancellationToken) throws(Failure) {
        while !hasEnded {
            try token.check()
            wait(50)
        }
        if let failure { throw failure }
    }

    /// Opens the file, so that it can be read at any place.
    func file() throws(FileError) -> OpenFile { try partial.duplicate() }

    private var hasEnded: Bool { state.withLock { $0.isComplete || $0.failure != nil } }

    private func end(_ failure: Failure?) {
        state.withLock { ($0.failure, $0.isComplete) = (failure, failure == nil) }
        ended.signal()
    }

    /// Waits for the end of the download, at most this long.
    private func wait(_ milliseconds: Int32) {
        if ended.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success { ended.signal() }
    }

    /// Creates a file that vanishes however the run ends, because its folder is removed at once.
    private static func temporaryFile() throws(Failure) -> PartialFile {
        try onDisk { () throws(FileError) in
            let folder = try ScratchFolder()
            return try PartialFile("list", in: try Folder(folder.path))
        }
    }

    private static func onDisk<Value>(_ body: () throws(FileError) -> Value) throws(Failure) -> Value {
        do throws(FileError) { return try body() } catch {
            throw Failure(.disk, "cannot store the list: \(error)", scope: .run)
        }
    }

    // MARK: Following

    /// The state of the file for its reader: how many bytes it has, and whether more may follow.
    fileprivate struct Progress {
        var length: Int
        var hasEnded: Bool
        /// See ``PartialFile/edition``.
        var edition: Int
    }

    fileprivate func progress() throws(FileError) -> Progress {
        // Before the length, because bytes may arrive in between.
        let hasEnded = hasEnded
        return Progress(length: try partial.length, hasEnded: hasEnded, edition: partial.edition)
    }

    /// Reads bytes that were in the file while it had this edition; `nil` if it has another one now.
    fileprivate func read(at offset: Int, count: Int, edition: Int) throws(FileError) -> [UInt8]? {
        guard edition.isMultiple(of: 2), partial.edition == edition else { return nil }
        let bytes = try partial.read(at: offset, count: count)
        state.withLock { $0.read = max($0.read, offset + bytes.count) }
        return partial.edition == edition ? bytes : nil
    }

    fileprivate func waitForBytes(_ milliseconds: Int32) { wait(min(milliseconds, 10)) }

    fileprivate func change() { state.withLock { $0.hasChanged = true } }

    /// Forgets that the list has changed, because it is read from its beginning.
    fileprivate func acceptChange() { state.withLock { $0.hasChanged = false } }
}

/// A list that is read behind its download.
///
/// A download that cannot be resumed begins again. Reading continues if the bytes that were read are the same.
final class FollowedFile: ListInput {
    private let download: ListDownload
    private let hash = SHA256()
    private var edition: Int?

    init(_ download: ListDownload) {
        self.download = download
        download.acceptChange()
    }

    private(set) var bytesRead = 0
    var size: Int? { download.size }

    func isReady(within milliseconds: Int32) -> Bool {
        guard let progress = try? download.progress() else { return true }
        if progress.length > bytesRead || progress.hasEnded { return true }
        download.waitForBytes(milliseconds)
        return false
    }

    func read(_ count: Int) throws(FileError) -> [UInt8] {
        while true {
            let progress = try download.progress()
            if edition == nil { edition = progress.edition }
            guard progress.edition == edition || bytesRead == 0 else {
                try compare(progress)
                continue
            }
            edition = progress.edition
            let bytes = try download.read(at: bytesRead, count: count, edition: progress.edition) ?? []
            if !bytes.isEmpty {
                hash.update(bytes)
                bytesRead += bytes.count
                return bytes
            }
            guard progress.hasEnded, progress.edition == edition else {
                download.waitForBytes(.max)
                continue
            }
            if let failure = download.failure {
                throw FileError(unreadable: "the list", because: failure.detail)
            }
            return []
        }
    }

    /// Compares the bytes that were read with those that have arrived again.
    private func compare(_ progress: ListDownload.Progress) throws(FileError) {
        guard progress.length >= bytesRead || progress.hasEnded else { return download.waitForBytes(.max) }
        let again = SHA256()
        var offset = 0
        while offset < bytesRead {
            let count = min(1 << 20, bytesRead - offset)
            guard let bytes = try download.read(at: offset, count: count, edition: progress.edition) else { return }
            guard !bytes.isEmpty else { break }
            again.update(bytes)
            offset += bytes.count
        }
        guard offset == bytesRead, again.currentValue() == hash.currentValue() else {
            download.change()
            throw FileError(unreadable: "the list", because: "it has changed")
        }
        edition = progress.edition
    }
}
