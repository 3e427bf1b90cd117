// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("duplicates", .timeLimit(.minutes(10))) struct DuplicatesCommandTests {
        private let folder: TemporaryFolder

        /// Makes a mirror of three files, two of which are identical.
        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
            let pictures = try DemoPictures(2, in: folder).files
            for (name, picture) in zip(["a", "b"], pictures) {
                try Data(picture).write(to: folder.url.appending(path: "in/\(name).jpg"))
            }
            try FileManager.default.copyItem(atPath: folder.path("in/a.jpg"), toPath: folder.path("in/c.jpg"))
            try #require(try run("mirror", "in", "--out", "m", "--no-share").code == 0)
        }

        private func run(_ words: String...) throws -> Binary.Result { try Binary.run(words, folder: folder.url) }

        @Test("--keep best --move moves copies, verify finds nothing missing, and the next run does not restore them")
        func moving() throws {
            let plan = try run("duplicates", "m", "--keep", "best", "--move", "copies", "--dry-run")
            #expect(plan.code == 0 && plan.err.contains("would move 1 photo to 'copies'"), "\(plan)")
            #expect(plan.out.contains("keep: best") && plan.out.contains("drop: same, listed first"))
            #expect(!folder.names().contains { $0.hasPrefix("copies") })
            let json = try run("duplicates", "m", "--keep", "best", "--json")
            #expect(json.out.contains("\"decision\":\"drop\"") && json.out.contains("\"relation\":\"same\""), "\(json)")
            let moved = try run("duplicates", "m", "--keep", "best", "--move", "copies")
            #expect(moved.code == 0 && moved.err.contains("moved 1 photo to 'copies'"), "\(moved)")
            #expect(folder.names().filter { $0.hasPrefix("copies/") }.count == 1)
            let verified = try run("verify", "m")
            #expect(verified.code == 0, "\(verified)")
            let again = try run("mirror", "in", "--out", "m", "--no-share")
            #expect(again.code == 0, "\(again)")
            #expect(folder.names().filter { $0.hasPrefix("m/originals/") }.count == 2)
            let rest = try run("duplicates", "m")
            #expect(rest.code == 0 && rest.out.isEmpty, "\(rest)")
        }

        @Test("An export with --unique leaves out copies, but not those of photos that it does not export")
        func unique() throws {
            let result = try run("export", "m", "-o", "x", "--unique", "--layout", "folder")
            #expect(result.code == 0 && result.err.contains("left out 1 copy of exported photos"), "\(result)")
            #expect(folder.names().filter { $0.hasPrefix("x/") && $0.hasSuffix(".jpg") }.count == 2)
            let rows = try run("export", "m", "-o", "y", "--unique", "--layout", "img2dataset")
            #expect(rows.code == 0 && rows.err.contains("2 photos in 1 shard"), "\(rows)")
            let rest = try run(
                "export", "m", "-o", "z", "--unique", "--layout", "folder", "--where", "id!~\"a.jpg\"")
            #expect(rest.code == 0 && !rest.err.contains("left out"), "\(rest)")
            #expect(folder.names().filter { $0.hasPrefix("z/") && $0.hasSuffix(".jpg") }.count == 2)
        }

        @Test("--skip-similar needs originals, and a mirror with it is intact")
        func skipSimilar() throws {
            let refused = try run("mirror", "in", "-o", "n", "--skip-similar", "--no-originals")
            #expect(refused.code == 2 && refused.err.contains("--skip-similar cannot be combined"), "\(refused)")
            let mirrored = try run("mirror", "in", "-o", "n", "--skip-similar")
            #expect(
                mirrored.code == 0 && mirrored.err.contains("skipped 1 new photo as copies of others"), "\(mirrored)")
            #expect(mirrored.err.contains("1 photo left out as copies of others"), "\(mirrored)")
            for words in [
                ["adopt", "in", "in", "-o", "a"], ["work", "plan", "-o", "w"], ["merge", "plan", "-o", "w"],
            ] {
                let other = try Binary.run(words + ["--skip-similar"], folder: folder.url)
                #expect(other.code == 2 && other.err.contains("--skip-similar"), "\(other)")
            }
            let verified = try run("verify", "n")
            #expect(verified.code == 0, "\(verified)")
            let manifest = String(decoding: try folder.bytes(of: "n/manifest.jsonl"), as: UTF8.self)
            #expect(manifest.contains("\"cause\":\"duplicate\"") && manifest.contains("a copy of 1"))
        }

        @Test("--choose writes a page whose command moves the chosen photos")
        func page() throws {
            let page = try run("duplicates", "m", "--choose", "copies.html")
            #expect(page.code == 0 && page.err.contains("wrote copies.html"), "\(page)")
            let text = String(decoding: try folder.bytes(of: "copies.html"), as: UTF8.self)
            #expect(text.contains("--drop 3 --move copies</code>") && text.contains("src=\"m/thumbs/"), "\(text)")
            let unknown = try run("duplicates", "m", "--drop", "2", "--move", "copies")
            #expect(unknown.code == 2 && unknown.err.contains("cannot drop photo 2: it is in no group"), "\(unknown)")
            let all = try run("duplicates", "m", "--drop", "1,3", "--move", "copies")
            #expect(all.code == 2 && all.err.contains("cannot drop all photos of the group 1, 3"), "\(all)")
            // The best photo may be dropped, too.
            let moved = try run("duplicates", "m", "--drop", "1", "--move", "copies")
            #expect(moved.code == 0 && moved.err.contains("moved 1 photo"), "\(moved)")
            #expect(folder.names().filter { $0.hasPrefix("copies/1-") }.count == 1)
            let verified = try run("verify", "m")
            #expect(verified.code == 0, "\(verified)")
        }

        @Test("--move needs a decision, and a malformed file of pairs is refused by its line")
        func refused() throws {
            let move = try run("duplicates", "m", "--move", "copies")
            #expect(move.code == 2 && move.err.contains("--move needs --keep best, --reference or --drop"), "\(move)")
            try Data("# none\nabc def\n".utf8).write(to: folder.url.appending(path: "pairs"))
            let pairs = try run("duplicates", "m", "--ignore", "pairs")
            #expect(pairs.code == 2 && pairs.err.contains("cannot read 'pairs': line 2"), "\(pairs)")
        }
    }
}
