// SPDX-License-Identifier: MIT

import SluiceImaging
import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceEngine

@Suite("AcceptanceRules", .timeLimit(.minutes(10))) struct AcceptanceRulesTests {
    /// Makes the header of a PNG of this size, without pixels.
    private func png(_ width: UInt8, _ height: UInt8) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] =
            [0, 0, 0, 13] + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0] + [0, 0, 0, 0]
        return signature + header + [0, 0, 0, 0] + Array("IDAT".utf8) + [0, 0, 0, 0]
    }

    private func rules(_ change: (inout MirrorOptions) -> Void = { _ in }) -> AcceptanceRules {
        var options = MirrorOptions()
        change(&options)
        return AcceptanceRules(options)
    }

    @Test(
        "A web page instead of a photo is recognised by its first bytes",
        arguments: ["<!doctype html><p>Sign in to continue.</p>", "{\"error\":\"gone\"}"])
    func pages(text: String) {
        let failure = #expect(throws: Failure.self) { try rules().earlyCheck(Array(text.utf8), HeaderFields()) }
        #expect(failure?.cause == .notAnImage)
    }

    @Test("A picture is accepted as soon as its header is complete, and not earlier")
    func heads() throws {
        let head = png(200, 100)
        for count in 1..<29 {
            #expect(try rules().earlyCheck(Array(head.prefix(count)), HeaderFields()) == .undecided, "\(count)")
        }
        #expect(try rules().earlyCheck(head, HeaderFields()) == .accepted)
    }

    @Test("Photos with too many pixels fail if nothing of them would be kept")
    func largePhotos() throws {
        let changes: [(isKept: Bool, change: (inout MirrorOptions) -> Void)] = [
            (true, { _ in }), (false, { $0.keepsOriginals = false }), (false, { $0.keepsUndecodable = false }),
            (true, { ($0.keepsUndecodable, $0.thumbnails.sizes) = (false, []) }),
        ]
        for (isKept, change) in changes {
            let rules = rules {
                $0.thumbnails.limits.pixels = 19_999
                change(&$0)
            }
            if isKept {
                #expect(try rules.earlyCheck(png(200, 100), HeaderFields()) == .accepted)
            } else {
                let failure = #expect(throws: Failure.self) { try rules.earlyCheck(png(200, 100), HeaderFields()) }
                #expect(failure?.cause == .tooManyPixels)
            }
        }
    }

    @Test("Photos that are too small or of the wrong aspect ratio are rejected")
    func sizes() throws {
        let head = png(200, 100)
        for (size, isWanted) in [("200x100", true), ("201x", false), ("x101", false), ("100", true), ("101", false)] {
            let decision = try rules { $0.minSize = ThumbnailSize(size) }.earlyCheck(head, HeaderFields())
            #expect((decision == .accepted) == isWanted, "\(size)")
            #expect(
                isWanted || decision == .rejected("200x100 is smaller than \(ThumbnailSize(size)?.description ?? "")"))
        }
        #expect(try rules { $0.aspect = 2...3 }.earlyCheck(head, HeaderFields()) == .accepted)
        let other = rules { $0.aspect = 0.5...1.9 }
        guard case .rejected = try other.earlyCheck(head, HeaderFields()) else {
            Issue.record("a photo of the wrong aspect ratio was accepted")
            return
        }
    }
}

@Suite("Symmetries", .timeLimit(.minutes(10))) struct SymmetryTests {
    @Test("The hash of a turned picture is exchanged in rows, columns and signs")
    func hashes() {
        let hash: UInt64 = 0xCE57_074F_2F86_0E07
        #expect(Set(Symmetry.all.map { $0.hash(of: hash) }).count == 8)
        for symmetry in Symmetry.all where !symmetry.swapsAxes {
            #expect(symmetry.hash(of: symmetry.hash(of: hash)) == hash)
        }
        // The bit of the second column of the first row becomes that of the first column of the second row.
        #expect(Symmetry(swapsAxes: true).hash(of: 1 << 62) == 1 << 55)
        #expect(Symmetry(reversesX: true).hash(of: 0) == 0x5555_5555_5555_5555)
    }

    @Test("Pairs to ignore are read without regard to order, case and comments")
    func ignoredPairs() throws {
        let (first, second) = (String(repeating: "a", count: 64), String(repeating: "0", count: 64))
        let pairs = try IgnoredPairs("# both are blank\n\n\(first.uppercased()) \(second) # pages\r\n")
        #expect(pairs.contains(first, second) && pairs.contains(second, first) && !pairs.contains(first, first))
        for line in ["\(first)", "\(first) \(second.dropLast())", "\(first) \(second) \(second)", "x y"] {
            #expect(throws: InvalidText.self) { try IgnoredPairs("\n\(line)") }
        }
    }
}

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
