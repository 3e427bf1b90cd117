// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceCLI

/// A dry run is the real run, but it stores nothing and requests no photo.
///
/// Dry runs used to be programs of their own. They ignored options, accepted values that a run refuses, and listed
/// photos that no run would download.
@Suite("Dry runs", .timeLimit(.minutes(20))) struct DryRunTests {
    /// The commands that have a dry run.
    private static let commands = CommandName.allCases.filter { command in
        Flag.all.contains { $0.long == "dry-run" && $0.isOption(of: command) }
    }

    /// The options whose effect is on the transfer of photos alone, or that make another command, with the reason.
    private static let exceptions = [
        "dry-run": "the test adds it", "forecast": "with --dry-run, only the forecast is made",
        "proxy": "nothing answers at the address, which only a transfer finds out",
    ]

    /// Values of which each option gets the first one that it accepts, besides its own words.
    private static let values = [
        "1000000", "64", "4", "60s", "10%", "1/s", "2020-01-01", "1-2", "1..2", "http-404", "kept", "url",
        "train:9,val:1",
        "width>=1", "X-A: b", "127.0.0.1:9:127.0.0.1", "http://127.0.0.1:9", "file",
    ]
    /// A value that no option accepts, or a file that cannot be written or read.
    private static let unusable = "list.txt/\u{7}/none.wacz"

    /// Every option of a command, with a value that it accepts and with one that is unusable.
    private static func options(of command: CommandName) -> [String] {
        Flag.all.filter { ($0.isOption(of: command) || $0.category == .general) && exceptions[$0.long] == nil }
            .flatMap { flag in
                guard flag.value != nil else { return ["--\(flag.long)"] }
                return [value(of: flag), unusable].compactMap(\.self).map { "--\(flag.long)=\($0)" }
            }
    }

    private static func value(of flag: Flag) -> String? {
        var words: [String] = []
        if case .words(let own) = flag.value?.completion { words = own }
        return (words + values).first { text in
            var options = RawOptions()
            return (try? flag.apply(Argument(spelling: "--\(flag.long)", text: text), to: &options)) != nil
        }
    }

    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Makes a mirror of one of three photos, a folder with another one, and lists.
    init() throws {
        let pictures = try DemoPictures(3, in: folder)
        server = try RawServer(pictures.replies)
        try folder.write(DemoPictures.list(1, on: server), to: "base/list.txt")
        try folder.write(pictures.files[2], to: "base/files/2.jpg")
        try folder.write("{}", to: "base/file")
        try run("base", ["mirror", "list.txt", "-o", "m", "--sizes=32"] + server.access).require()
        try folder.write(DemoPictures.list(3, on: server), to: "base/list.txt")
    }

    private func run(_ place: String, _ words: [String]) throws -> Binary.Result {
        try Binary.shell(
            (["sluice"] + words).map { "'\($0)'" }.joined(separator: " "), environment: ["HOME": folder.path("home")],
            folder: folder.url.appending(path: place))
    }

    /// The words of a command before those of the tested option.
    private func words(of command: CommandName) -> [String] {
        let words =
            switch command {
            case .mirror: ["mirror", "list.txt", "-o", "m", "--sizes=32"] + server.access
            case .adopt: ["adopt", "files", "list.txt", "-o", "m", "--sizes=32"] + server.access
            case .thumbs: ["thumbs", "files", "-o", "t"]
            case .export: ["export", "m", "-o", "e"]
            case .recheck: ["recheck", "m"] + server.access
            default: [command.rawValue, "m"]
            }
        return words
    }

    /// The messages about options and files, without those about work.
    private func messages(_ result: Binary.Result) -> [Substring] {
        // Some hints repeat the command.
        let lines = result.err.replacing(" --dry-run", with: "").split(separator: "\n")
        return lines.filter { $0.hasPrefix("sluice: ") || $0.hasPrefix("hint: ") }
    }

    /// Returns the photos that a run requests.
    private func requested(_ body: () throws -> Binary.Result) rethrows -> (result: Binary.Result, photos: [String]) {
        let before = server.requests.count
        let result = try body()
        let paths = server.requests.dropFirst(before).map { request in
            request.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        }
        return (result, paths.filter { $0.hasSuffix(".jpg") }.sorted())
    }

    @Test("A run and its dry run agree on exit code, messages and requested photos", arguments: commands)
    func agrees(command: CommandName) throws {
        let files = try Tree(of: folder.path("base"))
        for option in Self.options(of: command) { try compare(words(of: command) + [option], with: files) }
    }

    private func compare(_ line: [String], with files: Tree) throws {
        let comment = Comment(rawValue: line.joined(separator: " "))
        for place in ["real", "dry"] {
            try? FileManager.default.removeItem(atPath: folder.path(place))
            try FileManager.default.copyItem(atPath: folder.path("base"), toPath: folder.path(place))
        }
        let (dry, asked) = try requested { try run("dry", line + ["--dry-run"]) }
        #expect(try Tree(of: folder.path("dry")).differences(to: files) == [], comment)
        let (real, downloaded) = try requested { try run("real", line) }
        #expect(dry.code == real.code, "\(comment)\n\(dry)\n\(real)")
        #expect(messages(dry) == messages(real), comment)
        guard ["mirror", "adopt"].contains(line[0]) else {
            #expect(asked == downloaded, comment)
            return
        }
        #expect(asked == [], comment)
        guard line[0] == "mirror" else { return }
        let deferred = dry.out.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
            .filter { $0["cause"]?.text == "deferred" }.compactMap { $0["url"]?.text?.split(separator: "/").last }
        #expect(deferred.map { "/\($0)" }.sorted() == downloaded, "\(comment)\n\(dry)\n\(real)")
    }

    @Test("Every command with a dry run and each of its options is tested")
    func complete() {
        #expect(Set(Self.commands) == [.mirror, .thumbs, .adopt, .duplicates, .recheck, .export])
        #expect(Self.commands.reduce(0) { $0 + Self.options(of: $1).count } > 300)
    }
}
