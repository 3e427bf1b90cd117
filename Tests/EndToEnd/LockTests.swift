// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Locks of datasets, and mirrors that are made from them after the photos have changed.
@Suite("Locks", .timeLimit(.minutes(10))) struct LockTests {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Mirrors ten photos.
    ///
    /// From the second request on, the server sends two of them unchanged, one with another quality, one other photo,
    /// the same picture for five, and none for the last.
    init() throws {
        let words = ["--pages=1", "--per-page=12", "--variant=thumb", "--sizes=128", "--format=jpeg", "-o", "demo"]
        try Binary.run(["mirror", "demo"] + words, folder: folder.url).require()
        let thumbs = ["thumbs", "demo/thumbs/128", "-o", "low", "--sizes=128", "--format=jpeg", "--quality=40"]
        try Binary.run(thumbs, folder: folder.url).require()
        let photos = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        let reencoded = try Tree(of: folder.path("low")).filtered { $0.hasSuffix(".jpg") }
        let first = photos.names.map { Self.reply(photos.files[$0]) }
        let second =
            Array(first[0..<2]) + [Self.reply(reencoded.files[reencoded.names[2]]), first[10]]
            + Array(repeating: first[11], count: 5) + [[.text("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"), .again]]
        server = try RawServer(
            sequences: Dictionary(uniqueKeysWithValues: (0..<10).map { ("/\($0).jpg", [first[$0], second[$0]]) }))
        let list = (0..<10).map { server.url("/\($0).jpg") + "\n" }.joined()
        try folder.write(list, to: "list.txt")
        try mirror("list.txt", into: "m").require()
    }

    private static func reply(_ photo: Data?) -> [RawServer.Step] {
        let bytes = Array(photo ?? Data())
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(bytes.count)\r\n\r\n"
        return [.text(head), .raw(bytes), .again]
    }

    private func mirror(_ source: String, into out: String, _ more: String...) throws -> Binary.Result {
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--retries", "0"]
        return try Binary.run(["mirror", source, "-o", out, "--sizes", "64"] + network + more, folder: folder.url)
    }

    @Test("A lock has a line for each photo, and mirroring the lock reports the state of each")
    func states() throws {
        let lock = try Binary.run(["lock", "m"], folder: folder.url)
        #expect(lock.code == 0 && lock.err == "locked 10 photos\n")
        let lines = lock.out.split(separator: "\n").map(String.init)
        #expect(lines.count == 11 && lines[0] == "#sluice-lock 1")
        let manifest = try Tree(of: folder.path("m")).text("manifest.jsonl").split(separator: "\n")
        for (line, entry) in zip(lines.dropFirst(), manifest) {
            let event = try RunEvent(entry)
            let words = [event[text: "sha256"], event[number: "bytes"].map(String.init), event[text: "phash"]]
            #expect(line == (words.compactMap(\.self) + [event[text: "url"] ?? ""]).joined(separator: " "))
        }
        try folder.write(lock.out, to: "dataset.lock")
        let again = try mirror("dataset.lock", into: "again", "--accept", "re-encoded")
        #expect(again.code == 3 && Self.withoutReasons(again.out) == expected((2...9)), "\(again.out) \(again.err)")
        let reasons = again.out.split(separator: "\n").map { $0.hasSuffix(")") && $0.contains("  (") }
        #expect(reasons == Array(repeating: true, count: 8), "\(again.out)")
        #expect(again.out.contains("/9.jpg") && again.out.contains("  (http-404"), "\(again.out)")
        let counts = "lock: 2 same, 1 re-encoded, 1 replaced, 5 placeholder, 1 gone\n"
        #expect(again.err.hasSuffix(counts), "\(again.err)")

        // A part of the lock, in which only accepted changes are.
        try folder.write(lines[0...3].joined(separator: "\n") + "\n", to: "part.lock")
        let accepted = try mirror("part.lock", into: "part", "--accept", "re-encoded")
        #expect(accepted.code == 0 && Self.withoutReasons(accepted.out) == expected(2...2), "\(accepted.err)")
        #expect(try mirror("part.lock", into: "part").code == 3)
        #expect(try mirror("part.lock", into: "part", "--accept", "rotated").code == 2)
    }

    @Test("A lock whose photos have not changed is mirrored with exit code 0, and invalid lines are reported")
    func unchanged() throws {
        let lock = try Binary.run(["lock", "m"], folder: folder.url)
        let lines = lock.out.split(separator: "\n").map(String.init)
        try folder.write(lines[0...2].joined(separator: "\n") + "\n", to: "a.lock")
        let result = try mirror("a.lock", into: "a")
        #expect(result.code == 0 && result.out.isEmpty && result.err.hasSuffix("lock: 2 same\n"), "\(result.err)")
        try folder.write("\(lines[0])\n\(lines[1])\nnonsense\n", to: "b.lock")
        let broken = try mirror("b.lock", into: "b")
        #expect(broken.code == 3 && broken.err.hasSuffix("lock: 1 same\n"), "\(broken.err)")
        #expect(try Tree(of: folder.path("b")).text("manifest.jsonl").contains("line 3: expected a SHA-256"))
    }

    private static func withoutReasons(_ lines: String) -> String {
        lines.split(separator: "\n").map { $0.prefix(upTo: $0.firstRange(of: "  (")?.lowerBound ?? $0.endIndex) + "\n" }
            .joined()
    }

    /// The receipts of the earlier run decided, so that photos that had gone were the same.
    @Test("A lock that is mirrored again reports what this run found, and which photos it did not ask for")
    func refresh() throws {
        let lock = try Binary.run(["lock", "m"], folder: folder.url)
        let lines = lock.out.split(separator: "\n").map(String.init)
        func write(_ lines: [String]) throws {
            try folder.write(lines.joined(separator: "\n") + "\n", to: "a.lock")
        }
        // The first, which is unchanged, and the last, which has gone.
        try write([lines[0], lines[1], lines[10]])
        let kept = try mirror("a.lock", into: "m")
        let note = "; 2 photos of earlier runs were not requested again (use --refresh)"
        #expect(kept.code == 0 && kept.out.isEmpty && kept.err.hasSuffix("lock: 2 same\(note)\n"), "\(kept)")
        let fresh = try mirror("a.lock", into: "m", "--refresh")
        #expect(fresh.code == 3 && Self.withoutReasons(fresh.out) == expected(9...9), "\(fresh)")
        #expect(fresh.err.hasSuffix("lock: 1 same, 1 gone\n"), "\(fresh.err)")
        #expect(try mirror("a.lock", into: "m", "--refresh", "--accept", "gone").code == 0)
        // A line that is not a photo of the lock is never accepted.
        try write([lines[0], lines[1], lines[10], "nonsense"])
        #expect(try mirror("a.lock", into: "m", "--refresh", "--accept", "gone").code == 3)
    }

    private func expected(_ numbers: ClosedRange<Int>) -> String {
        let words = [2: "re-encoded   ", 3: "replaced     ", 9: "gone         "]
        return numbers.map { (words[$0] ?? "placeholder  ") + server.url("/\($0).jpg") + "\n" }.joined()
    }
}
