// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel

/// Downloads URLs into one folder, without a mirror's ledger, thumbnails and gallery.
///
/// Concurrency is bounded in total and per host. Every download ends exactly once, and its last event reports how.
/// Memory depends only on the downloads in flight and in the queue, so a loader may run indefinitely.
public final class Loader: Sendable {
    /// Identifies a download; ``load(_:as:earlyCheck:)`` returns it, and ``cancel(_:)`` takes it.
    public typealias ID = Int

    private let pool: WorkPool
    private let transfers: Transfers
    private let folder: Folder
    private let isFlushed: Bool
    private let tuner: ConcurrencyTuner?
    private let record: @Sendable (LoaderEvent) -> Void

    /// Creates a loader that writes into `folder`, with up to `width` downloads in flight.
    ///
    /// With `first`, the loader starts with that width, and then finds the best width up to `width` itself. With
    /// `flushing`, each file is flushed to disk before it gets its name; otherwise a power failure may lose it.
    /// `record` is called on many threads, in order for each download.
    public convenience init(
        into folder: String, width: Int, adaptingFrom first: Int? = nil, hosts: HostRules = HostRules(),
        options: TransferOptions, flushing: Bool = true, recording record: @escaping @Sendable (LoaderEvent) -> Void
    ) throws(Failure) {
        try self.init(
            into: folder, width: width, adaptingFrom: first, hosts: hosts, options: options, flushing: flushing,
            token: CancellationToken(), recording: record)
    }

    /// Creates a loader all of whose downloads `token` cancels.
    package init(
        into folder: String, width: Int, adaptingFrom first: Int? = nil, hosts: HostRules = HostRules(),
        options: TransferOptions, flushing: Bool = true, token: CancellationToken,
        recording record: @escaping @Sendable (LoaderEvent) -> Void
    ) throws(Failure) {
        self.folder = try Failure.onDisk(Folder(folder, create: true))
        pool = WorkPool(width: width, backlog: width, lookahead: WorkPool.largeLookahead, hosts: hosts, token: token)
        transfers = Transfers(options, pool: pool)
        if let first { pool.resize(to: min(first, width)) }
        tuner = first == nil ? nil : ConcurrencyTuner(pool, upTo: width) { _ in }
        isFlushed = flushing
        self.record = record
    }

    /// Queues a download whose response becomes the file `name`; returns as soon as the queue has room.
    ///
    /// Incomplete data is kept in `NAME.part`. The next load of that name resumes it where that is safe, even in
    /// another process. Do not load the same name twice at the same time.
    @discardableResult
    public func load(_ request: Request, as name: String, earlyCheck: EarlyCheck? = nil) async -> ID {
        await pool.waitForRoom()
        let download = LoaderDownload(request: request, name: name)
        return pool.submit(host: WebAddress(request.url)?.host ?? "") { [self] slot in
            record(.started(download))
            do throws(Failure) {
                let result = try await run(download, slot, earlyCheck)
                if case .complete(let response) = result { tuner?.count(bytes: response.bytes) }
                record(.ended(download, .success(result)))
            } catch {
                record(.ended(download, .failure(error)))
            }
        } dropped: { [record] failure in
            record(.ended(download, .failure(failure)))
        }
    }

    /// Cancels a download in any state; has no effect if it has ended.
    public func cancel(_ id: ID) { pool.cancel(id) }

    /// Cancels all downloads, and those of later calls.
    public func cancelAll() { pool.token.cancel() }

    /// Cancels all downloads from a host that were requested before this call.
    public func cancel(host: String) { pool.cancel(host: host) }

    /// Waits until all downloads have ended.
    public func waitUntilIdle() async { await pool.waitUntilIdle() }

    private func run(
        _ download: LoaderDownload, _ slot: WorkPool.Slot, _ earlyCheck: EarlyCheck?
    ) async throws(Failure) -> DownloadResult {
        let partial = try Failure.onDisk(PartialFile("\(download.name).part", in: folder))
        let result = try await transfers.download(
            download.request, into: partial, slot: slot, earlyCheck: earlyCheck
        ) {
            self.record(.transferEvent(download, $0))
        }
        if case .complete = result {
            let file = try Failure.onDisk(partial.stage(as: download.name, flushed: isFlushed))
            try Failure.onDisk(folder.moveIntoPlace(file))
            if isFlushed { try Failure.onDisk(folder.flushNames(of: [file.name])) }
        } else {
            try? partial.remove()
        }
        return result
    }
}

/// A download of a ``Loader``.
public struct LoaderDownload: Sendable, Hashable {
    /// The request.
    public let request: Request
    /// The name of the file.
    public let name: String
}

/// An event of a ``LoaderDownload``.
public enum LoaderEvent: Sendable {
    /// The download got a slot; a download that is dropped from the queue has no such event.
    case started(LoaderDownload)
    /// An attempt failed, progress was made, or the host was paused.
    case transferEvent(LoaderDownload, TransferEvent)
    /// The download ended; no further events follow.
    case ended(LoaderDownload, Result<DownloadResult, Failure>)
}
