// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row E2 of the fault table: output folders that belong to another user.
    @Suite("Folder owner", .enabled(if: getuid() == 0, "only root can give a folder away"))
    struct FolderOwnerTests {
        @Test(
            "E2: another user's folder is refused if others may write to it, unless --force is given",
            arguments: [0o777, 0o775, 0o755])
        func others(rights: Int) throws {
            let mirror = try DemoMirror()
            try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.posixPermissions: rights, .ownerAccountID: 65534], ofItemAtPath: mirror.path)
            let result = try mirror.run("--pages", "1", "--per-page", "2")
            if rights & 0o022 == 0 {
                #expect(result.code == 0, "\(result.err)")
            } else {
                let sentence =
                    "cannot use '\(mirror.path)' as the output folder: it belongs to another user and is writable by others"
                #expect(result.code == 5 && result.err.hasPrefix("sluice: \(sentence)\nhint: "), "\(result.err)")
                #expect(try mirror.tree().names == [])
                #expect(try mirror.run("--pages", "1", "--per-page", "2", "--force").code == 0)
            }
        }

        /// They wrote into it, and replaced files there.
        @Test("E2: no command that makes a folder's files writes to another user's folder")
        func otherCommands() throws {
            let mirror = try DemoMirror()
            #expect(try mirror.run("--pages", "1", "--per-page", "2").code == 0)
            func run(_ line: String) throws -> Binary.Result {
                try Binary.shell("sluice \(line)", folder: mirror.parent)
            }
            let demo = "demo --pages 1 --per-page 2 --variant thumb --sizes none --shards 1"
            #expect(try run("plan \(demo) -o plan").code == 0)
            let other = mirror.parent.appending(path: "other").path
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777, .ownerAccountID: 65534], ofItemAtPath: other)
            let lines = [
                ("plan \(demo) -o other", 5), ("work plan --shard 0 -o other", 75),
                ("work plan --shard 0 --layout webdataset -o other", 75),
                ("work plan --shard 0 -o x --state other", 75),
                ("export \(mirror.path) -o other", 5), ("export \(mirror.path) --layout huggingface -o other", 5),
            ]
            for (line, code) in lines {
                let result = try run(line)
                #expect(result.code == code, "\(line): \(result.err)")
                #expect(
                    result.err.contains("it belongs to another user and is writable by others"),
                    "\(line): \(result.err)")
                #expect(try Tree(of: other).names == [], "\(line)")
            }
            // A folder that the user makes in it is safe.
            #expect(try run("plan \(demo) -o other/plan").code == 0)
        }

        @Test("A trace does not follow a planted link")
        func plantedLink() throws {
            let mirror = try DemoMirror()
            let (victim, trace) = (mirror.parent.path + "/victim", mirror.parent.path + "/trace.json")
            try Data("text".utf8).write(to: URL(filePath: victim))
            try FileManager.default.createSymbolicLink(atPath: trace, withDestinationPath: victim)
            let result = try mirror.run("--pages", "1", "--per-page", "2", "--trace", trace)
            #expect(result.code == 5 && result.err.contains("trace.json"), "\(result.err)")
            #expect(try Data(contentsOf: URL(filePath: victim)) == Data("text".utf8))
        }

        @Test("E2: the user's own folder may be writable by others")
        func own() throws {
            let mirror = try DemoMirror()
            try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: mirror.path)
            #expect(try mirror.run("--pages", "1", "--per-page", "2").code == 0)
        }
    }
}
