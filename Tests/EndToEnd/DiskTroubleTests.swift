// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F3 to F5 of the faults: whatever the disk refuses, the run says so in a sentence and ends with 5.
    ///
    /// What is done stays, and the next run finishes. `Scripts/crash-test faults` tries many more calls.
    @Suite("Disk trouble") struct DiskTroubleTests {
        private func expectStopped(_ result: Binary.Result, location: SourceLocation = #_sourceLocation) {
            #expect(result.code == 5 && result.isPlain && result.out.isEmpty, "\(result)", sourceLocation: location)
            // That it stops and why, and what it came to; or that it cannot begin.
            let lines = result.err.split(separator: "\n")
            #expect((1...2).contains(lines.count), "\(lines)", sourceLocation: location)
        }

        @Test(
            "F3: wherever a disk becomes full, the run stops with what fits, and goes on once there is room",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"),
            arguments: [64, 128, 256, 384, 512, 640, 768, 1024])
        func full(kilobytes: Int) throws {
            let disk = try SmallDisk(kilobytes: kilobytes)
            let mirror = try DemoMirror(on: disk.path)
            let result = try mirror.run("--quiet")
            expectStopped(result)
            #expect(result.err.contains("disk is full") || result.err.contains("No space left"), "\(result)")
            #expect(try mirror.unfinished() == [])
            try disk.remount("size=16m")
            _ = try mirror.finish()
        }

        @Test(
            "F3: a disk that has no more inodes is a full one",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"), arguments: [4, 8, 16, 32, 64, 128])
        func inodes(_ count: Int) throws {
            let disk = try SmallDisk(kilobytes: 16384, inodes: count)
            let mirror = try DemoMirror(on: disk.path)
            expectStopped(try mirror.run("--quiet"))
            try disk.remount("nr_inodes=4096")
            _ = try mirror.finish()
        }

        @Test(
            "F3, F4: a quota, a full disk or a broken one at any kind of call",
            .enabled(if: Strace.isPermitted, "strace is not here, or may not trace"),
            arguments: [
                ("syncfs", "EIO", "1"), ("fdatasync", "EIO", "1"), ("fsync", "EIO", "1"), ("renameat", "EIO", "3"),
                ("renameat", "EDQUOT", "2"), ("mkdirat", "EDQUOT", "2"), ("pwrite64", "EDQUOT", "20"),
                ("pwrite64", "ENOSPC", "30"), ("pwrite64", "EIO", "10"), ("ftruncate", "EIO", "1"),
            ])
        func refused(call: String, error: String, when: String) throws {
            let mirror = try DemoMirror()
            expectStopped(
                try Strace.run(mirror.arguments + ["--quiet"], failing: call, with: error, when: when))
            _ = try mirror.finish()
        }

        @Test(
            "F4: what was flushed in vain is not flushed again, and is not done",
            .enabled(if: Strace.isPermitted, "strace is not here, or may not trace"))
        func flush() throws {
            let mirror = try DemoMirror()
            let result = try Strace.run(mirror.arguments + ["--json"], failing: "syncfs", with: "EIO", when: "1+")
            #expect(result.code == 5)
            let events = try RunEvent.all(in: result.out)
            #expect(events.ended("done") == [] && events.count { $0.name == "stopping" } == 1)
            #expect(try mirror.tree().names.allSatisfy { !$0.hasPrefix("originals/") })
            _ = try mirror.finish()
        }

        @Test(
            "F4: calls that a signal interrupts are made again",
            .enabled(if: Strace.isPermitted, "strace is not here, or may not trace"),
            arguments: [("write", "2"), ("flock", "1"), ("ftruncate", "1")])
        func interrupted(call: String, when: String) throws {
            let mirror = try DemoMirror()
            let result = try Strace.run(mirror.arguments + ["--quiet"], failing: call, with: "EINTR", when: when)
            #expect(result.code == 0, "\(result)")
            _ = try mirror.finish()
        }

        @Test("F5: a name that is too long is one sentence, and nothing is made")
        func longName() throws {
            let folder = try TemporaryFolder()
            let name = String(repeating: "x", count: 300)
            let result = try Binary.run(["mirror", "demo", "--out", name], folder: folder.url)
            #expect(result.code == 5 && result.err.contains("File name too long"), "\(result)")
            #expect(result.err.count { $0 == "\n" } == 1 && folder.names() == [])
        }

        private func allow(_ rights: Int, at path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        }

        @Test(
            "F5: rights that are lost during the run stop it, and the next one finishes once they are back",
            .enabled(if: getuid() == 0, "only root can become somebody else"))
        func lostRights() throws {
            let mirror = try DemoMirror()
            for place in [mirror.surroundings.path, mirror.path] {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try allow(0o777, at: place)
            }
            let words =
                ["--reuid=65534", "--clear-groups", "--", Binary.path] + mirror.arguments + ["--json", "--force"]
            let running = try Running(words, program: "/usr/bin/setpriv", folder: mirror.surroundings)
            try running.wait(for: "item-ended", count: 3)
            running.stop()
            let places = ["originals", "thumbs/64", ".sluice/partial"].map { "\(mirror.path)/\($0)" }
            for place in places { try allow(0o555, at: place) }
            running.send(SIGCONT)
            let result = try running.end()
            for place in places { try allow(0o755, at: place) }
            let done = try RunEvent.all(in: result.out).ended("done")
            // All may have been under its name by then.
            #expect(result.code == 5 && result.err.contains("Permission denied") || done.count == 90, "\(result)")
            #expect(done.isSubset(of: try mirror.finish().ended("kept")))
        }
    }
}
