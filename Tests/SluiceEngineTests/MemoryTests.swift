// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceEngine

@Suite("MemoryBudget", .timeLimit(.minutes(10))) struct MemoryBudgetTests {
    @Test(
        "The parts together do not exceed the total",
        arguments: [1 << 20, 64 << 20, 128 << 20, 8 << 30])
    func parts(total: Int) {
        let budget = MemoryBudget(total)
        #expect(budget.decodes + budget.transfers <= total)
        #expect(budget.decodes > total * 9 / 10, "decodes get most of the memory")
        #expect(budget.events >= 1024)
        if total >= 64 << 20 { #expect(budget.decodes + budget.transfers + budget.events * 512 <= total) }
    }

    @Test("The number of workers depends on the memory; in-process decoders need none")
    func decoders() {
        let workers = Isolation.workers(executable: "/sluice")
        let found = [16, 128, 160, 256, 512].map { MemoryBudget($0 << 20).decoders(upTo: 16, workers) }
        #expect(found == [1, 1, 2, 5, 13])
        #expect(MemoryBudget(512 << 20).decoders(upTo: 2, workers) == 2)
        #expect(MemoryBudget(16 << 20).decoders(upTo: 16, .none) == 16)
    }

    /// A run with 1,000 hosts opened a connection for each photo.
    @Test("The number of connections follows the memory, up to 4,096")
    func connections() {
        #expect([128, 512, 4096].map { MemoryBudget($0 << 20).connections } == [512, 2048, 4096])
    }

    @Test(
        "A decode that exceeds the budget is refused with a sufficient limit as a hint",
        arguments: [1 << 20, 77_777_777, 3 << 30])
    func refusal(amount: Int) throws {
        let small = MemoryBudget(amount)
        let failure = try #require(small.refusal(ofDecodeTaking: amount))
        #expect(failure.cause == .decodeLimit)
        guard case .raiseMemory(let enough?) = failure.hint else {
            Issue.record("\(failure) has no hint")
            return
        }
        #expect(MemoryBudget(enough << 20).refusal(ofDecodeTaking: amount) == nil)
        #expect(enough << 20 < amount + amount / 16 + (2 << 20), "not much more than necessary")
        #expect(MemoryBudget(1 << 40).refusal(ofDecodeTaking: .max)?.hint == .raiseMemory(megabytes: nil))
    }
}

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

@Suite("Memory peak", .timeLimit(.minutes(10))) struct MemoryPeakTests {
    private func memory(_ process: Int32, _ resident: Int, peak: Int, files: Int = 0) -> ProcessMemory {
        ProcessMemory(process: process, resident: resident, peak: peak, ofFiles: files)
    }

    @Test("The memory of all processes is added, and shared pages count once")
    func sum() {
        var peak = MemoryPeak()
        peak.add(
            memory(1, 30, peak: 30, files: 20),
            [memory(2, 25, peak: 25, files: 18), memory(3, 22, peak: 22, files: 18)])
        #expect(peak.bytes == 30 + 7 + 4)
        peak.add(memory(1, 10, peak: 30), [])
        #expect(peak.bytes == 41, "the highest total, not the last")
    }

    @Test("A peak between two samples counts once")
    func between() {
        var peak = MemoryPeak()
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 5), memory(3, 5, peak: 5)])
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 5)])
        #expect(peak.bytes == 135)
        // A peak of another worker. The first one has released its memory since.
        peak.add(memory(1, 30, peak: 30), [memory(2, 5, peak: 100), memory(3, 5, peak: 90)])
        #expect(peak.bytes == 135)
    }

    @Test("The memory of the current process is known")
    func own() {
        let own = ProcessMemory.own
        #expect(own.resident > 1 << 20 && own.peak >= own.resident && own.ofFiles <= own.resident)
        #expect(ProcessMemory(of: 0) == nil)
    }
}

@Suite("Worker time", .timeLimit(.minutes(10))) struct WorkerTimeTests {
    @Test("The times of workers that have ended, and of later ones with the same number, are added")
    func sum() {
        var time = WorkerTime()
        time.add([(1, 2), (2, 3)])
        #expect(time.seconds == 5)
        time.add([(1, 2.5)])
        #expect(time.seconds == 5.5)
        time.add([(1, 0.5), (2, 0.25)])
        #expect(time.seconds == 6.25)
        time.add([])
        #expect(time.seconds == 6.25)
    }
}
