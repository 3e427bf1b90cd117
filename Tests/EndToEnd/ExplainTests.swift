// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import TestSupport
import Testing

/// The causes and the commands that `sluice explain` prints.
@Suite("explain", .timeLimit(.minutes(10))) struct ExplainTests {
    private let folder: TemporaryFolder
    private var names: String { "list of 'mine'.txt" }

    init() throws {
        folder = try TemporaryFolder()
        // Nothing listens on the first address, and the second is private.
        let list = "http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b\nhttp://10.0.0.1/c\n"
        try Data(list.utf8).write(to: folder.url.appending(path: names))
    }

    private func mirror() throws -> Binary.Result {
        let words = ["--allow-address", "127.0.0.1", "--allow-port", "9", "--retries", "0", "--sizes", "none"]
        return try Binary.run(["mirror", names, "-o", "my mirror"] + words, folder: folder.url)
    }

    @Test("explain lists causes by host with their meaning, and the shares at the end")
    func causes() throws {
        #expect(try mirror().code == 3)
        let result = try Binary.run(["explain", "my mirror"], folder: folder.url)
        #expect(result.code == 0 && result.isPlain && result.err.isEmpty)
        let lines = result.out.split(separator: "\n").map(String.init)
        #expect(lines.first == "3 photos: 3 failed")
        #expect(
            lines[1].contains(/2  connect +127\.0\.0\.1 +the host is unreachable; temporary \(photo 1: .+\)/),
            "\(lines)")
        #expect(lines[2].contains(/1  address-refused +10\.0\.0\.1 .*; permanent/), "\(lines)")
        #expect(lines.last == "0.0 % of 3 selected photos are done; at most 66.6 % can be", "\(lines)")
    }

    @Test("explain does not say that photos are lost that an option would permit")
    func permission() throws {
        try Data("http://10.0.0.1/c\n".utf8).write(to: folder.url.appending(path: names))
        #expect(try mirror().code == 3)
        let result = try Binary.run(["explain", "my mirror"], folder: folder.url)
        #expect(result.out.contains("permanent, unless --allow-address or --allow-port permits it"), "\(result.out)")
        #expect(result.out.hasSuffix("0.0 % of 1 selected photo are done; others need a permission\n"), "\(result.out)")
    }

    @Test("The printed command works in a shell from any folder, and retries the photos it names")
    func commands() throws {
        #expect(try mirror().code == 3)
        let result = try Binary.run(["explain", folder.path("my mirror"), "--json"])
        let event = try RunEvent(try #require(result.out.split(separator: "\n").first))
        let commands = try #require(event.members["commands"] as? [String])
        #expect(commands.count == 1 && commands[0].contains("--retry=connect"), "\(commands)")
        let again = try Binary.shell("\(commands[0]) --json")
        #expect(again.code == 3, "\(again.err)")
        #expect(try RunEvent.all(in: again.out).started == [1, 2])
    }

    @Test("Incomplete photos can be salvaged, as the message, explain and the report say")
    func salvage() throws {
        let picture = try ImageEncoder(.png).encode([UInt8](repeating: 90, count: 64 * 64 * 4), width: 64, height: 64)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
        try Data(picture.dropLast(20)).write(to: folder.url.appending(path: "in/cut.png"))
        let made = try Binary.run(["thumbs", "in", "-o", "t"], folder: folder.url)
        let reason = "truncated: no PNG end chunk, at in/cut.png; use --salvage"
        #expect(made.code == 3 && made.err.contains(reason), "\(made.err)")
        let explained = try Binary.run(["explain", "t"], folder: folder.url)
        #expect(explained.out.contains("the photo is incomplete; temporary, or --salvage"), "\(explained.out)")
        #expect(explained.out.contains("1 photo may be recovered with --salvage:"), "\(explained.out)")
        #expect(!explained.out.contains("with a retry"), "\(explained.out)")
        let report = try String(decoding: folder.bytes(of: "t/report.html"), as: UTF8.self)
        #expect(report.contains("retry, or --salvage"))
    }

    @Test("A photo over the pixel limit is kept, and the command that explain prints makes its thumbnail")
    func largePhoto() throws {
        let picture = try ImageEncoder(.png).encode([UInt8](repeating: 90, count: 64 * 64 * 4), width: 64, height: 64)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "in"), withIntermediateDirectories: false)
        try Data(picture).write(to: folder.url.appending(path: "in/large.png"))
        let made = try Binary.run(
            ["mirror", "in", "-o", "m", "--sizes", "32", "--max-pixels", "4095"], folder: folder.url)
        let reason = "too-many-pixels: 64x64 (limit 4095); use --max-pixels=1G for a thumbnail"
        #expect(made.code == 0 && made.err.contains("kept without a thumbnail: "), "\(made.err)")
        #expect(made.err.contains(reason) && made.err.contains("1 without a thumbnail (1 over a limit)"), "\(made.err)")
        let explained = try Binary.run(["explain", folder.path("m")])
        #expect(explained.out.contains("kept without a thumbnail, which --max-pixels=1G may make"), "\(explained.out)")
        let advice = "1 photo may get thumbnails with --max-pixels=1G:\n  "
        #expect(explained.out.hasSuffix("all 1 selected photo are done\n"), "\(explained.out)")
        let command = explained.out.firstRange(of: advice).map { explained.out[$0.upperBound...].prefix { $0 != "\n" } }
        let again = try Binary.shell("\(try #require(command)) --json")
        let events = try RunEvent.all(in: again.out)
        #expect(again.code == 0 && events.ended("done") == [1], "\(again)")
        #expect(folder.names().contains("m/thumbs/32/00001-large.png"), "\(folder.names())")
    }

    @Test("A complete mirror needs no advice")
    func complete() throws {
        let made = try Binary.run(
            ["mirror", "demo", "--pages=1", "--per-page=2", "--variant=thumb", "--sizes=none", "-o", "m"],
            folder: folder.url)
        #expect(made.code == 0)
        let result = try Binary.run(["explain", "m"], folder: folder.url)
        #expect(result.out == "2 photos: 2 done\n\nall 2 selected photos are done\n" && result.code == 0)
    }
}
