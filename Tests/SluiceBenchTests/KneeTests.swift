// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceBench

@Suite("Knee") struct KneeTests {
    @Test("It is the first that reaches nine tenths of the best")
    func knee() {
        #expect(Knee.index(of: [10, 20, 40, 79, 91, 100, 98]) == 4)
        #expect(Knee.index(of: [100, 100, 100]) == 0)
        #expect(Knee.index(of: [1, 2, 4, 8]) == 3)
        #expect(Knee.index(of: []) == nil)
        #expect(Knee.index(of: [0, 0]) == nil)
    }

    @Test("The best is the narrowest that cannot be told from the fastest")
    func best() {
        let spreads = [[50, 51, 52], [97, 99, 101], [98, 100, 102], [80, 81, 82]].map { Spread($0) }
        #expect(Knee.best(of: spreads) == 1)
        #expect(Knee.best(of: []) == nil)
    }
}
