// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceModel

@Suite("Nearest word") struct NearestTests {
    @Test(
        "Distances", arguments: [("", "", 0), ("abc", "", 3), ("pages", "page", 1), ("form", "from", 1), ("a", "b", 1)])
    func distances(_ one: String, _ other: String, expected: Int) {
        #expect(distance(one, other) == expected)
        #expect(distance(other, one) == expected)
    }
}
