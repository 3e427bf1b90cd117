// SPDX-License-Identifier: MIT

internal import SluiceFiles
public import SluiceModel

/// Downloads any number of addresses into one folder: a mirror's transfers, for whoever wants no mirror.
///
/// It is bounded in all and for each host; every load that was asked for ends exactly once, and its last event says how.
/// It holds what is in flight or in line and nothing else, so that it may go on for ever.
public final class Loader: Sendable {
    /// What ``load(_:as:)`` gives, and ``cancel(_:)`` takes.
    public typealias ID = WorkPool.ID

    private let pool: WorkPool
    private let transfers: Transfers
    private let folder: Folder
    private let isFlushed: Bool
    private let steering: WidthSteering?
    private let record: @Sendable (LoadEvent) -> Void

    /// Makes a loader with `width` loads in flight at a time, whose files go into `folder`.
    ///
    /// Events are told on many threads, those of one load in their order. With `flushing` each file is on the disk before
    /// it has its name; without, a power cut may take it. Whoever cancels `token` ends all at once. With `first` the loader
    /// begins with so many, and finds by itself how many give the most, up to `width`.
    public init(
        into folder: String, width: Int, adaptingFrom first: Int? = nil, hosts: HostRules = HostRules(),
        options: TransferOptions,
        flushing: Bool = true,
        token: Token = Token(), recording record: @escaping @Sendable (LoadEvent) -> Void
    ) throws(Failure) {
        self.folder = try Failure.onDisk(Folder(folder, create: true))
        pool = WorkPool(width: width, backlog: width, reach: WorkPool.farReach, hosts: hosts, token: token)
        transfers = Transfers(options, pool: pool)
        if let first { pool.resize(to: min(first, width)) }
        steering = first == nil ? nil : WidthSteering(pool, upTo: width) { _ in }
        isFlushed = flushing
        self.record = record
    }

    /// Asks for an address, whose reply becomes the file `name`; returns as soon as there is room for it in line.
    ///
    /// What arrives of it lies beside the file as `NAME.part`, and is gone on with by the next load of that name, in this
    /// process or another, where that is safe. Two loads of one name at once are a mistake. The judge looks at what
    /// arrives, and may end it.
    @discardableResult
    public func load(_ request: Request, as name: String, judging judge: Judge? = nil) async -> ID {
        await pool.room()
        let load = Load(request: request, name: name)
        return pool.submit(host: WebAddress(request.url)?.host ?? "") { [self] slot in
            record(.started(load))
            do throws(Failure) {
                let arrival = try await carry(load, slot, judge)
                if case .whole(let response) = arrival { steering?.count(bytes: response.bytes) }
                record(.ended(load, .success(arrival)))
            } catch {
                record(.ended(load, .failure(error)))
            }
        } dropped: { [record] failure in
            record(.ended(load, .failure(failure)))
        }
    }

    /// Ends one load, wherever it is on its way; one that has ended already is left as it is.
    public func cancel(_ id: ID) { pool.cancel(id) }

    /// Ends every load of a host that was asked for until now.
    public func cancel(host: String) { pool.cancel(host: host) }

    /// Waits until every load has ended.
    public func drained() async { await pool.drained() }

    private func carry(_ load: Load, _ slot: WorkPool.Slot, _ judge: Judge?) async throws(Failure) -> Arrival {
        let partial = try Failure.onDisk(PartialFile("\(load.name).part", in: folder))
        let arrival = try await transfers.download(load.request, into: partial, slot: slot, judging: judge) {
            self.record(.happened(load, $0))
        }
        if case .whole = arrival {
            let file = try Failure.onDisk(partial.stage(as: load.name, flushed: isFlushed))
            try Failure.onDisk(folder.place(file))
            if isFlushed { try Failure.onDisk(folder.flushNames(of: [file])) }
        } else {
            try? partial.remove()
        }
        return arrival
    }
}

/// One address that a ``Loader`` was asked for.
public struct Load: Sendable, Hashable {
    /// What is asked for.
    public let request: Request
    /// The file that it becomes.
    public let name: String
}

/// What happens to a ``Load``.
public enum LoadEvent: Sendable {
    /// It has its slot; not told of one that ends before.
    case started(Load)
    /// An attempt failed, or its host wants to be left alone for a while.
    case happened(Load, TransferEvent)
    /// It is over; nothing of it follows.
    case ended(Load, Result<Arrival, Failure>)
}
