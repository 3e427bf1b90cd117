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

    private struct Inbox {
        var starts: [Exchange] = []
        var cancels: [(Exchange.ID, Cause)] = []
        var lastID: Exchange.ID = 0
        var isClosed = false
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
        let ending = await answer.value()
        withExtendedLifetime(handler) {}
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
        var active: [Exchange.ID: Exchange] = [:]
        var watch = FirstByteWatch()
        while true {
            let news = inbox.withLock { inbox in
                defer { (inbox.starts, inbox.cancels) = ([], []) }
                return inbox
            }
            for exchange in news.starts {
                active[exchange.id] = exchange
                watch.add(exchange.id, deadline: .now + patience)
                multi.add(exchange)
            }
            for (id, cause) in news.cancels {
                // One that has ended in the meantime has had its answer.
                guard let exchange = active.removeValue(forKey: id) else { continue }
                multi.remove(exchange)
                exchange.end(Failure(cause, ""))
            }
            for id in valve?.open() ?? [] { active[id]?.goOn() }
            for (id, code) in multi.perform() {
                guard let exchange = active.removeValue(forKey: id) else { continue }
                multi.remove(exchange)
                exchange.end(code)
            }
            for id in watch.expired(now: .now, where: { active[$0]?.hasReply == false }) {
                guard let exchange = active.removeValue(forKey: id) else { continue }
                multi.remove(exchange)
                exchange.end(Failure(.timeout, "\(exchange.wish.address.host): no byte for \(patience.inWords)"))
            }
            if news.isClosed, active.isEmpty { return }
            multi.wait(until: [watch.next, valve?.opening].compactMap(\.self).min())
        }
    }
}
