// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("SourceSet", .timeLimit(.minutes(5))) struct SourceSetTests {
    @Test("The text of one source is the source, and several have a short text for people")
    func texts() {
        #expect(SourceSet(["demo"]).text == "demo" && SourceSet(["demo"]).shown == "demo")
        let several = SourceSet(["demo", "a.csv", "b.csv"])
        #expect(several.shown == "demo and 2 more")
        #expect(SourceSet(text: several.text) == several)
        #expect(SourceSet([]).shown == "nothing")
    }

    @Test("A set contains the sources of a smaller one, whatever their order")
    func supersets() {
        let all = SourceSet(["a", "b", "c"])
        #expect(all.isSuperset(of: SourceSet(["c", "a"])) && all.isSuperset(of: all))
        #expect(!SourceSet(["a", "c"]).isSuperset(of: all))
        #expect(!all.isSuperset(of: SourceSet(["A"])))
    }
}
