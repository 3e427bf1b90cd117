// SPDX-License-Identifier: MIT

import SluiceModel
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
