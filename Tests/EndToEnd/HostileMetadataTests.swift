// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

extension CommandTests {
    /// Rows E1, E5, E7 and E8 of the fault table: hostile photo names and captions, through the whole command.
    @Suite("Hostile metadata", .timeLimit(.minutes(10))) struct HostileMetadataTests {
        /// Serves one picture for every path.
        private final class Service: OriginService {
            static let picture: [UInt8] = {
                let pixels = (0..<64).flatMap { place -> [UInt8] in [UInt8(place), 9, 7, 255] }
                return (try? ImageEncoder(.png).encode(pixels, width: 8, height: 8)) ?? []
            }()

            func reply(to request: OriginRequest) -> OriginReply { OriginReply(type: "image/png", Self.picture) }
        }

        private static let words =
            [
                "../../../../etc/cron.d/x", "..\\..\\x", "/etc/passwd", "....//....//x", "%2e%2e%2fx", "..;/x",
                "a/../../x", "a\0b", ".", "..", "~/x", "$(touch x)", "`touch x`", "|touch x", "-rf", "con", "nul.jpg",
                ".htaccess", ".sluice/ledger.sqlite", "'; DROP TABLE items; --", "\"); DELETE FROM receipts; --",
                "=1+1", "@SUM(A1)",
                "\u{1B}[2J\u{1B}]0;pwned\u{7}", "\u{9B}31m", "\u{202E}gpj.exe", "a\u{2028}b", "line\r\nX-Injected: 1",
                "<script>alert(1)</script>", "x\u{FEFF}", "😀👩‍👩‍👧", "e\u{301}", "\u{E9}",
                String(repeating: "n", count: 3000), String(repeating: "\u{301}", count: 400), "NULL", "\\", "\\u0000",
            ].flatMap { [$0, $0 + "/x", "x/" + $0] }

        @Test(
            "E1, E5, E7, E8: hostile texts create no file outside the mirror, control no terminal, and are exact in the manifest",
            arguments: ["{id}", "{caption}/{author}-{seq}"])
        func names(template: String) throws {
            let folder = try TemporaryFolder()
            let origin = try OriginServer(Service())
            defer { origin.stop() }
            let lines = try Self.words.enumerated().map { index, word in
                let url = "http://127.0.0.1:\(origin.port)/\(index)"
                let record = ["url": url, "id": word, "title": word, "author": word]
                return try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
            }
            try FileManager.default.createDirectory(atPath: folder.path("in/deep"), withIntermediateDirectories: true)
            try Data(lines.joined()).write(to: folder.url.appending(path: "list.jsonl"))
            let words = [
                "mirror", folder.path("list.jsonl"), "--out", folder.path("in/deep/out"), "--name", template, "--sizes",
                "none", "--allow-private", "--allow-port", "\(origin.port)",
            ]
            let result = try Binary.run(words, folder: folder.url.appending(path: "in/deep"))
            #expect(result.code == 0, "\(result.err.suffix(500))")
            #expect(result.isPlain && !result.err.contains("\u{202E}") && !result.err.contains("\u{9B}"))
            let outside = try Tree(of: folder.path("")).files.keys.filter { !$0.hasPrefix("in/deep/out/") }
            #expect(outside == ["list.jsonl"])
            let manifest = try String(
                contentsOf: folder.url.appending(path: "in/deep/out/manifest.jsonl"), encoding: .utf8)
            let entries = try RunEvent.all(in: manifest)
            #expect(entries.count == Self.words.count)
            for (entry, word) in zip(entries, Self.words) {
                #expect(entry[text: "id"].map { Array($0.unicodeScalars) } == Array(word.unicodeScalars))
                let file = try #require(entry[text: "file"])
                #expect(file.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
                #expect(!file.split(separator: "/").contains { $0.hasPrefix(".") } && file.hasPrefix("originals/"))
                #expect(FileManager.default.fileExists(atPath: folder.path("in/deep/out/\(file)")))
            }
            #expect(try Binary.run(["verify", folder.path("in/deep/out")]).code == 0)
        }
    }
}
