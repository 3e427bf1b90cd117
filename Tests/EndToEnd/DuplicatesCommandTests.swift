// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("duplicates", .timeLimit(.minutes(10))) struct DuplicatesCommandTests {
        private let folder = TemporaryFolder()

        /// Makes a mirror of three files, two of which are identical.
        init() throws {
            let pictures = try DemoPictures(2, in: folder).files
            for (name, picture) in zip(["a", "b"], pictures) {
                try folder.write(picture, to: "in/\(name).jpg")
            }
            try FileManager.default.copyItem(atPath: folder.path("in/a.jpg"), toPath: folder.path("in/c.jpg"))
            try #require(try run("mirror", "in", "--out", "m", "--no-share").code == 0)
        }

        private func run(_ words: String...) throws -> Binary.Result { try Binary.run(words, folder: folder.url) }

        @Test("--keep best --move moves copies, verify finds nothing missing, and the next run does not restore them")
        func moving() throws {
            try run("duplicates", "m", "--keep", "best", "--move", "copies", "--dry-run").expect(
                out: "keep: best", "drop: same, listed first", err: "dry run: moved 1 photo to 'copies'")
            #expect(!folder.names().contains { $0.hasPrefix("copies") })
            let json = try run("duplicates", "m", "--keep", "best", "--json")
            #expect(json.out.contains("\"decision\":\"drop\"") && json.out.contains("\"relation\":\"same\""), "\(json)")
            try run("duplicates", "m", "--keep", "best", "--move", "copies").expect(err: "moved 1 photo to 'copies'")
            #expect(folder.names().filter { $0.hasPrefix("copies/") }.count == 1)
            try run("verify", "m").expect()
            try run("mirror", "in", "--out", "m", "--no-share").expect()
            #expect(folder.names().filter { $0.hasPrefix("m/originals/") }.count == 2)
            let rest = try run("duplicates", "m")
            #expect(rest.code == 0 && rest.out.isEmpty, "\(rest)")
        }

        @Test("An export with --unique leaves out copies, but not those of photos that it does not export")
        func unique() throws {
            try run("export", "m", "-o", "x", "--unique", "--layout", "folder").expect(
                err: "left out 1 copy of exported photos")
            #expect(folder.names().filter { $0.hasPrefix("x/") && $0.hasSuffix(".jpg") }.count == 2)
            try run("export", "m", "-o", "y", "--unique", "--layout", "img2dataset").expect(err: "2 photos in 1 shard")
            let rest = try run(
                "export", "m", "-o", "z", "--unique", "--layout", "folder", "--where", "id!~\"a.jpg\"")
            #expect(rest.code == 0 && !rest.err.contains("left out"), "\(rest)")
            #expect(folder.names().filter { $0.hasPrefix("z/") && $0.hasSuffix(".jpg") }.count == 2)
        }

        @Test("--skip-similar needs originals, and a mirror with it is intact")
        func skipSimilar() throws {
            try run("mirror", "in", "-o", "n", "--skip-similar", "--no-originals").expect(
                2, err: "--skip-similar cannot be combined")
            try run("mirror", "in", "-o", "n", "--skip-similar").expect(
                err: "skipped 1 new photo as copies of others", "1 photo left out as copies of others")
            for words in [
                ["adopt", "in", "in", "-o", "a"], ["work", "plan", "-o", "w"], ["merge", "plan", "-o", "w"],
            ] {
                try Binary.run(words + ["--skip-similar"], folder: folder.url).expect(2, err: "--skip-similar")
            }
            try run("verify", "n").expect()
            let manifest = try folder.text("n/manifest.jsonl")
            #expect(manifest.contains("\"cause\":\"duplicate\"") && manifest.contains("a copy of 1"))
        }

        @Test("--choose writes a page whose command moves the chosen photos")
        func page() throws {
            try run("duplicates", "m", "--choose", "copies.html").expect(err: "wrote copies.html")
            let text = try folder.text("copies.html")
            #expect(text.contains("--drop 3 --move copies</code>") && text.contains("src=\"m/thumbs/"), "\(text)")
            try run("duplicates", "m", "--drop", "2", "--move", "copies").expect(
                2, err: "cannot drop photo 2: it is in no group")
            try run("duplicates", "m", "--drop", "1,3", "--move", "copies").expect(
                2, err: "cannot drop all photos of the group 1, 3")
            // The best photo may be dropped, too.
            try run("duplicates", "m", "--drop", "1", "--move", "copies").expect(err: "moved 1 photo")
            #expect(folder.names().filter { $0.hasPrefix("copies/1-") }.count == 1)
            try run("verify", "m").expect()
        }

        @Test("--move needs a decision, and a malformed file of pairs is refused by its line")
        func refused() throws {
            try run("duplicates", "m", "--move", "copies").expect(
                2, err: "--move needs --keep best, --reference or --drop")
            try folder.write("# none\nabc def\n", to: "pairs")
            try run("duplicates", "m", "--ignore", "pairs").expect(2, err: "cannot read 'pairs': line 2")
        }
    }
}
