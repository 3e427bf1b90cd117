// SPDX-License-Identifier: MIT

public import SluiceModel

/// Downloads URLs into memory, with limits in total and per host.
///
/// The caller receives the bytes; the loader writes no files.
public final class MemoryLoader: Sendable {
    private let pool: WorkPool
    private let transfers: Transfers

    /// Creates a loader with up to `width` downloads in flight, each of which may hold ``Request/limit`` bytes.
    public init(width: Int = 16, hosts: HostRules = HostRules(), options: TransferOptions) {
        pool = WorkPool(width: width, backlog: width, hosts: hosts)
        transfers = Transfers(options, pool: pool)
    }

    /// Returns the response to a request, which waits until its host and the loader have room for it.
    ///
    /// Cancelling the task cancels the download, in any state.
    public func response(to request: Request) async throws(Failure) -> Response {
        let result = OneShot<Result<Response, Failure>>()
        let cancellation = Locked<(id: WorkPool.ID?, isCancelled: Bool)>((nil, false))
        return try await withTaskCancellationHandler {
            let id = pool.submit(host: WebAddress(request.url)?.host ?? "") { [transfers] slot in
                do throws(Failure) {
                    result.set(.success(try await transfers.fetch(request, slot: slot)))
                } catch {
                    result.set(.failure(error))
                }
            } dropped: { failure in
                result.set(.failure(failure))
            }
            let isCancelled = cancellation.withLock { state in
                state.id = id
                return state.isCancelled
            }
            if isCancelled { pool.cancel(id) }
            return await result.value()
        } onCancel: {
            let id = cancellation.withLock { state in
                state.isCancelled = true
                return state.id
            }
            if let id { pool.cancel(id) }
        }
        .get()
    }

    /// Returns the body of a response.
    public func bytes(from url: String) async throws(Failure) -> [UInt8] { try await response(to: Request(url)).body }
}
