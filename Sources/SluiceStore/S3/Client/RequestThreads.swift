// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel
internal import SluiceTransfer

/// Runs blocking requests on a limited number of threads, which all callers share.
///
/// The requests of the next caller begin while the last ones of the previous caller are still in flight. Threads wait
/// for more work for a short time, because starting one costs as much as a small request.
final class RequestThreads: Sendable {
    /// How long a thread waits for work before it ends.
    private static let idleTimeout = DispatchTimeInterval.milliseconds(200)

    private struct State {
        /// A slice would keep the calls that are removed, which refer to this object, so that none would be released.
        var waiting: [@Sendable () -> Void] = []
        var running = 0
        /// The number of threads that wait for a signal, and have not got one.
        var idle = 0
    }

    private let width: Int
    private let state = Locked(State())
    private let signals = DispatchSemaphore(value: 0)

    init(width: Int) { self.width = width }

    /// Calls `body` for each element, and returns when all calls have returned.
    func forEach<Element: Sendable>(_ elements: [Element], _ body: @escaping @Sendable (Element) -> Void) {
        let group = DispatchGroup()
        for _ in elements { group.enter() }
        let calls: [@Sendable () -> Void] = elements.map { element in
            {
                body(element)
                group.leave()
            }
        }
        add(calls)
        group.wait()
    }

    /// Calls `body`, and suspends until it has returned.
    func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        let result = OneShot<Value>()
        add([{ result.set(body()) }])
        return await result.value()
    }

    private func add(_ calls: [@Sendable () -> Void]) {
        let (woken, new) = state.withLock { state in
            state.waiting += calls
            let woken = min(state.idle, calls.count)
            let new = min(width - state.running, calls.count - woken)
            state.idle -= woken
            state.running += new
            return (woken, new)
        }
        for _ in 0..<woken { signals.signal() }
        for _ in 0..<new where !DedicatedThread.start({ [self] in work() }) {
            // The calling thread does the work of a thread that the system refuses.
            while let call = takeCall() { call() }
            state.withLock { $0.running -= 1 }
        }
    }

    /// Makes calls until there are none for some time.
    private func work() {
        while true {
            while let call = takeCall() { call() }
            let mayWait = state.withLock { state in
                guard state.waiting.isEmpty else { return false }
                state.idle += 1
                return true
            }
            guard mayWait, signals.wait(timeout: .now() + Self.idleTimeout) == .timedOut else { continue }
            let hasEnded = state.withLock { state in
                // If no thread is idle any more, the signal of this one is on its way.
                guard state.idle > 0 else { return false }
                state.idle -= 1
                state.running -= 1
                return true
            }
            if hasEnded { return }
            signals.wait()
        }
    }

    private func takeCall() -> (@Sendable () -> Void)? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
    }
}
