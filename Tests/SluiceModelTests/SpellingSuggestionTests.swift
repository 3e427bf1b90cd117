// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceModel

@Suite("Spelling suggestions", .timeLimit(.minutes(10))) struct SpellingSuggestionTests {
    @Test(
        "The edit distance is symmetric",
        arguments: [("", "", 0), ("abc", "", 3), ("pages", "page", 1), ("form", "from", 1), ("a", "b", 1)])
    func distances(_ one: String, _ other: String, expected: Int) {
        #expect(editDistance(one, other) == expected)
        #expect(editDistance(other, one) == expected)
    }
}
