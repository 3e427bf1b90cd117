// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `export --stratify`.
@Suite("Stratified splits", .timeLimit(.minutes(10))) struct StratifiedExportTests {
    private let folder: TemporaryFolder

    /// Mirrors 24 photos with the labels a, a, b, a, a, b, ...; the last has none.
    init() throws {
        folder = try TemporaryFolder()
        let pictures = try DemoPictures(24, in: folder)
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
        var list = ""
        let server = try RawServer(pictures.replies)
        defer { server.stop() }
        for number in 0..<24 {
            let label = number == 23 ? "" : #","label":"\#(number % 3 == 2 ? "b" : "a")""#
            list += #"{"url":"\#(server.url(DemoPictures.path(number)))"\#(label)}"# + "\n"
            guard number == 17 || number == 23 else { continue }
            try Data(list.utf8).write(to: folder.url.appending(path: "list.jsonl"))
            let result = try Binary.run(
                [
                    "mirror", "list.jsonl", "-o", number == 17 ? "first" : "all", "--sizes", "64", "--allow-private",
                    "--no-robots", "--allow-port", "\(server.port)",
                ], folder: folder.url)
            try #require(result.code == 0, "\(result.err)")
        }
    }

    /// Exports a mirror, and returns the split of each photo by its position.
    private func splits(_ mirror: String, _ out: String, _ more: String...) throws -> [String: String] {
        let words = ["--split", "train:2,test:1", "--stratify", "columns.label", "--layout", "folder"]
        let result = try Binary.run(["export", mirror, "-o", out] + words + more, folder: folder.url)
        #expect(result.code == 0, "\(result.err)")
        let names = try Tree(of: folder.path(out)).names.filter { $0.hasSuffix(".jpg") }.map {
            $0.split(separator: "/")
        }
        return Dictionary(uniqueKeysWithValues: names.map { (String($0[2].dropLast(4)), String($0[0])) })
    }

    @Test("Each value has the shares of the splits, and added photos, order and conditions change no photo's split")
    func shares() throws {
        let first = try splits("first", "x")
        let all = try splits("all", "y")
        #expect(first.count == 18 && all.count == 24)
        #expect(first.allSatisfy { all[$0.key] == $0.value })
        func tests(_ isWanted: (Int) -> Bool) -> Int {
            all.count { isWanted((Int($0.key) ?? 0) - 1) && $0.value == "test" }
        }
        // 16 photos have the label a, 7 have b.
        #expect(
            (4...7).contains(tests { $0 % 3 != 2 && $0 != 23 }) && (1...4).contains(tests { $0 % 3 == 2 && $0 != 23 }))
        #expect(try splits("all", "z", "--shuffle", "3") == all)
        let some = try splits("all", "w", "--where", "columns.label==b")
        #expect(some.count == 7 && some.allSatisfy { all[$0.key] == $0.value })
        #expect(try splits("all", "v") == all)
        #expect(try Tree(of: folder.path("v")) == Tree(of: folder.path("y")))
    }

    @Test("Identical photos stay in one split with --cluster-distance")
    func clusters() throws {
        let pictures = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        for number in 0..<8 {
            let picture = pictures.names[number < 6 ? 0 : number]
            try (pictures.files[picture] ?? Data()).write(to: folder.url.appending(path: "in/\(number).jpg"))
        }
        let mirrored = try Binary.run(["mirror", "in/", "-o", "copies", "--sizes", "64"], folder: folder.url)
        try #require(mirrored.code == 0, "\(mirrored.err)")
        let apart = try splits("copies", "x")
        let together = try splits("copies", "y", "--cluster-distance", "0")
        func copies(_ splits: [String: String]) -> Set<String> {
            Set(splits.filter { $0.key <= "000000006" }.values)
        }
        #expect(together.count == 8 && copies(apart).count == 2 && copies(together).count == 1)
    }

    @Test("A field without --split, and a condition in place of a field, are refused")
    func refused() throws {
        for (words, problem) in [
            (["--stratify", "license"], "--stratify needs --split"),
            (["--stratify", "license==x", "--split", "a:1,b:1"], "expected the name of a field alone"),
            (["--stratify", "label", "--split", "a:1,b:1"], "a column of a list is columns.label"),
        ] {
            let result = try Binary.run(["export", "all", "-o", "x"] + words, folder: folder.url)
            #expect(result.code == 2 && result.err.contains(problem), "\(words): \(result.err)")
        }
    }
}
