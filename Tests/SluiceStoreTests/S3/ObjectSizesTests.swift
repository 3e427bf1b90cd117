// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceStore

@Suite("ObjectSizes", .timeLimit(.minutes(10))) struct ObjectSizesTests {
    @Test("Sizes are those of a dictionary, after any changes")
    func changes() {
        var sizes = ObjectSizes()
        var expected: [String: Int] = [:]
        var generator = SystemRandomNumberGenerator()
        // Enough for several merges.
        for step in 0..<150_000 {
            let key = "originals/\(Int.random(in: 0..<80_000, using: &generator)).jpg"
            let size = step % 4 == 3 ? nil : step
            sizes[key] = size
            expected[key] = size
        }
        let wrong = (0..<90_000).map { "originals/\($0).jpg" }.filter { sizes[$0] != expected[$0] }
        #expect(wrong == [])
    }
}
