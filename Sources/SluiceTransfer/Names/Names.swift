// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Finds hosts' addresses: each name once, however many transfers ask for it at the same time.
///
/// libcurl would start a look-up for each transfer that finds its cache empty, and a thread for each.
final class Names: Sendable {
    /// So many look-ups run at a time: a dead name server holds one for many seconds.
    private static let width = 16

    private struct State {
        var table = NameTable()
        var waiters: [NameTable.Waiter: OneShot<NameTable.Answer>] = [:]
        var lastWaiter = 0
        var idle = (0..<Names.width).map { DispatchQueue(label: "sluice.names.\($0)") }
        var pending: [String] = []
    }

    /// Asks name servers; it may take long, and runs on a thread of its own.
    typealias LookUp = @Sendable (String) -> LookUpResult

    private let state = Locked(State())
    private let lookUp: LookUp
    private let now: @Sendable () -> ContinuousClock.Instant

    init(lookUp: @escaping LookUp = systemLookUp, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.lookUp = lookUp
        self.now = now
    }

    /// The addresses of a name, in the order in which they should be tried.
    func addresses(of name: String, within timeout: Duration, token: Token) async throws(Failure) -> [NetworkAddress] {
        let answer = OneShot<NameTable.Answer>()
        let (waiter, reply) = state.withLock { state in
            state.lastWaiter += 1
            let reply = state.table.ask(name, as: state.lastWaiter, now: now())
            if case .answered = reply {} else { state.waiters[state.lastWaiter] = answer }
            return (state.lastWaiter, reply)
        }
        switch reply {
        case .answered(let answer): return try answer.get()
        case .wait: break
        case .lookUp: begin(name)
        }
        let handler = token.onCancel { answer.give(.failure(Failure($0, ""))) }
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(timeout.milliseconds))
        timer.setEventHandler { answer.give(.failure(Failure(.dns, "\(name): no answer for \(timeout.inWords)"))) }
        timer.activate()
        let result = await answer.value()
        timer.cancel()
        withExtendedLifetime(handler) {}
        _ = state.withLock { $0.waiters.removeValue(forKey: waiter) }
        return try result.get()
    }

    /// Takes note that none of a name's addresses could be reached: the next transfer may look it up again.
    func doubt(_ name: String) {
        state.withLock { $0.table.doubt(name, now: now()) }
    }

    private func begin(_ name: String) {
        let queue = state.withLock { state in
            let queue = state.idle.popLast()
            if queue == nil { state.pending.append(name) }
            return queue
        }
        if let queue { run(name, on: queue) }
    }

    private func run(_ name: String, on queue: DispatchQueue) {
        queue.async { [self] in
            let result = lookUp(name)
            let (waiters, next) = state.withLock { state in
                let ids = state.table.found(result.answer, isFinal: result.isFinal, for: name, now: now())
                let next = state.pending.isEmpty ? nil : state.pending.removeFirst()
                if next == nil { state.idle.append(queue) }
                return (ids.compactMap { state.waiters[$0] }, next)
            }
            for waiter in waiters { waiter.give(result.answer) }
            if let next { run(next, on: queue) }
        }
    }
}
