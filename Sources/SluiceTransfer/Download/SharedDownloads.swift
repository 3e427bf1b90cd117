// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Combines concurrent downloads of the same request: the first caller downloads, and the others copy its file.
final class SharedDownloads: Sendable {
    /// The part of a caller in a shared download.
    enum Role {
        /// Download the file, and report the result to ``finish(_:with:)``.
        case lead
        /// Wait for this download, and then copy its result.
        case follow(SharedDownload)
    }

    private let inProgress = Locked<[Request: SharedDownload]>([:])

    /// Joins the download of a request; `earlier` is a cancelled one that the caller waited for.
    ///
    /// All callers who waited for a cancelled download join its successor, even after that has finished.
    func join(_ request: Request, into partial: PartialFile, after earlier: SharedDownload? = nil) -> Role {
        inProgress.withLock { inProgress in
            let download = earlier?.successor ?? inProgress[request] ?? SharedDownload()
            guard download.begin(with: partial) else { return .follow(download) }
            inProgress[request] = download
            return .lead
        }
    }

    /// Finishes a download; later callers start a new one.
    ///
    /// If it was cancelled and others wait for it, they share a successor.
    func finish(_ request: Request, with result: Result<DownloadResult, Failure>) {
        let download = inProgress.withLock { inProgress in
            let download = inProgress.removeValue(forKey: request)
            if download?.hasWaiters == true, case .failure(let failure) = result, failure.cause == .cancelled {
                inProgress[request] = download?.makeSuccessor()
            }
            return download
        }
        download?.finish(result)
    }
}

/// A download that several callers may wait for.
final class SharedDownload: Sendable {
    private struct State {
        /// The leader's file, open as long as this object exists; `nil` until the download begins.
        var partial: PartialFile?
        var result: Result<DownloadResult, Failure>?
        var handlers: [@Sendable () -> Void] = []
        var successor: SharedDownload?
    }

    private let state = Locked(State())

    /// The download that replaces this one for its waiters, if it was cancelled.
    var successor: SharedDownload? { state.withLock { $0.successor } }

    var hasWaiters: Bool { state.withLock { !$0.handlers.isEmpty } }

    /// Begins the download into the leader's file; returns `false` if it has begun already.
    func begin(with partial: PartialFile) -> Bool {
        state.withLock { state in
            guard state.partial == nil else { return false }
            state.partial = partial
            return true
        }
    }

    /// Creates the download that replaces this one for its waiters.
    func makeSuccessor() -> SharedDownload {
        let successor = SharedDownload()
        state.withLock { $0.successor = successor }
        return successor
    }

    /// Calls `body` when the download finishes, or immediately if it has finished.
    func onFinish(_ body: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if state.result == nil { state.handlers.append(body) }
            return state.result != nil
        }
        if isFinished { body() }
    }

    func finish(_ result: Result<DownloadResult, Failure>) {
        let handlers = state.withLock { state in
            state.result = result
            defer { state.handlers = [] }
            return state.handlers
        }
        for handler in handlers { handler() }
    }

    /// Copies the leader's file into `own` and returns its result; `nil` if the leader was cancelled.
    func copyResult(into own: PartialFile) throws(Failure) -> DownloadResult? {
        let (result, partial) = state.withLock { ($0.result, $0.partial) }
        switch result {
        case nil: return nil
        case .failure(let failure) where failure.cause == .cancelled: return nil
        case .failure(let failure): throw failure
        case .success(let result):
            guard case .complete(var response) = result, let partial else { return result }
            try Failure.onDisk(Self.copy(partial, into: own))
            response.times = nil
            return .complete(response)
        }
    }

    private static func copy(_ partial: PartialFile, into own: PartialFile) throws(FileError) {
        try own.removeNote()
        try own.truncate()
        var offset = 0
        while true {
            let chunk = try partial.read(at: offset, count: 1 << 20)
            guard !chunk.isEmpty else { return }
            try own.write(chunk)
            offset += chunk.count
        }
    }
}
