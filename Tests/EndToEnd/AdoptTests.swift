// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// `sluice adopt` imports what another tool downloaded.
    @Suite("adopt", .timeLimit(.minutes(10))) struct AdoptTests {
        private let folder = TemporaryFolder()

        private static let words = ["demo", "--pages", "1", "--per-page", "6", "--variant", "thumb", "--sizes", "64"]

        /// Writes the demo's first four photos as `wget -x` leaves them, and returns the files of a complete mirror.
        private func downloads(in folder: TemporaryFolder) throws -> [String: Data] {
            try Binary.run(["mirror"] + Self.words + ["-o", folder.path("reference")]).require()
            let tree = try Tree(of: folder.path("reference"))
            for line in try RunEvent.all(in: tree.text("manifest.jsonl")).prefix(4) {
                let path = try #require(line[text: "url"]?.replacingOccurrences(of: "http://", with: ""))
                let file = folder.url.appending(path: "downloads/\(path)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try tree.files[line[text: "file"] ?? ""]?.write(to: file)
            }
            return tree.files.filter { $0.key.hasPrefix("originals/") || $0.key.hasPrefix("thumbs/") }
        }

        @Test("Adopting gives the same mirror as downloading, and the next run downloads the photos without a file")
        func whole() throws {
            let wanted = try downloads(in: folder)
            let before = try Tree(of: folder.path("downloads"))
            let words = ["adopt", folder.path("downloads")] + Self.words + ["-o", folder.path("mirror")]
            let dry = try Binary.run(words + ["--dry-run"])
            #expect(dry.code == 0 && dry.out.split(separator: "\n").count == 4 && dry.isPlain, "\(dry)")
            #expect(dry.out.contains("/thumb.jpg is photo 1 by its name\n"), "\(dry.out)")
            #expect(!folder.contains("mirror"))

            let adopted = try Binary.run(words + ["--json"])
            #expect(adopted.code == 0 && adopted.isPlain, "\(adopted.err)")
            let events = try RunEvent.all(in: adopted.out)
            #expect(events.ended("done") == [1, 2, 3, 4])
            let found = events.filter { $0.name == "file-found" }
            #expect(found.map { $0[text: "verdict"] } == Array(repeating: "match", count: 4))
            #expect(found.map { $0[text: "by"] } == Array(repeating: "name", count: 4))

            // Without SOURCE, mirror repeats the last mirror command; adopt does not count as one.
            let finished = try Binary.run(["mirror", "-o", folder.path("mirror"), "--json"])
            let rest = try RunEvent.all(in: finished.out)
            #expect(finished.code == 0 && rest.ended("kept") == [1, 2, 3, 4] && rest.started == [5, 6])
            let tree = try Tree(of: folder.path("mirror"))
            #expect(tree.files.filter { wanted[$0.key] != nil } == wanted)
            #expect(try Binary.run(["verify", folder.path("mirror"), "--deep"]).code == 0)
            #expect(try Tree(of: folder.path("downloads")) == before)
        }

        @Test("Without SOURCE, adopt looks for the photos that the mirror lacks and does not read the feed")
        func again() throws {
            _ = try downloads(in: folder)
            let mirror = folder.path("reference")
            let before = try Tree(of: mirror).visible
            let photo = try #require(before.names.first { $0.hasPrefix("originals/") })
            try FileManager.default.removeItem(atPath: "\(mirror)/\(photo)")
            let result = try Binary.run(["adopt", folder.path("downloads"), "-o", mirror, "--json"]).expect()
            #expect(try RunEvent.all(in: result.out).ended("done") == [1])
            #expect(try Tree(of: mirror).files[photo] == before.files[photo])
        }
    }
}
