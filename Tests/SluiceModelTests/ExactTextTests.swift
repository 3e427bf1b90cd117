// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceModel

@Suite("Exact texts", .timeLimit(.minutes(1))) struct ExactTextTests {
    private let composed = "\u{E9}.jpg"
    private let decomposed = "e\u{301}.jpg"

    @Test("Equivalent forms differ, and equal bytes are equal")
    func equality() {
        #expect(composed == decomposed && composed !== decomposed)
        #expect(composed === String(decoding: Array(composed.utf8), as: UTF8.self) && "" === "")
        #expect(!("" === "a") && "ab" !== "ba")
        let missing: String? = nil
        #expect(missing === nil && String?(composed) !== missing && String?(composed) !== decomposed)
    }

    @Test("The order is that of the bytes")
    func order() {
        let names = ["b", composed, "a", decomposed, "Z", ""]
        #expect(
            names.sortedByBytes().map { Array($0.utf8) }
                == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("A set keeps equivalent forms apart")
    func set() {
        var set: TextSet = ["a", "a", "b"]
        #expect(set.count == 2 && set == TextSet(["b", "a"]) && set.sorted() == ["a", "b"])
        #expect(set.insert(composed) && set.insert(decomposed) && !set.insert(composed))
        #expect(set.count == 4 && set.contains(decomposed))
        set.remove(composed)
        #expect(!set.contains(composed) && set.contains(decomposed))
        #expect(set.isDisjoint(with: [composed, "c"]) && !set.isDisjoint(with: [composed, "b"]))
        set.formUnion([composed])
        #expect(set.count == 4)
    }

    @Test("A map keeps equivalent forms apart")
    func map() {
        var map = TextMap([(composed, 1), (decomposed, 2), (composed, 3)])
        #expect(map.count == 2 && map[composed] == 1 && map[decomposed] == 2)
        map[composed, default: 0] += 4
        map["new", default: 0] += 1
        #expect(map[composed] == 5 && map["new"] == 1 && map.removeValue(forKey: "new") == 1)
        #expect(map.sortedKeys.map { Array($0.utf8) } == [decomposed, composed].map { Array($0.utf8) })
        #expect(map.reduce(0) { $0 + $1.value } == 7 && map.values.reduce(0, +) == 7)
    }

    @Test("Cursors of equivalent forms are two")
    func cursors() {
        #expect(Set([Cursor(rawValue: composed), Cursor(rawValue: decomposed), Cursor(rawValue: composed)]).count == 2)
    }

    @Test("A slash before a combining mark separates parts")
    func parts() {
        #expect("a/\u{301}b//".pathComponents == ["a", "\u{301}b", "", ""])
        #expect(Array("a/\u{301}b".dropping(prefix: "a/").utf8) == Array("\u{301}b".utf8))
    }
}
