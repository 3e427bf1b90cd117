// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Runs the whole command as a process, against its built-in demo service.
///
/// One test at a time: each mirrors ninety photos, and parallel tests would only compete for the cores.
@Suite("Command", .serialized, .timeLimit(.minutes(10))) enum CommandTests {}

/// A mirror of the demo's first ninety photos in a small variant, which a debug build makes in seconds.
struct DemoMirror {
    /// The result and the files of an undisturbed run; made once for all tests.
    static let undisturbed = Result {
        let mirror = try DemoMirror()
        let run = try mirror.run()
        return (run: run, tree: try mirror.tree())
    }

    private let folder = TemporaryFolder()
    /// The folder that contains the mirror's folder.
    var parent: URL { folder.url }
    /// The mirror's folder; its name is the gallery's title.
    let path: String

    /// A mirror that does not exist yet; `disk` is the folder to create it in, or `nil` for a temporary one.
    init(on disk: String? = nil) throws {
        path = "\(disk ?? folder.path)/mirror"
    }

    /// A copy of the mirror that an undisturbed run made.
    static func finished() throws -> DemoMirror {
        let mirror = try DemoMirror()
        try undisturbed.get().tree.write(to: mirror.path)
        return mirror
    }

    /// The arguments of `sluice` that make the mirror.
    var arguments: [String] {
        ["mirror", "demo", "--pages", "3", "--per-page", "30", "--variant", "thumb", "--sizes", "64", "--out", path]
    }

    /// Runs the command until it exits.
    func run(_ more: String...) throws -> Binary.Result { try Binary.run(arguments + more, folder: folder.url) }

    /// Starts a run that prints its events.
    func start(_ more: String...) throws -> Running {
        try Running(arguments + ["--json"] + more, folder: folder.url)
    }

    /// All files in the mirror's folder.
    func tree() throws -> Tree { try Tree(of: path) }

    /// The partial files that no run can resume: a download that can resume has a note next to it.
    func unfinished() throws -> [String] {
        let names = try tree().names
        return names.filter { name in
            let file = name.hasSuffix(".note") ? String(name.dropLast(5)) : name
            let canResume = names.contains(file) && names.contains(file + ".note")
            return name.hasPrefix(".sluice/partial/") && !canResume || name.hasSuffix(".part")
        }
    }

    /// Starts a run that takes more than a second on any machine, for tests that act while it runs.
    func startSlowly(_ more: String...) throws -> Running {
        try Running(arguments + ["--json", "--rate", "60/s"] + more, folder: folder.url)
    }

    /// Runs the command until it exits, and expects the same mirror as from an undisturbed run.
    func finish(location: SourceLocation = #_sourceLocation) throws -> [RunEvent] {
        let result = try run("--json")
        #expect(result.code == 0, "\(result.err)", sourceLocation: location)
        let wanted = try Self.undisturbed.get().tree
        let found = try tree()
        #expect(found.visible.differences(to: wanted.visible) == [], sourceLocation: location)
        #expect(found.names == wanted.names, sourceLocation: location)
        return try RunEvent.all(in: result.out)
    }
}

/// Small JPEG pictures of the demo, for servers whose replies a test decides.
struct DemoPictures {
    /// The files, in the order of the demo's photos.
    let files: [[UInt8]]

    /// Makes the pictures with a mirror of at most 30 photos in the subfolder `demo`.
    init(_ count: Int, in folder: TemporaryFolder) throws {
        let words = [
            "--pages=1", "--per-page=\(count)", "--variant=thumb", "--sizes=64", "--format=jpeg", "-o", "demo",
        ]
        try Binary.run(["mirror", "demo"] + words, folder: folder.url).require()
        let thumbnails = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        files = thumbnails.names.map { Array(thumbnails.files[$0] ?? Data()) }
    }

    /// The lines of a list with the first pictures on a server.
    static func list(_ count: Int, on server: RawServer) -> String {
        (0..<count).map { "\(server.url(path($0)))\n" }.joined()
    }

    /// The path of a picture on a server.
    static func path(_ number: Int) -> String { "/\(number).jpg" }

    /// A reply with a status line, further headers and a body, after which the connection stays open.
    static func reply(_ head: String, _ body: [UInt8] = []) -> [RawServer.Step] {
        [.text("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\n\r\n"), .raw(body), .again]
    }

    /// A reply with each picture, by path.
    var replies: [String: [RawServer.Step]] {
        Dictionary(uniqueKeysWithValues: files.indices.map { (Self.path($0), reply($0)) })
    }

    /// A reply with a picture.
    func reply(_ number: Int, headers: String = "") -> [RawServer.Step] {
        Self.reply("200 OK\r\n\(headers)Content-Type: image/jpeg", files[number])
    }
}

extension RawServer {
    /// The options with which a run requests photos of this server, once each.
    var access: [String] {
        "--allow-private --no-robots --retries 0 --allow-port \(port)".split(separator: " ").map(String.init)
    }
}
