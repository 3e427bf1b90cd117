// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// How `--name` names files on the disk.
@Suite("File names on the command line", .timeLimit(.minutes(10))) struct FileNameTests {
    private let folder = TemporaryFolder()

    private func mirror(_ count: Int, _ name: String) throws -> Binary.Result {
        let words = ["--pages=1", "--per-page=\(count)", "--variant=thumb", "--sizes=64", "--json", "-o", "m"]
        return try Binary.run(["mirror", "demo", "--name", name] + words, folder: folder.url)
    }

    private func files(_ part: String) throws -> [String] {
        try Tree(of: folder.path("m/\(part)")).names
    }

    @Test("Originals and thumbnails have the same names, and keep them when the template changes")
    func template() throws {
        #expect(try mirror(3, "{author}/{seq:03}-{slug}.{ext}").code == 0)
        let names = try files("originals")
        #expect(
            names.count == 3 && names.allSatisfy { $0.wholeMatch(of: /[A-Z][^\/]+\/00[123]-[a-z0-9-]+\.jpg/) != nil })
        #expect(try files("thumbs/64") == names)
        let again = try mirror(4, "{id}")
        #expect(try RunEvent.all(in: again.out).started == [4])
        let more = try files("originals")
        #expect(Set(names).isSubset(of: more) && more.count == 4)
        #expect(try files("thumbs/64") == more)
        #expect(try Binary.run(["verify", "m"], folder: folder.url).code == 0)
    }

    @Test("A recreated ledger knows the names, and no new photo overwrites another's file")
    func rebuilt() throws {
        #expect(try mirror(3, "photo.{ext}").code == 0)
        let names = try files("originals")
        #expect(names.count == 3 && names.contains("photo.jpg"))
        try folder.remove("m/.sluice/ledger.sqlite")
        #expect(try Binary.run(["gallery", "m", "--rebuild"], folder: folder.url).code == 0)
        #expect(try mirror(6, "photo.{ext}").code == 0)
        let more = try files("originals")
        #expect(more.count == 6 && Set(names).isSubset(of: more))
        #expect(try Binary.run(["verify", "m", "--deep"], folder: folder.url).code == 0)
    }
}

extension CommandTests {
    /// Row F5 of the fault table: paths that are too long for the system or the ledger.
    @Suite("Long paths") struct LongPathTests {
        private static let words = [
            "mirror", "demo", "--pages", "1", "--per-page", "2", "--sizes", "none", "--variant",
        ]

        /// Returns a path below `folder` of `count` bytes in all.
        private func path(_ count: Int, below folder: String) -> String {
            var path = folder
            while path.utf8.count < count - 1 {
                path += "/" + String(repeating: "d", count: min(100, count - path.utf8.count - 1))
            }
            return path
        }

        @Test(
            "F5: a path that is too long gives one message, and no folder is created",
            arguments: [500, 1000, 5000])
        func tooLong(count: Int) throws {
            let folder = TemporaryFolder()
            let path = path(count, below: folder.path)
            let result = try Binary.run(Self.words + ["thumb", "--out", path])
            #expect(result.code == 5 && result.isPlain)
            #expect(result.err.hasPrefix("sluice: cannot use '\(folder.path)/ddd"), "\(result.err)")
            #expect(
                result.err.hasSuffix(
                    " as the output folder: its absolute path has \(path.utf8.count) bytes, the limit is 480\n"
                        + "hint: choose a shorter --out\n"), "\(result.err)")
            #expect(result.err.count { $0 == "\n" } == 2 && folder.names() == [])
            let read = try Binary.run(["verify", path])
            let reason = count > 4096 ? "File name too long" : "No such file or directory"
            #expect(read.code != 0 && read.err.contains(reason), "\(read.err)")
        }

        @Test("F5: a path of the maximum length works")
        func longest() throws {
            let folder = TemporaryFolder()
            let path = path(480, below: folder.path)
            try #require(path.utf8.count == 480)
            try Binary.run(Self.words + ["thumb", "--out", path]).expect()
            #expect(try Binary.run(["verify", path]).code == 0)
        }
    }
}

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
