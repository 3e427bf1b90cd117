// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// The room's face: asks hosts for things, follows redirects, tries again, and gives every fault its name.
public final class Transfers: Sendable {
    /// How transfers behave.
    public let options: TransferOptions
    let loop: TransferLoop
    let names: Names
    let pool: WorkPool
    let robots = RobotsBook()
    private let flights = Flights()
    let fallback = Locked(HTTPFallback())

    /// Told what happens between a request and its end.
    public typealias Observer = @Sendable (TransferEvent) -> Void
    /// Finds a failure in a reply with a good status: some services say in words alone that they are busy, and some files
    /// end too early for their format where HTTP has nothing to say against them.
    public typealias Check = @Sendable (Response) throws(Failure) -> Void

    /// Starts the transfer loop; it ends with this object, behind what is under way.
    ///
    /// `pool` knows the hosts: whom to ask how often, and whom to leave alone.
    public convenience init(_ options: TransferOptions, pool: WorkPool = WorkPool(width: 1, backlog: 1)) {
        self.init(options, names: Names(), pool: pool)
    }

    init(_ options: TransferOptions, names: Names, pool: WorkPool = WorkPool(width: 1, backlog: 1)) {
        self.options = options
        self.names = names
        self.pool = pool
        loop = TransferLoop(options)
    }

    /// How many bytes of bodies have arrived so far, of pages and photos alike.
    public var received: Int { loop.traffic.received }

    /// Fetches a reply into memory; it takes no slot of the pool.
    ///
    /// What `check` throws is treated as what a status says: tried again where that can help, and the host left alone.
    public func fetch(
        _ request: Request, token: Token, observer: Observer = { _ in }, checking check: Check = { _ in }
    ) async throws(Failure) -> Response {
        try await attempts(request, into: .memory, FreeTurn(pool: pool, token: token), check, observer)
    }

    /// Downloads a reply into a file, behind what an earlier download of the same address left there where that is safe.
    ///
    /// Whoever calls leaves the file alone until this returns. If it throws, the file is gone, or has a note beside it by
    /// which the next download goes on. The judge looks at what arrives. It takes no slot of the pool.
    public func download(
        _ request: Request, into partial: PartialFile, token: Token, judging judge: Judge? = nil,
        observer: @escaping Observer = { _ in }
    ) async throws(Failure) -> Arrival {
        try await download(
            request, into: partial, FreeTurn(pool: pool, token: token), judging: judge, { _ in }, observer)
    }

    /// Downloads for an item of the pool: between attempts, and while it waits for another host or for another's download
    /// of the same, others have its slot.
    ///
    /// `check` looks at the whole file. What it throws is treated as what a status says, and what arrived is forgotten;
    /// it is not asked about another's download of the same.
    public func download(
        _ request: Request, into partial: PartialFile, slot: WorkPool.Slot, judging judge: Judge? = nil,
        observer: @escaping Observer = { _ in }, checking check: @escaping Check = { _ in }
    ) async throws(Failure) -> Arrival {
        try await download(request, into: partial, slot as any Turn, judging: judge, check, observer)
    }

    private func download(
        _ request: Request, into partial: PartialFile, _ turn: any Turn, judging judge: Judge?,
        _ check: @escaping Check, _ observer: @escaping Observer
    ) async throws(Failure) -> Arrival {
        var earlier: Flight?
        while true {
            switch flights.join(request, into: partial, behind: earlier) {
            case .lead:
                do throws(Failure) {
                    let arrival = try await land(request, in: partial, turn, judging: judge, check, observer)
                    flights.end(request, with: .success(arrival))
                    return arrival
                } catch {
                    flights.end(request, with: .failure(error))
                    throw error
                }
            case .follow(let flight):
                do throws(Failure) {
                    try await turn.stepAside(until: flight)
                    if let arrival = try flight.take(into: partial) { return arrival }
                    earlier = flight
                } catch {
                    try? partial.remove()
                    throw error
                }
            }
        }
    }

    private func land(
        _ request: Request, in partial: PartialFile, _ turn: any Turn, judging judge: Judge?,
        _ check: @escaping Check, _ observer: @escaping Observer
    ) async throws(Failure) -> Arrival {
        let landing: Landing
        do throws(Failure) {
            landing = try Landing(partial, for: request.url, judge: judge) {
                observer(.progressed(bytes: $0, total: $1))
            }
        } catch {
            try? partial.remove()
            throw error
        }
        do throws(Failure) {
            if let declined = landing.declined { return decline(declined, landing) }
            let response = try await attempts(
                request, into: .file(landing), turn,
                { (response) throws(Failure) in
                    guard landing.declined == nil, response.status != 304 else { return }
                    do throws(Failure) {
                        try check(response)
                    } catch {
                        try landing.restart()
                        throw error
                    }
                }, observer)
            if let declined = landing.declined { return decline(declined, landing) }
            try landing.removeNote()
            return response.status == 304 ? .unchanged(response) : .whole(response)
        } catch {
            landing.leave(after: error)
            throw error
        }
    }

    private func decline(_ declined: Declined, _ landing: Landing) -> Arrival {
        landing.discard()
        return .declined(declined)
    }
}
