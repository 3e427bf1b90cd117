// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel
internal import SluiceSystem

/// Resolves host names: one lookup per name, however many transfers ask for it at the same time.
///
/// libcurl would start a lookup, and a thread, for each transfer that does not find the name in its cache.
final class Resolver: Sendable {
    /// The number of concurrent lookups; a dead name server blocks one for many seconds.
    private static let width = 16

    private struct State {
        var names = ResolverState()
        var waiters: [ResolverState.Waiter: OneShot<ResolverState.Answer>] = [:]
        var lastWaiter = 0
        var idleQueues = (0..<Resolver.width).map { DispatchQueue(label: "sluice.names.\($0)") }
        var pending: [String] = []
    }

    /// Looks a name up; it may block for a long time, and runs on one of the resolver's queues.
    typealias Lookup = @Sendable (String) -> LookupResult

    private let state = Locked(State())
    private let lookUp: Lookup
    private let now: @Sendable () -> ContinuousClock.Instant

    init(
        lookUp: @escaping Lookup = lookUpWithSystem, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.lookUp = lookUp
        self.now = now
    }

    /// Returns a name's addresses, in the order in which to try them.
    ///
    /// Throws after `timeout`, or as soon as the token is cancelled; the lookup itself continues for other callers.
    func addresses(of name: String, within timeout: Duration, token: CancellationToken) async throws(Failure)
        -> [NetworkAddress]
    {
        let answer = OneShot<ResolverState.Answer>()
        let (waiter, action) = state.withLock { state in
            state.lastWaiter += 1
            let action = state.names.ask(name, as: state.lastWaiter, now: now())
            if case .use = action {} else { state.waiters[state.lastWaiter] = answer }
            return (state.lastWaiter, action)
        }
        switch action {
        case .use(let answer): return try answer.get()
        case .wait: break
        case .lookUp: start(name)
        }
        let handler = token.onCancel { answer.set(.failure(Failure($0, ""))) }
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(timeout.milliseconds))
        timer.setEventHandler { answer.set(.failure(Failure(.dns, "\(name): no answer for \(timeout.text)"))) }
        timer.activate()
        let result = await answer.value()
        timer.cancel()
        withExtendedLifetime(handler) {}
        _ = state.withLock { $0.waiters.removeValue(forKey: waiter) }
        return try result.get()
    }

    /// Reports that none of a name's addresses could be reached, so that the next transfer may look it up again.
    func reportUnreachable(_ name: String) {
        state.withLock { $0.names.reportUnreachable(name, now: now()) }
    }

    private func start(_ name: String) {
        let queue = state.withLock { state in
            let queue = state.idleQueues.popLast()
            if queue == nil { state.pending.append(name) }
            return queue
        }
        if let queue { run(name, on: queue) }
    }

    private func run(_ name: String, on queue: DispatchQueue) {
        queue.async { [self] in
            let result = lookUp(name)
            let (waiters, next) = state.withLock { state in
                let ids = state.names.complete(
                    result.answer, isDefinitive: result.isDefinitive, for: name, now: now())
                let next = state.pending.isEmpty ? nil : state.pending.removeFirst()
                if next == nil { state.idleQueues.append(queue) }
                return (ids.compactMap { state.waiters[$0] }, next)
            }
            for waiter in waiters { waiter.set(result.answer) }
            if let next { run(next, on: queue) }
        }
    }
}

/// The result of one lookup.
struct LookupResult: Sendable {
    var answer: ResolverState.Answer
    /// Whether the answer may be cached; after a temporary failure, the next lookup may succeed.
    var isDefinitive: Bool
}

/// Looks a name up with `getaddrinfo`, which uses the system's hosts file, caches and name servers.
@Sendable func lookUpWithSystem(_ name: String) -> LookupResult {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_ADDRCONFIG
    #if canImport(Darwin)
        unsafe hints.ai_socktype = SOCK_STREAM
    #else
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(name, nil, &hints, &list)
    guard code == 0 else {
        let reason =
            code == EAI_SYSTEM ? unsafe String(cString: strerror(errno)) : unsafe String(cString: gai_strerror(code))
        let isUnknown = code == EAI_NONAME
        let failure = Failure(.dns, "\(name): \(reason)", hint: isUnknown ? .checkHostName : nil)
        return LookupResult(answer: .failure(failure), isDefinitive: isUnknown)
    }
    defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
    var addresses: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
        if let address = unsafe entry.pointee.ai_addr, let number = unsafe NetworkAddress(UnsafeRawPointer(address)) {
            addresses.append(number)
        }
        unsafe next = entry.pointee.ai_next
    }
    return LookupResult(answer: .success(addresses), isDefinitive: true)
}
