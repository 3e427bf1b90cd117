// SPDX-License-Identifier: MIT

import SluiceImaging
import SluiceModel
import Testing

@testable import SluiceEngine

/// The names of outputs, and the fingerprint of the options.
@Suite("Output names", .timeLimit(.minutes(10))) struct OutputNamesTests {
    @Test(
        "A name is the path without its extension",
        arguments: [
            ("a.jpg", "a"), ("lakes/dawn.jpeg", "lakes/dawn"), ("v1.5 final.png", "v1.5 final"),
            ("noextension", "noextension"),
            ("v1.5 final", "v1.5 final"), (".hidden", ".hidden"), ("a.tar.jpg", "a.tar"), ("a.jpg/b", "a.jpg/b"),
            ("ends.", "ends."), ("a.toolong", "a.toolong"), ("ü.JPG", "ü"), ("a.jp\u{301}g", "a.jp\u{301}g"),
        ])
    func extensions(_ path: String, name: String) {
        #expect(OutputNames.withoutExtension(path).name == name)
    }

    @Test("The later of two inputs with the same name gets a hash of its path, identical in every run")
    func clashes() {
        var names = OutputNames()
        #expect(names.name(for: "sub/a.jpg", at: "p/sub/a.jpg") == "sub/a")
        let second = names.name(for: "sub/a.png", at: "p/sub/a.png")
        #expect(second == "sub/a-fb14014d")
        #expect(names.name(for: "sub/A.gif", at: "p/sub/A.gif").hasPrefix("sub/A-"))
        let otherFolder = names.name(for: "sub/a.jpg", at: "q/sub/a.jpg")
        let third = names.name(for: "sub/a.jpg", at: "r/sub/a.jpg")
        #expect(Set(["sub/a", second, otherFolder, third]).count == 4)
        #expect(otherFolder.hasPrefix("sub/a-") && third.hasPrefix("sub/a-"))
        var again = OutputNames()
        _ = again.name(for: "sub/a.jpg", at: "p/sub/a.jpg")
        #expect(again.name(for: "sub/a.png", at: "elsewhere/sub/a.png") == second)
    }

    @Test("Names remain unique even if a file is named like another's name with its hash")
    func planted() {
        var names = OutputNames()
        let paths = ["a-a29205b5.jpg", "a.jpg", "a.png", "a.webp"]
        #expect(Set(paths.map { names.name(for: $0, at: $0) }).count == paths.count)
        // Not even for the same path twice, which cannot occur in a run.
        #expect(Set((1...5).map { _ in names.name(for: "b.jpg", at: "b.jpg") }).count == 5)
    }

    @Test("A long name is cut to the limits of file systems and stays unique")
    func long() {
        var names = OutputNames()
        let stems = [
            String(repeating: "x", count: 250), String(repeating: "x", count: 251), String(repeating: "ü", count: 126),
        ]
        let made = stems.map { names.name(for: "sub/\($0).png", at: "p/sub/\($0).png") }
        #expect(Set(made).count == 3)
        #expect(made.allSatisfy { $0.utf8.count <= 4 + 200 + 17 })
    }

    @Test("The fingerprint depends on the options that determine a thumbnail's bytes")
    func fingerprint() {
        let plain = ThumbnailOptions()
        var changes = [plain, plain, plain]
        changes[0].fit = .cover
        changes[1].quality = 81
        changes[2].format = .webp
        #expect(Set((changes + [plain]).map(\.fingerprint)).count == 4)
        var same = plain
        same.sizes = []
        same.limits.pixels = 7
        #expect(same.fingerprint == plain.fingerprint)
    }

    @Test("The fingerprint of the default options does not change between versions")
    func storedFingerprint() {
        #expect(ThumbnailOptions().fingerprint == "e6cbae592726f0c0")
    }
}
