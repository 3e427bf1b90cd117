// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row E2 of the fault table: symbolic links that an attacker placed in the mirror's folder.
    @Suite("Symbolic links") struct SymbolicLinkTests {
        @Test(
            "E2: a link in place of a folder is never followed, and the message names it",
            arguments: ["originals", "thumbs", "thumbs/64", ".sluice/partial", "gallery"])
        func folder(_ name: String) throws {
            let mirror = try DemoMirror.finished()
            let outside = mirror.parent.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            let place = "\(mirror.path)/\(name)"
            if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside.path)
            let result = try mirror.run("--quiet")
            #expect(result.code == 5 && result.isPlain, "\(result)")
            #expect(result.err.contains("\(name): symbolic links are not followed"), "\(result)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
            try FileManager.default.removeItem(atPath: place)
            _ = try mirror.finish()
        }

        @Test(
            "E2: a link in place of a file is replaced or refused, and its target stays unchanged",
            arguments: ["manifest.jsonl", "index.html", ".sluice/lock", ".sluice/ledger.sqlite"])
        func file(_ name: String) throws {
            let mirror = try DemoMirror.finished()
            let outside = mirror.parent.appending(path: "precious")
            try Data("precious".utf8).write(to: outside)
            let place = "\(mirror.path)/\(name)"
            try FileManager.default.removeItem(atPath: place)
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: outside.path)
            let result = try mirror.run("--quiet")
            #expect(result.code == (name.hasPrefix(".sluice") ? 5 : 0) && result.isPlain, "\(result)")
            #expect(try Data(contentsOf: outside) == Data("precious".utf8))
        }
    }
}
