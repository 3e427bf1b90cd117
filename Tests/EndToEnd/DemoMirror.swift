// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A mirror of the demo's first ninety photos, small ones, which a debug build makes in seconds.
struct DemoMirror {
    /// What an undisturbed run ended with and left; made once, for all tests.
    static let undisturbed = Result {
        let mirror = try DemoMirror()
        let run = try mirror.run()
        return (run: run, tree: try mirror.tree())
    }

    private let folder: TemporaryFolder
    /// The folder that the mirror's is in.
    var surroundings: URL { folder.url }
    /// The mirror's folder; its gallery is called so.
    let path: String

    /// A mirror that is not there yet; `disk` is where it will be, if that matters.
    init(on disk: String? = nil) throws {
        folder = try TemporaryFolder()
        path = "\(disk ?? folder.path)/mirror"
    }

    /// A mirror that an undisturbed run has made.
    static func finished() throws -> DemoMirror {
        let mirror = try DemoMirror()
        try undisturbed.get().tree.write(to: mirror.path)
        return mirror
    }

    /// The words behind `sluice` that make it.
    var arguments: [String] {
        ["mirror", "demo", "--pages", "3", "--per-page", "30", "--variant", "thumb", "--sizes", "64", "--out", path]
    }

    /// Runs to the end.
    func run(_ more: String...) throws -> Binary.Result { try Binary.run(arguments + more, folder: folder.url) }

    /// Starts a run that tells its events.
    func start(_ more: String...) throws -> Running {
        try Running(arguments + ["--json"] + more, folder: folder.url)
    }

    /// Everything in the mirror's folder.
    func tree() throws -> Tree { try Tree(of: path) }

    /// What is under way, or was left so by a killed run; a download that can go on has a note beside it.
    func unfinished() throws -> [String] {
        let names = try tree().names
        return names.filter { name in
            let file = name.hasSuffix(".note") ? String(name.dropLast(5)) : name
            let canGoOn = names.contains(file) && names.contains(file + ".note")
            return name.hasPrefix(".sluice/partial/") && !canGoOn || name.hasSuffix(".part")
        }
    }

    /// Starts a run that takes more than a second, however fast the machine is: for who wants to meet it under way.
    func startSlowly(_ more: String...) throws -> Running {
        try Running(arguments + ["--json", "--rate", "60/s"] + more, folder: folder.url)
    }

    /// Runs to the end and expects that nobody can tell the mirror from one whose run nothing disturbed.
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
