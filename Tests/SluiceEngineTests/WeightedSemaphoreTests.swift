// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceEngine

@Suite("WeightedSemaphore", .timeLimit(.minutes(10))) struct WeightedSemaphoreTests {
    @Test("Requests are granted immediately while enough is available")
    func enough() {
        var queue = SemaphoreQueue(10)
        #expect(queue.request(1, amount: 4) == [1])
        #expect(queue.request(2, amount: 6) == [2])
        #expect(queue.available == 0)
        #expect(queue.request(3, amount: 0) == [3])
    }

    @Test("Later small requests do not starve a large one")
    func fairness() {
        var queue = SemaphoreQueue(10)
        _ = queue.request(1, amount: 3)
        _ = queue.request(2, amount: 3)
        #expect(queue.request(3, amount: 10) == [])
        #expect(queue.request(4, amount: 1) == [], "enough is available, but an earlier request waits")
        #expect(queue.release(3) == [])
        #expect(queue.release(3) == [3])
        #expect(queue.request(5, amount: 9) == [])
        #expect(queue.release(10) == [4, 5])
    }

    @Test("Cancelling a waiting request grants the ones after it")
    func cancellation() {
        var queue = SemaphoreQueue(10)
        _ = queue.request(1, amount: 8)
        _ = queue.request(2, amount: 5)
        _ = queue.request(3, amount: 2)
        #expect(queue.cancel(2) == [3])
        #expect(queue.cancel(2) == nil && queue.cancel(1) == nil, "a granted request is not waiting any more")
        #expect(queue.release(8) == [] && queue.release(2) == [] && queue.available == 10)
    }

    @Test("Random requests are never granted more than the total, and all are granted eventually")
    func invariant() {
        var random = SplitMix64(seed: 7)
        var queue = SemaphoreQueue(100)
        var waiting: [Int: Int] = [:]
        var held: [Int] = []
        func grant(_ ids: [Int]) { held += ids.compactMap { waiting.removeValue(forKey: $0) } }
        for id in 0..<5000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !held.isEmpty: grant(queue.release(held.remove(at: .random(in: held.indices))))
            case 1 where !waiting.isEmpty:
                guard let id = waiting.keys.min() else { continue }
                waiting[id] = nil
                grant(queue.cancel(id) ?? [])
            default:
                let amount = Int.random(in: 0...100, using: &random)
                waiting[id] = amount
                grant(queue.request(id, amount: amount))
            }
            #expect(queue.available >= 0 && queue.available + held.reduce(0, +) == 100)
        }
        while !held.isEmpty { grant(queue.release(held.removeLast())) }
        #expect(waiting.isEmpty && queue.available == 100, "all requests were granted")
    }

    @Test("A release or a cancelled token resumes a waiter")
    func waiting() async throws {
        let semaphore = WeightedSemaphore(10)
        try await semaphore.acquire(7, token: CancellationToken())
        let token = CancellationToken()
        let cancelled = Task { try await semaphore.acquire(5, token: token) }
        let granted = Task { try await semaphore.acquire(4, token: CancellationToken()) }
        token.cancel()
        let failure = await #expect(throws: Failure.self) { try await cancelled.value }
        #expect(failure?.cause == .cancelled)
        semaphore.release(7)
        try await granted.value
        semaphore.release(4)
        try await semaphore.acquire(10, token: CancellationToken())
    }
}
