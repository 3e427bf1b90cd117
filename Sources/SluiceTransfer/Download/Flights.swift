// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// The downloads under way: whoever asks for one a second time has it from the first.
final class Flights: Sendable {
    /// What one who asks is to do.
    enum Part {
        /// It is the first, and must say how it ended.
        case lead
        /// It waits, and then takes what the first has.
        case follow(Flight)
    }

    private let underWay = Locked<[Request: Flight]>([:])

    /// Takes part in a download; who waited for one that was called off has its successor, however late it comes.
    func join(_ request: Request, into partial: PartialFile, behind earlier: Flight? = nil) -> Part {
        underWay.withLock { underWay in
            let flight = earlier?.successor ?? underWay[request] ?? Flight()
            guard flight.begin(with: partial) else { return .follow(flight) }
            underWay[request] = flight
            return .lead
        }
    }

    /// Ends a flight; who asks from now on asks the host.
    ///
    /// One that is called off leaves its place to those who wait for it.
    func end(_ request: Request, with result: Result<Arrival, Failure>) {
        let flight = underWay.withLock { underWay in
            let flight = underWay.removeValue(forKey: request)
            if flight?.isWaitedFor == true, case .failure(let failure) = result, failure.cause == .cancelled {
                underWay[request] = flight?.nameSuccessor()
            }
            return flight
        }
        flight?.end(result)
    }
}

/// One download that several may wait for.
final class Flight: Sendable {
    private struct State {
        /// Whose download it is, if somebody has begun: open with the flight, whatever becomes of its name.
        var partial: PartialFile?
        var result: Result<Arrival, Failure>?
        var waiting: [@Sendable () -> Void] = []
        var successor: Flight?
    }

    private let state = Locked(State())

    /// What takes its place for those who wait, if it was called off.
    var successor: Flight? { state.withLock { $0.successor } }

    var isWaitedFor: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Begins with the first one's file; `false` if it has begun.
    func begin(with partial: PartialFile) -> Bool {
        state.withLock { state in
            guard state.partial == nil else { return false }
            state.partial = partial
            return true
        }
    }

    /// Makes the flight that whoever waits for this one begins, or follows.
    func nameSuccessor() -> Flight {
        let successor = Flight()
        state.withLock { $0.successor = successor }
        return successor
    }

    /// Calls `body` when the first has ended; at once, if it has.
    func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.result == nil { state.waiting.append(body) }
            return state.result != nil
        }
        if isOver { body() }
    }

    func end(_ result: Result<Arrival, Failure>) {
        let waiting = state.withLock { state in
            state.result = result
            defer { state.waiting = [] }
            return state.waiting
        }
        for body in waiting { body() }
    }

    /// What the first has, with its bytes copied into `own`; `nil` if it was called off, which is its own affair.
    func take(into own: PartialFile) throws(Failure) -> Arrival? {
        let (result, partial) = state.withLock { ($0.result, $0.partial) }
        switch result {
        case nil: return nil
        case .failure(let failure) where failure.cause == .cancelled: return nil
        case .failure(let failure): throw failure
        case .success(let arrival):
            guard case .whole(var response) = arrival, let partial else { return arrival }
            try Self.copy(partial, into: own)
            response.times = nil
            return .whole(response)
        }
    }

    private static func copy(_ partial: PartialFile, into own: PartialFile) throws(Failure) {
        do throws(FileError) {
            try own.removeNote()
            try own.truncate()
            var offset = 0
            while true {
                let chunk = try partial.read(at: offset, count: 1 << 20)
                guard !chunk.isEmpty else { return }
                try own.write(chunk)
                offset += chunk.count
            }
        } catch {
            throw Failure(.disk, error.description)
        }
    }
}
