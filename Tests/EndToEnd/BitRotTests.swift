// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

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

        @Test("F9: a flipped bit in any kind of file is found, and the file is rewritten")
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
            let wanted =
                rotten.prefix(2).map { "changed     \($0): the size matches, but the checksum does not" }
                + rotten.dropFirst(2).map { "changed     \($0): it is not the file that was written" }
            let lines = found.out.split(separator: "\n").map(String.init)
            #expect(found.code == 7 && Set(lines) == Set(wanted) && lines.count == wanted.count, "\(found)")
            #expect(try Binary.run(["verify", mirror.path, "--repair"]).code == 0)
            #expect(try Binary.run(["verify", mirror.path]).code == 0)
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
