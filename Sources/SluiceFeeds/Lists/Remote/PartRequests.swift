// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// Requests the parts of a file for a thread that waits for them, and remembers why one did not arrive.
final class PartRequests: Sendable {
    private struct State {
        var failure: Failure?
        var hasChanged = false
    }

    private let request: Request
    private let transfers: Transfers
    private let token: CancellationToken
    private let state = Locked(State())

    init(_ request: Request, transfers: Transfers, token: CancellationToken) {
        (self.request, self.transfers, self.token) = (request, transfers, token)
    }

    /// The reason why the last part did not arrive.
    var failure: Failure? { state.withLock { $0.failure } }
    /// Whether the server has another version than the one that was opened.
    var hasChanged: Bool { state.withLock { $0.hasChanged } }

    /// Requests the last bytes; blocks the calling thread, which must not be a task's.
    func end(_ count: Int) throws(Failure) -> RemoteFile.End {
        try Blocking.run { [self] () async throws(Failure) in
            try await transfers.end(of: request, count: count, token: token)
        }
    }

    /// Requests a part; blocks the calling thread, which must not be a task's.
    func read(_ range: Range<Int>, of version: RemoteFile) throws(FileError) -> [UInt8] {
        do throws(Failure) {
            let bytes = try Blocking.run { [self] () async throws(Failure) in
                try await transfers.part(of: version, range, request, token: token)
            }
            if let bytes { return bytes }
            state.withLock { $0.hasChanged = true }
        } catch {
            state.withLock { $0.failure = error }
        }
        throw FileError(unreadable: request.url, because: "the part has not arrived")
    }
}

/// Runs tasks for a thread that waits for them.
enum Blocking {
    /// Waits for the result of a task; the calling thread must not be that of a task, because these are few.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = OneShot<Result<Value, Failure>>()
        Task {
            do throws(Failure) { result.set(.success(try await body())) } catch { result.set(.failure(error)) }
        }
        return try result.waitForValue().get()
    }
}
