// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// `sluice verify` checks files against their receipts, and --repair restores broken ones.
    @Suite("verify", .timeLimit(.minutes(10))) struct VerifyTests {
        /// Four photos with two thumbnails each.
        private struct Small {
            let folder = TemporaryFolder()
            var path: String { folder.path("mirror") }
            let originals: [String]
            let thumbs: [String]

            init() throws {
                let words = ["--pages", "1", "--per-page", "4", "--variant", "thumb", "--sizes", "64,32"]
                try Binary.run(["mirror", "demo", "-o", "mirror"] + words, folder: folder.url).require()
                let names = try Tree(of: folder.path("mirror")).names
                originals = names.filter { $0.hasPrefix("originals/") }
                thumbs = names.filter { $0.hasPrefix("thumbs/64/") }
            }

            /// Runs verify in another folder than the mirror was made in: the ledger must be enough.
            func verify(_ more: String...) throws -> Binary.Result {
                try Binary.run(["verify", path] + more)
            }

            func tree() throws -> Tree { try Tree(of: path).visible }

            /// Flips one bit of a file.
            func damage(_ name: String) throws {
                let url = URL(filePath: "\(path)/\(name)")
                var data = try Data(contentsOf: url)
                data[data.count / 2] ^= 1
                try data.write(to: url)
            }

            func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
        }

        @Test("verify finds no fault in a complete mirror, with or without --deep, and changes no file")
        func whole() throws {
            let mirror = try Small()
            let before = try mirror.tree()
            for words in [[], ["--deep"], ["--deep", "--sample", "100%"], ["--deep", "--sample", "0%"]] {
                let result = try Binary.run(["verify", mirror.path] + words)
                #expect(result.code == 0 && result.out.isEmpty && result.isPlain)
                let compared =
                    words.last.flatMap { ["--deep": 3, "100%": 4][$0] }
                    .map { "  compared thumbnails of \($0) photos with new ones\n" } ?? ""
                #expect(
                    result.err.contains(/^verified: 12 files of 4 photos, .*: no faults\n/)
                        && result.err.hasSuffix("no faults\n" + compared), "\(result.err)")
            }
            try mirror.verify("--sample", "5%").expect(2, err: "--sample needs --deep")
            #expect(try mirror.tree() == before)
        }

        @Test("verify lists each kind of fault by file and exits with code 7; --repair restores the mirror")
        func faults() throws {
            let mirror = try Small()
            let before = try mirror.tree()
            try mirror.remove(mirror.originals[0])
            try mirror.damage(mirror.originals[1])
            try Data("short".utf8).write(to: URL(filePath: "\(mirror.path)/\(mirror.thumbs[2])"))
            try mirror.remove(mirror.thumbs[3])
            try FileManager.default.createSymbolicLink(
                atPath: "\(mirror.path)/\(mirror.thumbs[3])", withDestinationPath: "/etc/passwd")
            try Data("mine".utf8).write(to: URL(filePath: "\(mirror.path)/originals/notes.txt"))
            let found = try mirror.verify().expect(7)
            #expect(
                found.out.split(separator: "\n") == [
                    "missing     \(mirror.originals[0])",
                    "changed     \(mirror.originals[1]): the size matches, but the checksum does not",
                    "changed     \(mirror.thumbs[2]): 5 bytes, expected \(before.files[mirror.thumbs[2]]?.count ?? 0)",
                    "unreadable  \(mirror.thumbs[3]): symbolic links are not followed",
                    "extra       originals/notes.txt",
                ])
            #expect(found.err.contains("1 missing, 2 changed, 1 unreadable, 1 extra"), "\(found.err)")
            #expect(found.err.contains("--repair"))
            try mirror.verify("--repair").expect(err: ": repaired\n")
            try mirror.remove("originals/notes.txt")
            #expect(try mirror.tree().differences(to: before) == [])
        }

        @Test("--repair downloads broken files only")
        func sparing() throws {
            let mirror = try Small()
            try mirror.damage(mirror.originals[2])
            try mirror.remove(mirror.thumbs[0])
            let result = try mirror.verify("--repair", "--json")
            #expect(result.code == 0 && result.isPlain, "\(result.err)")
            let events = try RunEvent.all(in: result.out)
            #expect(events.started == [1, 3] && events.ended("done") == [1, 3])
            // The missing thumbnail is made from the existing original.
            #expect(events.first { $0.name == "run-finished" }?[number: "bytes"] != 0)
            let verdicts = events.filter { $0.name == "verified" }
            #expect(verdicts.map { $0[number: "files"] } == [12, 6])
            #expect(
                verdicts.map { $0[number: "missing"] } == [1, 0] && verdicts.map { $0[number: "changed"] } == [1, 0])
            #expect(events.filter { $0.name == "file-fault" }.map { $0[number: "item"] } == [1, 3])
        }

        /// A ledger from a stranger may have set them.
        @Test("--repair takes harmful options from the user, and not from the ledger")
        func recordedOptions() throws {
            let folder = TemporaryFolder()
            let words = [
                "--max-items", "2", "--variant", "thumb", "--sizes", "64", "--no-isolate", "--max-bytes", "9M",
            ]
            #expect(try Binary.run(["mirror", "demo", "-o", "m"] + words, folder: folder.url).code == 0)
            let file = try #require(Tree(of: folder.path("m")).names.first { $0.hasPrefix("originals/") })
            try folder.remove("m/\(file)")
            let refused = try Binary.run(["verify", "m", "--repair"], folder: folder.url)
            let message = """
                sluice: the mirror's last command has options that Sluice does not take from a mirror: \
                --no-isolate --max-bytes=9M; use --config or your own sluice.json
                """
            #expect(refused.code == 2 && refused.err.contains(message), "\(refused.err)")
            #expect(
                refused.err.contains("run: sluice verify m --repair --no-isolate --max-bytes=9M\n"), "\(refused.err)")
            try folder.write("{\"max-bytes\": \"9M\"}", to: "own.json")
            let own = ["--no-isolate", "--config", "own.json"]
            try Binary.run(["verify", "m", "--repair"] + own, folder: folder.url).expect()
            try Binary.run(["verify", "m", "--max-bytes", "9M"], folder: folder.url).expect(
                2, err: "--max-bytes needs --repair")
        }

        /// Nothing was broken then, so that the repair was not repeated.
        @Test("--repair completes a killed repair, even if no file is broken")
        func killedRepair() throws {
            let mirror = try Small()
            let before = try Tree(of: mirror.path)
            for leftover in [".sluice/partial/manifest.jsonl", ".sluice/partial/gallery-data.js"] {
                try Data("x".utf8).write(to: URL(filePath: "\(mirror.path)/\(leftover)"))
            }
            try mirror.remove("manifest.csv")
            #expect(try mirror.verify().code == 0)
            #expect(try mirror.verify("--repair").code == 0)
            let after = try Tree(of: mirror.path)
            #expect(after.names == before.names && after.visible.differences(to: before.visible) == [])
        }

        @Test("Thumbnails of local files are repaired from the files")
        func thumbs() throws {
            let mirror = try Small()
            try Binary.run(
                ["thumbs", "mirror/originals", "-o", "small", "--sizes", "48"], folder: mirror.folder.url
            ).require()
            let small = mirror.folder.path("small")
            let before = try Tree(of: small).visible
            let file = try #require(before.names.first { $0.hasPrefix("48/") })
            try Data(repeating: 0, count: before.files[file]?.count ?? 0).write(to: URL(filePath: "\(small)/\(file)"))
            #expect(try Binary.run(["verify", small]).code == 7)
            try Binary.run(["verify", small, "--repair"]).expect()
            // The manifest now has absolute file paths; the thumbnails are the same.
            let isThumb = { (name: String) in name.hasPrefix("48/") }
            #expect(try Tree(of: small).filtered(isThumb) == before.filtered(isThumb))
        }

        @Test("A damaged ledger exits with code 7, and a folder that is not a mirror with code 2")
        func refusals() throws {
            let mirror = try Small()
            #expect(try Binary.run(["verify", mirror.folder.path]).code == 2)
            let ledger = URL(filePath: "\(mirror.path)/.sluice/ledger.sqlite")
            var bytes = try Data(contentsOf: ledger)
            for offset in stride(from: 8192, to: bytes.count, by: 512) { bytes[offset] ^= 0xFF }
            try bytes.write(to: ledger)
            let result = try mirror.verify()
            #expect(result.code == 7 && result.isPlain, "\(result.err)")
        }
    }
}

extension CommandTests {
    /// Rows F9 and F11 of the fault table: damaged or deleted files, and too little memory.
    @Suite("Bit rot", .timeLimit(.minutes(10))) struct BitRotTests {
        /// Whether a receipt names the file.
        private static func isKept(_ name: String) -> Bool {
            name.hasPrefix("originals/") || name.hasPrefix("thumbs/")
        }

        @Test("F9: a tenth of the files, deleted at random, is listed completely, and repair fetches nothing else")
        func deleted() throws {
            let mirror = try DemoMirror.finished()
            let before = try mirror.tree().visible
            let gone = before.names.filter(Self.isKept).shuffled().prefix(18).sorted()
            for name in gone { try FileManager.default.removeItem(atPath: "\(mirror.path)/\(name)") }
            let found = try Binary.run(["verify", mirror.path])
            #expect(found.code == 7 && found.out.split(separator: "\n").sorted() == gone.map { "missing     \($0)" })
            let repaired = try Binary.run(["verify", mirror.path, "--repair", "--json"])
            #expect(repaired.code == 0, "\(gone): \(repaired.err)")
            // `originals/00012-…` and `thumbs/64/00012-…` belong to one photo.
            let numbers = Set(gone.compactMap { Int($0.split(separator: "/").last?.prefix(5) ?? "") })
            #expect(try RunEvent.all(in: repaired.out).started == numbers, "\(gone)")
            #expect(try mirror.tree().visible.differences(to: before) == [], "\(gone)")
        }

        @Test("F9: a flipped bit in any kind of file is found, or the file is rewritten")
        func rotten() throws {
            let mirror = try DemoMirror.finished()
            let before = try mirror.tree().visible
            let kinds = ["originals/", "thumbs/", "gallery/", "manifest.jsonl", "manifest.csv", "index.html"]
            let rotten = try kinds.map { kind in
                try #require(before.names.filter { $0.hasPrefix(kind) }.randomElement(), "\(kind)")
            }
            for name in rotten {
                var bytes = before.files[name] ?? Data()
                bytes[Int.random(in: bytes.indices)] ^= 1 << UInt8.random(in: 0..<8)
                try bytes.write(to: URL(filePath: "\(mirror.path)/\(name)"))
            }
            let found = try Binary.run(["verify", mirror.path])
            let wanted = rotten.prefix(2).map { "changed     \($0): the size matches, but the checksum does not" }
            let lines = found.out.split(separator: "\n").map(String.init)
            #expect(found.code == 7 && Set(lines) == Set(wanted) && lines.count == 2, "\(found)")
            #expect(try Binary.run(["verify", mirror.path, "--repair"]).code == 0)
            #expect(try Binary.run(["gallery", mirror.path]).code == 0)
            #expect(try mirror.tree().visible.differences(to: before) == [], "\(rotten)")
        }

        @Test("F11: a run with too little memory loses nothing that it reported as done", arguments: [150, 400])
        func memory(megabytes: Int) throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try Binary.shell("ulimit -v \(megabytes * 1024) -c 0; sluice \(words) --json")
            // The run may have stopped in the middle of a line.
            let lines = result.out.split(separator: "\n").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
            let done = try lines.map { try RunEvent($0) }.ended("done")
            #expect(done.isSubset(of: try mirror.finish().ended("kept")), "\(result.code)")
        }
    }
}
