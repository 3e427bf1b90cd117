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

    func join(_ request: Request, into partial: PartialFile) -> Part {
        underWay.withLock { underWay in
            if let flight = underWay[request] { return .follow(flight) }
            underWay[request] = Flight(partial)
            return .lead
        }
    }

    /// Ends a flight; who asks from now on asks the host.
    func end(_ request: Request, with result: Result<Arrival, Failure>) {
        underWay.withLock { $0.removeValue(forKey: request) }?.end(result)
    }
}

/// One download that several may wait for.
final class Flight: Sendable {
    private struct State {
        var result: Result<Arrival, Failure>?
        var waiting: [@Sendable () -> Void] = []
    }

    private let partial: PartialFile
    private let state = Locked(State())

    /// The file stays open with the flight, whatever becomes of its name.
    init(_ partial: PartialFile) { self.partial = partial }

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
        switch state.withLock({ $0.result }) {
        case nil: return nil
        case .failure(let failure) where failure.cause == .cancelled: return nil
        case .failure(let failure): throw failure
        case .success(let arrival):
            guard case .whole(var response) = arrival else { return arrival }
            try copy(into: own)
            response.times = nil
            return .whole(response)
        }
    }

    private func copy(into own: PartialFile) throws(Failure) {
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
