// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import Sluice

@Suite("Budget") struct BudgetTests {
    @Test("Who asks has theirs at once while there is enough")
    func enough() {
        var budget = Budget(10)
        #expect(budget.ask(1, for: 4) == [1])
        #expect(budget.ask(2, for: 6) == [2])
        #expect(budget.free == 0)
        #expect(budget.ask(3, for: 0) == [3])
    }

    @Test("A large want is not starved by small ones that come later")
    func fairness() {
        var budget = Budget(10)
        _ = budget.ask(1, for: 3)
        _ = budget.ask(2, for: 3)
        #expect(budget.ask(3, for: 10) == [])
        #expect(budget.ask(4, for: 1) == [], "there is room, but not before its turn")
        #expect(budget.takeBack(3) == [])
        #expect(budget.takeBack(3) == [3])
        #expect(budget.ask(5, for: 9) == [])
        #expect(budget.takeBack(10) == [4, 5])
    }

    @Test("Who leaves the line lets those behind through")
    func leaving() {
        var budget = Budget(10)
        _ = budget.ask(1, for: 8)
        _ = budget.ask(2, for: 5)
        _ = budget.ask(3, for: 2)
        #expect(budget.leave(2) == [3])
        #expect(budget.leave(2) == nil && budget.leave(1) == nil, "who is served is in line no more")
        #expect(budget.takeBack(8) == [] && budget.takeBack(2) == [] && budget.free == 10)
    }

    @Test("Never more is out than there is, whatever comes in whatever order")
    func invariant() {
        var random = Dice()
        var budget = Budget(100)
        var wants: [Int: Int] = [:]
        var held: [Int] = []
        func serve(_ ids: [Int]) { held += ids.compactMap { wants.removeValue(forKey: $0) } }
        for id in 0..<5000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !held.isEmpty: serve(budget.takeBack(held.remove(at: .random(in: held.indices))))
            case 1 where !wants.isEmpty:
                guard let id = wants.keys.min() else { continue }
                wants[id] = nil
                serve(budget.leave(id) ?? [])
            default:
                let amount = Int.random(in: 0...100, using: &random)
                wants[id] = amount
                serve(budget.ask(id, for: amount))
            }
            #expect(budget.free >= 0 && budget.free + held.reduce(0, +) == 100)
        }
        while !held.isEmpty { serve(budget.takeBack(held.removeLast())) }
        #expect(wants.isEmpty && budget.free == 100, "all had their turn")
    }

    @Test("Who waits is woken by who gives back, and by a token")
    func waiting() async throws {
        let shared = SharedBudget(10)
        try await shared.take(7, token: Token())
        let token = Token()
        let cancelled = Task { try await shared.take(5, token: token) }
        let served = Task { try await shared.take(4, token: Token()) }
        token.cancel()
        let failure = await #expect(throws: Failure.self) { try await cancelled.value }
        #expect(failure?.cause == .cancelled)
        shared.giveBack(7)
        try await served.value
        shared.giveBack(4)
        try await shared.take(10, token: Token())
    }
}

/// The same numbers in every run.
private struct Dice: RandomNumberGenerator {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
