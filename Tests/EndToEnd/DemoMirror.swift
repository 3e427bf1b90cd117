// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A mirror of the demo's first ninety photos in a small variant, which a debug build makes in seconds.
struct DemoMirror {
    /// The result and the files of an undisturbed run; made once for all tests.
    static let undisturbed = Result {
        let mirror = try DemoMirror()
        let run = try mirror.run()
        return (run: run, tree: try mirror.tree())
    }

    private let folder: TemporaryFolder
    /// The folder that contains the mirror's folder.
    var parent: URL { folder.url }
    /// The mirror's folder; its name is the gallery's title.
    let path: String

    /// A mirror that does not exist yet; `disk` is the folder to create it in, or `nil` for a temporary one.
    init(on disk: String? = nil) throws {
        folder = try TemporaryFolder()
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
