// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel
internal import Synchronization

/// Runs all HTTP exchanges on one thread with libcurl's multi interface.
///
/// The thread owns all sockets and only moves bytes: name resolution and decoding happen on other threads. Starting or
/// cancelling an exchange wakes it, so a cancellation takes effect immediately rather than at the next byte.
final class TransferLoop: Sendable {
    private let inbox = Locked(Inbox())
    /// `nil` if the system refused a thread or file descriptors.
    private let multi: MultiHandle?
    private let throttle: BandwidthThrottle?
    let counter: ByteCounter

    fileprivate struct Inbox {
        var starts: [HTTPExchange] = []
        var cancellations: [(HTTPExchange.ID, Cause)] = []
        /// The new limit of the bandwidth, if it changes.
        var bandwidth: Int?
        var lastID: HTTPExchange.ID = 0
        var isClosed = false

        /// Returns the content, and removes the starts, the cancellations and the limit.
        mutating func take() -> Inbox {
            defer { (starts, cancellations, bandwidth) = ([], [], nil) }
            return self
        }
    }

    init(_ options: TransferOptions) {
        _ = Self.globalSetup
        let multi = MultiHandle(
            connections: max(options.connections, options.keptConnections), idleTime: options.idleTime)
        counter = ByteCounter(limit: options.transferLimit)
        throttle = options.bandwidth.map { BandwidthThrottle(bytesPerSecond: $0) }
        let firstByteTimeout = options.firstByteTimeout
        let isRunning = DedicatedThread.start { [inbox, throttle] in
            if let multi {
                Self.run(inbox: inbox, multi: multi, throttle: throttle, firstByteTimeout: firstByteTimeout)
            }
        }
        self.multi = isRunning ? multi : nil
    }

    deinit {
        inbox.withLock { $0.isClosed = true }
        multi?.wake()
    }

    /// Changes the limit of the bandwidth; without effect if the transfers began without one.
    func setBandwidth(_ bytesPerSecond: Int) {
        inbox.withLock { $0.bandwidth = bytesPerSecond }
        multi?.wake()
    }

    /// Performs one exchange; fails with the token's cause if that is cancelled.
    func perform(_ spec: RequestSpec, options: TransferOptions, token: CancellationToken) async -> ExchangeResult {
        guard let multi else { return Self.unavailable }
        let answer = OneShot<ExchangeResult>()
        let handler = start(spec, in: multi, options: options, answer: answer, token: token)
        let result = await answer.value()
        withExtendedLifetime(handler) {}
        return Self.result(result, unlessCancelled: token)
    }

    /// Performs one exchange, and blocks the calling thread until it has ended.
    func performBlocking(_ spec: RequestSpec, options: TransferOptions, token: CancellationToken) -> ExchangeResult {
        guard let multi else { return Self.unavailable }
        let answer = OneShot<ExchangeResult>()
        let handler = start(spec, in: multi, options: options, answer: answer, token: token)
        let result = answer.waitForValue()
        withExtendedLifetime(handler) {}
        return Self.result(result, unlessCancelled: token)
    }

    private static var unavailable: ExchangeResult {
        ExchangeResult(
            result: .failure(Failure(.internal, "cannot start transfers: no threads or file descriptors are left")),
            mayBlameHTTP2: false)
    }

    /// The last bytes may arrive before the loop sees the cancellation; a cancelled exchange never succeeds.
    private static func result(_ result: ExchangeResult, unlessCancelled token: CancellationToken) -> ExchangeResult {
        guard token.isCancelled, let cause = token.cause else { return result }
        return ExchangeResult(result: .failure(Failure(cause, "")), mayBlameHTTP2: result.mayBlameHTTP2)
    }

    /// Starts an exchange, which the token cancels while the returned handler exists.
    private func start(
        _ spec: RequestSpec, in multi: MultiHandle, options: TransferOptions, answer: OneShot<ExchangeResult>,
        token: CancellationToken
    ) -> CancellationToken.Handler {
        let id = start(spec, in: multi, options: options, answer: answer)
        return token.onCancel { [inbox, multi] cause in
            inbox.withLock { $0.cancellations.append((id, cause)) }
            multi.wake()
        }
    }

    private func start(
        _ spec: RequestSpec, in multi: MultiHandle, options: TransferOptions, answer: OneShot<ExchangeResult>
    ) -> HTTPExchange.ID {
        let id = inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        let exchange = HTTPExchange(
            spec, id: id, options: options, throttle: throttle, counter: counter, answer: answer)
        inbox.withLock { $0.starts.append(exchange) }
        multi.wake()
        return id
    }

    /// libcurl's global initialisation, once per process.
    private static let globalSetup: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    private static func run(
        inbox: Locked<Inbox>, multi: MultiHandle, throttle: BandwidthThrottle?, firstByteTimeout: Duration
    ) {
        var exchanges = ActiveExchanges(multi: multi, throttle: throttle, firstByteTimeout: firstByteTimeout)
        while true {
            let inbox = inbox.withLock { $0.take() }
            if let bandwidth = inbox.bandwidth { throttle?.setRate(bandwidth) }
            guard exchanges.advance(inbox) else { break }
            multi.wait(until: [exchanges.timeouts.nextDeadline, throttle?.resumeTime].compactMap(\.self).min())
        }
    }
}

/// The exchanges that the loop's thread is performing.
private struct ActiveExchanges {
    let multi: MultiHandle
    let throttle: BandwidthThrottle?
    let firstByteTimeout: Duration
    private(set) var timeouts = FirstByteTimeouts()
    private var active: [HTTPExchange.ID: HTTPExchange] = [:]

    init(multi: MultiHandle, throttle: BandwidthThrottle?, firstByteTimeout: Duration) {
        (self.multi, self.throttle, self.firstByteTimeout) = (multi, throttle, firstByteTimeout)
    }

    /// Processes the inbox and all ready sockets; returns `false` when the loop is closed and nothing is in flight.
    ///
    /// Finished exchanges must be released before the thread waits, because an exchange retains its run, and the run
    /// retains the loop. That is why this is a separate function.
    mutating func advance(_ inbox: TransferLoop.Inbox) -> Bool {
        for id in throttle?.takeResumable() ?? [] { active[id]?.resume() }
        // Finished exchanges are examined before new ones may use their connections.
        finish(multi.perform())
        for exchange in inbox.starts {
            active[exchange.id] = exchange
            timeouts.add(exchange.id, deadline: .now + firstByteTimeout)
            multi.add(exchange)
        }
        // An exchange that has ended in the meantime is no longer active.
        for (id, cause) in inbox.cancellations { end(id) { $0.end(Failure(cause, "")) } }
        if !inbox.starts.isEmpty { finish(multi.startAdded()) }
        for id in timeouts.takeExpired(now: .now, where: { [active] in active[$0]?.hasResponse == false }) {
            end(id) { [firstByteTimeout] in
                $0.end(Failure(.timeout, "\($0.spec.address.host): no response for \(firstByteTimeout.text)"))
            }
        }
        return !inbox.isClosed || !active.isEmpty
    }

    private mutating func finish(_ exchanges: [(HTTPExchange.ID, CURLcode)]) {
        for (id, code) in exchanges {
            // The connection can be examined only before libcurl forgets which one the exchange used.
            let hasSurplus = active[id].map(multi.examineConnection) ?? false
            end(id) { $0.end(code, hasSurplus: hasSurplus) }
        }
    }

    private mutating func end(_ id: HTTPExchange.ID, with finish: (HTTPExchange) -> Void) {
        guard let exchange = active.removeValue(forKey: id) else { return }
        multi.remove(exchange)
        finish(exchange)
    }
}

/// Counts the body bytes of all transfers, and limits those of downloads; reading never blocks.
final class ByteCounter: Sendable {
    private let bytes = Atomic<Int>(0)
    private let downloaded = Atomic<Int>(0)
    private let limit: Int?
    private let limitHandler = Locked<(@Sendable (Int) -> Void)?>(nil)

    init(limit: Int?) { self.limit = limit }

    var total: Int { bytes.load(ordering: .relaxed) }

    /// Whether downloads may receive no further bytes.
    var isUsedUp: Bool { limit.map { downloaded.load(ordering: .relaxed) >= $0 } ?? false }

    /// Sets what happens once when the limit is reached; it is called on the loop's thread.
    func onLimit(_ handler: @escaping @Sendable (Int) -> Void) { limitHandler.withLock { $0 = handler } }

    /// Counts received bytes; returns `false` if they belong to a download after the limit was reached.
    ///
    /// Bytes that have arrived together are never split, so downloads may exceed the limit by one such chunk.
    func admit(_ count: Int, isDownload: Bool) -> Bool {
        guard isDownload else {
            bytes.wrappingAdd(count, ordering: .relaxed)
            return true
        }
        guard !isUsedUp else { return false }
        bytes.wrappingAdd(count, ordering: .relaxed)
        let sum = downloaded.wrappingAdd(count, ordering: .relaxed).newValue
        if isUsedUp { limitHandler.withLock(\.self)?(sum) }
        return true
    }
}
