// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

/// libcurl's multi interface on a thread of its own, which owns all sockets.
///
/// It only moves bytes: DNS has libcurl's threads, and decoding other people's. Whoever starts or cancels an exchange
/// wakes it, so a cancellation takes effect at once and not at the next byte.
final class TransferLoop: Sendable {
    private let inbox = Locked(Inbox())
    /// `nil` if the system had no thread or no descriptors for it.
    private let multi: MultiHandle?
    private let valve: Valve?
    let traffic = Traffic()

    fileprivate struct Inbox {
        var starts: [Exchange] = []
        var cancels: [(Exchange.ID, Cause)] = []
        var lastID: Exchange.ID = 0
        var isClosed = false

        mutating func takeNews() -> Inbox {
            defer { (starts, cancels) = ([], []) }
            return self
        }
    }

    init(_ options: TransferOptions) {
        _ = Self.library
        let multi = MultiHandle(connections: options.connections)
        valve = options.bandwidth.map { Valve($0) }
        let patience = options.firstByteTimeout
        let isRunning = OwnThread.start { [inbox, valve] in
            if let multi { Self.run(inbox: inbox, multi: multi, valve: valve, patience: patience) }
        }
        self.multi = isRunning ? multi : nil
    }

    deinit {
        inbox.withLock { $0.isClosed = true }
        multi?.wake()
    }

    /// Carries out one exchange; the token's cause ends it.
    func carry(_ wish: Exchange.Wish, options: TransferOptions, token: Token) async -> Exchange.Ending {
        guard let multi else {
            return Exchange.Ending(
                result: .failure(Failure(.internal, "the system has no thread or no descriptors left for transfers")),
                mayBlameHTTP2: false)
        }
        let answer = OneShot<Exchange.Ending>()
        let id = start(wish, in: multi, options: options, answer: answer)
        let handler = token.onCancel { [inbox, multi] cause in
            inbox.withLock { $0.cancels.append((id, cause)) }
            multi.wake()
        }
        var ending = await answer.value()
        withExtendedLifetime(handler) {}
        // Its last bytes may come before the loop has heard of it: what was called off has not succeeded.
        if token.isCancelled, let cause = token.cause { ending.result = .failure(Failure(cause, "")) }
        return ending
    }

    private func start(
        _ wish: Exchange.Wish, in multi: MultiHandle, options: TransferOptions, answer: OneShot<Exchange.Ending>
    ) -> Exchange.ID {
        let id = inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        let exchange = Exchange(wish, id: id, options: options, valve: valve, traffic: traffic, answer: answer)
        inbox.withLock { $0.starts.append(exchange) }
        multi.wake()
        return id
    }

    /// libcurl's own set-up, once for the process.
    private static let library: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    private static func run(inbox: Locked<Inbox>, multi: MultiHandle, valve: Valve?, patience: Duration) {
        var round = Round(multi: multi, valve: valve, patience: patience)
        while round.goesOn(with: inbox.withLock { $0.takeNews() }) {
            multi.wait(until: [round.watch.next, valve?.opening].compactMap(\.self).min())
        }
    }
}

/// What the loop's thread has under way between two waits.
private struct Round {
    let multi: MultiHandle
    let valve: Valve?
    let patience: Duration
    private(set) var watch = FirstByteWatch()
    private var active: [Exchange.ID: Exchange] = [:]

    init(multi: MultiHandle, valve: Valve?, patience: Duration) {
        (self.multi, self.valve, self.patience) = (multi, valve, patience)
    }

    /// Moves what can be moved; false if nothing is left to do, now and for ever.
    ///
    /// It is a function of its own so that nothing that has ended is held while the thread waits: an exchange holds its
    /// run, and the run this loop.
    mutating func goesOn(with news: TransferLoop.Inbox) -> Bool {
        for exchange in news.starts {
            active[exchange.id] = exchange
            watch.add(exchange.id, deadline: .now + patience)
            multi.add(exchange)
        }
        // One that has ended in the meantime has had its answer.
        for (id, cause) in news.cancels { end(id) { $0.end(Failure(cause, "")) } }
        for id in valve?.open() ?? [] { active[id]?.goOn() }
        for (id, code) in multi.perform() { end(id) { $0.end(code) } }
        for id in watch.expired(now: .now, where: { [active] in active[$0]?.hasReply == false }) {
            end(id) { [patience] in
                $0.end(Failure(.timeout, "\($0.wish.address.host): no byte for \(patience.inWords)"))
            }
        }
        return !news.isClosed || !active.isEmpty
    }

    private mutating func end(_ id: Exchange.ID, as answer: (Exchange) -> Void) {
        guard let exchange = active.removeValue(forKey: id) else { return }
        multi.remove(exchange)
        answer(exchange)
    }
}
