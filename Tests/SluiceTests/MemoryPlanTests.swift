// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import Sluice

@Suite("Memory plan") struct MemoryPlanTests {
    @Test(
        "No part of it, and not all together, is more than was given",
        arguments: [1 << 20, 64 << 20, 128 << 20, 8 << 30])
    func parts(total: Int) {
        let plan = MemoryPlan(total)
        #expect(plan.decodes + plan.transfers <= total)
        #expect(plan.decodes > total * 9 / 10, "pictures are what takes memory")
        #expect(plan.events >= 1024)
        if total >= 64 << 20 { #expect(plan.decodes + plan.transfers + plan.events * 512 <= total) }
    }

    @Test("Little memory has one worker, more has more, and decoders of this process cost nothing")
    func decoders() {
        let workers = Isolation.workers(executable: "/sluice")
        let found = [16, 128, 160, 256, 512].map { MemoryPlan($0 << 20).decoders(of: 16, workers) }
        #expect(found == [1, 1, 2, 5, 13])
        #expect(MemoryPlan(512 << 20).decoders(of: 2, workers) == 2)
        #expect(MemoryPlan(16 << 20).decoders(of: 16, .none) == 16)
    }

    @Test("What can never fit is refused with the amount that would do", arguments: [1 << 20, 77_777_777, 3 << 30])
    func refusal(amount: Int) throws {
        let small = MemoryPlan(amount)
        let failure = try #require(small.refusal(ofDecodeTaking: amount))
        #expect(failure.cause == .decodeLimit)
        let advice = try #require(failure.detail.firstMatch(of: /--memory ([0-9]+)M allows that/))
        let enough = try #require(Int(advice.1))
        #expect(MemoryPlan(enough << 20).refusal(ofDecodeTaking: amount) == nil)
        #expect(enough << 20 < amount + amount / 16 + (2 << 20), "no more than is needed")
        #expect(
            MemoryPlan(1 << 40).refusal(ofDecodeTaking: .max)?.detail.hasSuffix("--memory more allows that") == true)
    }
}
