// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

/// Hosts that refuse requests without `Retry-After`, in virtual time.
@Suite("Refused addresses", .timeLimit(.minutes(10))) struct AddressRefusalTests {
    private let start = ContinuousClock.now

    /// 36 good and 20 refused addresses took 6 to 19 s, or lost 30 good ones after 6 minutes, by their order.
    @Test(
        "Addresses that a host always refuses fail after two requests and hardly delay others", arguments: [429, 503],
        (1...40) as ClosedRange<UInt64>)
    func refusedAddresses(status: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let refused = Set<Int>((0..<56).shuffled(using: &random).prefix(20))
        var run = RefusingHost(status: status, seed: seed) { number, _ in refused.contains(number) }
        run.process(56, from: start)
        #expect(run.failed == refused)
        #expect(refused.allSatisfy { run.requests[$0] ?? 0 <= 2 }, "\(run.requests)")
        #expect((0..<56).allSatisfy { run.failed.contains($0) || run.requests[$0] == 1 })
        #expect(run.pauses <= 2 && run.duration < .seconds(3), "\(run.pauses) pauses, \(run.duration)")
    }

    @Test("One address that a host always refuses fails after two requests", arguments: [0, 7, 20])
    func oneAddress(refused: Int) {
        var run = RefusingHost(status: 503, seed: 2) { number, _ in number == refused }
        run.process(40, from: start)
        #expect(run.failed == [refused] && run.requests[refused] == 2)
        #expect(run.pauses == 1 && run.duration < .seconds(5), "\(run.pauses) pauses, \(run.duration)")
    }

    /// The rule for single addresses must not make a host with a limit refuse more requests than the pauses alone.
    @Test(
        "A host that limits its rate is not mistaken for one that refuses addresses, and sees no excess",
        arguments: [(rate: 0.5, burst: 1), (1, 1), (1, 6), (2, 4), (5, 10), (20, 20)], [1, 2, 3] as [UInt64])
    func tokenBucket(limit: (rate: Double, burst: Int), seed: UInt64) {
        var bucket = RequestBucket(rate: limit.rate, burst: limit.burst, now: start)
        var run = RefusingHost(status: 429, seed: seed) { _, now in !bucket.take(now: now) }
        run.process(60, from: start)
        // Only a rate below one request per second uses up all attempts of an address.
        #expect(run.failed.count <= 2 && run.failed.allSatisfy { run.requests[$0] == 4 }, "\(run.failed)")
        // Beside those in flight at the first pause, hardly more than one request is refused per pause.
        #expect(run.refusals <= run.pauses + 10, "\(run.refusals) refusals, \(run.pauses) pauses")
    }
}

/// A limit of requests: `rate` per second, and `burst` at once.
private struct RequestBucket {
    let rate: Double
    let burst: Int
    private var level: Double
    private var last: ContinuousClock.Instant

    init(rate: Double, burst: Int, now: ContinuousClock.Instant) {
        (self.rate, self.burst, level, last) = (rate, burst, Double(burst), now)
    }

    mutating func take(now: ContinuousClock.Instant) -> Bool {
        level = min(Double(burst), level + (now - last) / .seconds(1) * rate)
        last = now
        guard level >= 1 else { return false }
        level -= 1
        return true
    }
}

/// A host in virtual time, and the items that request it by the rules of `Transfers.send`.
private struct RefusingHost {
    typealias Instant = ContinuousClock.Instant

    let status: Int
    /// Whether the host refuses this item's request at this time.
    let refuses: (_ item: Int, _ now: Instant) -> Bool
    private(set) var requests: [Int: Int] = [:]
    private(set) var failed: Set<Int> = []
    private(set) var (refusals, pauses) = (0, 0)
    private(set) var duration = Duration.zero
    private var random: SplitMix64
    private var scheduler: WorkScheduler
    private var refusedAt: [Int: (last: Instant, count: Int)] = [:]
    /// The responses on their way.
    private var responses: [(arrival: Instant, item: Int, begun: Instant, isRefusal: Bool)] = []
    private let retry = RetryPolicy()

    init(status: Int, seed: UInt64, refusing refuses: @escaping (_ item: Int, _ now: Instant) -> Bool) {
        (self.status, self.refuses) = (status, refuses)
        random = SplitMix64(seed: seed)
        var rules = HostRules(perHost: 6)
        rules.firstSlots = 2
        scheduler = WorkScheduler(width: 16, backlog: 1000, rules: rules)
    }

    mutating func process(_ count: Int, from start: Instant) {
        var now = start
        var ended = 0
        for item in 0..<count { ended += perform(scheduler.add(item, host: "a", now: now), now) }
        while ended < count {
            let next = [scheduler.nextDeadline, responses.map(\.arrival).min()].compactMap(\.self).min()
            guard let next else { break }
            now = max(now, next)
            while let index = responses.firstIndex(where: { $0.arrival <= now }) {
                ended += receive(responses.remove(at: index), now)
            }
            ended += perform(scheduler.processDeadlines(now: now), now)
        }
        duration = now - start
    }

    /// Performs actions, and returns how many items ended.
    private mutating func perform(_ actions: [WorkScheduler.Action], _ now: Instant) -> Int {
        var ended = 0
        for action in actions {
            switch action {
            case .start(let item): send(item, now)
            case .resume(let item):
                if let refusal = refusedAt[item], refusal.count > 1,
                    scheduler.takeAddressRefusal(of: "a", refusedAt: refusal.last)
                {
                    ended += fail(item, now)
                } else {
                    send(item, now)
                }
            case .abandon(let item, _): ended += fail(item, now)
            case .drop(let item, _):
                failed.insert(item)
                ended += 1
            case .cancel, .evict: break
            }
        }
        return ended
    }

    private mutating func send(_ item: Int, _ now: Instant) {
        requests[item, default: 0] += 1
        let isRefusal = refuses(item, now)
        let arrival = now + .milliseconds(Int.random(in: 20...60, using: &random))
        responses.append((arrival, item, now, isRefusal))
    }

    private mutating func receive(
        _ response: (arrival: Instant, item: Int, begun: Instant, isRefusal: Bool), _ now: Instant
    ) -> Int {
        let item = response.item
        guard response.isRefusal else {
            let actions = scheduler.recordSuccess(
                of: "a", begun: response.begun, afterRefusal: refusedAt[item] != nil, now: now)
            return perform(actions, now) + end(item, now)
        }
        refusals += 1
        let failure = Failure(status == 429 ? .httpTooManyRequests : .httpServerError, "", status: status)
        let decision = retry.decision(
            on: failure, attempt: requests[item] ?? 1, chance: .random(in: 0...1, using: &random))
        let (reaction, actions) = scheduler.recordFailure(
            of: "a", failure, refusedAt: refusedAt[item]?.last, retry: retry, now: now)
        refusedAt[item] = (now, (refusedAt[item]?.count ?? 0) + 1)
        let ended = perform(actions, now)
        guard case .retry(var delay) = decision else { return ended + fail(item, now) }
        switch reaction {
        case .addressRefused, .givenUp: return ended + fail(item, now)
        case .probed(let duration): delay = duration
        case .paused(let duration):
            pauses += 1
            delay = duration / 2
        case .none: break
        }
        return ended + perform(scheduler.sleep(item, until: now + delay, now: now), now)
    }

    private mutating func fail(_ item: Int, _ now: Instant) -> Int {
        failed.insert(item)
        return end(item, now)
    }

    private mutating func end(_ item: Int, _ now: Instant) -> Int {
        1 + perform(scheduler.end(item, now: now), now)
    }
}
