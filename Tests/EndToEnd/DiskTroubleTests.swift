// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F3 to F5 of the fault table: a run that the disk refuses prints one message and exits with code 5.
    ///
    /// Finished photos stay, and the next run finishes. `Scripts/crash-test faults` tries many more system calls.
    @Suite("Disk trouble") struct DiskTroubleTests {
        private func expectStopped(_ result: Binary.Result, location: SourceLocation = #_sourceLocation) {
            #expect(result.code == 5 && result.isPlain && result.out.isEmpty, "\(result)", sourceLocation: location)
            // The reason for stopping and the summary, or one message if the run cannot begin.
            let lines = result.err.split(separator: "\n")
            #expect((1...2).contains(lines.count), "\(lines)", sourceLocation: location)
        }

        @Test(
            "F3: a run stops when the disk is full at any size, and finishes once there is space",
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
            "F3: the message says how much space a file needs, and what to do",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"),
            arguments: [168, 184, 2048])
        func neededSpace(kilobytes: Int) throws {
            let folder = TemporaryFolder()
            let picture = try DemoPictures(1, in: folder).files[0]
            let size = 8_000_000
            let head = "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: \(size)\r\n\r\n"
            let server = try RawServer(["/a.jpg": [.text(head), .raw(picture), .bytes(size - picture.count), .hang]])
            let disk = try SmallDisk(kilobytes: kilobytes)
            try folder.write(server.url("/a.jpg"), to: "list.txt")
            let result = try Binary.run(
                [
                    "mirror", "list.txt", "--out", "\(disk.path)/m", "--allow-private", "--no-robots", "--allow-port",
                    "\(server.port)",
                ], folder: folder.url)
            let lines = result.err.split(separator: "\n").filter { $0.contains("No space left on device") }
            #expect(result.code == 5 && lines.count == 1, "\(result)")
            #expect(lines.first?.contains("; the file needs ") == true, "\(result)")
            #expect(lines.first?.hasSuffix(" MB more; free disk space or choose another --out") == true, "\(result)")
        }

        @Test(
            "F3: a disk without free inodes counts as full",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"), arguments: [4, 8, 16, 32, 64, 128])
        func inodes(_ count: Int) throws {
            let disk = try SmallDisk(kilobytes: 16384, inodes: count)
            let mirror = try DemoMirror(on: disk.path)
            expectStopped(try mirror.run("--quiet"))
            try disk.remount("nr_inodes=4096")
            _ = try mirror.finish()
        }

        @Test(
            "F3, F4: a quota, a full disk or an I/O error at any kind of system call stops the run",
            .enabled(if: Strace.isPermitted, "strace is not installed or not permitted"),
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

        /// The ledger was called damaged, with the advice to rebuild it.
        @Test(
            "F4: an I/O error while the ledger is read is not called damage",
            .enabled(if: Strace.isPermitted, "strace is not installed or not permitted"),
            arguments: ["1+", "2+", "3+"])
        func unreadableLedger(when: String) throws {
            let mirror = try DemoMirror.finished()
            let result = try Strace.run(
                ["verify", mirror.path], failing: "pread64", with: "EIO", when: when,
                on: mirror.path + "/.sluice/ledger.sqlite"
            ).expect(5, err: "Input/output error")
            #expect(!result.err.contains("damaged") && !result.err.contains("--rebuild"))
        }

        @Test(
            "F4: after a failed flush Sluice does not flush again, and no photo counts as done",
            .enabled(if: Strace.isPermitted, "strace is not installed or not permitted"))
        func flush() throws {
            let mirror = try DemoMirror()
            let result = try Strace.run(mirror.arguments + ["--json"], failing: "syncfs", with: "EIO", when: "1+")
                .expect(5)
            let events = try RunEvent.all(in: result.out)
            #expect(events.ended("done") == [] && events.count { $0.name == "stopping" } == 1)
            #expect(try mirror.tree().names.allSatisfy { !$0.hasPrefix("originals/") })
            _ = try mirror.finish()
        }

        @Test(
            "F4: system calls that a signal interrupts are repeated",
            .enabled(if: Strace.isPermitted, "strace is not installed or not permitted"),
            arguments: [("write", "2"), ("flock", "1"), ("ftruncate", "1")])
        func interrupted(call: String, when: String) throws {
            let mirror = try DemoMirror()
            try Strace.run(mirror.arguments + ["--quiet"], failing: call, with: "EINTR", when: when).expect()
            _ = try mirror.finish()
        }

        @Test("F5: a name that is too long gives one message, and nothing is created")
        func longName() throws {
            let folder = TemporaryFolder()
            let name = String(repeating: "x", count: 300)
            let result = try Binary.run(["mirror", "demo", "--out", name], folder: folder.url).expect(
                5, err: "File name too long")
            #expect(result.err.count { $0 == "\n" } == 2 && folder.names() == [])
        }

        private func allow(_ rights: Int, at path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: path)
        }

        /// The report's note repeated the reason, and the summary suggested to run again.
        @Test(
            "F5: missing write permission is named once, with what to do",
            .enabled(if: getuid() == 0, "only root can change the user"), arguments: [".sluice/partial", "originals"])
        func missingRights(place: String) throws {
            let mirror = try DemoMirror()
            for path in [mirror.parent.path, mirror.path] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try allow(0o777, at: path)
            }
            let words = ["--reuid=65534", "--clear-groups", "--", Binary.path] + mirror.arguments + ["--force"]
            let first = try Running(words + ["--max-items", "3"], program: "/usr/bin/setpriv", folder: mirror.parent)
            #expect(try first.end().code == 0)
            try allow(0o555, at: "\(mirror.path)/\(place)")
            let result = try Running(words, program: "/usr/bin/setpriv", folder: mirror.parent).end()
            try allow(0o755, at: "\(mirror.path)/\(place)")
            let lines = result.err.split(separator: "\n").filter { $0.contains("Permission denied") }
            #expect(result.code == 5 && lines.count == 1, "\(result)")
            #expect(lines.first?.hasSuffix("; check its permissions or choose another --out") == true, "\(result)")
            #expect(!result.err.contains("run again"), "\(result)")
            _ = try mirror.finish()
        }

        @Test(
            "F5: losing write permission during a run stops it, and the next run finishes once it is restored",
            .enabled(if: getuid() == 0, "only root can change the user"))
        func lostRights() throws {
            let mirror = try DemoMirror()
            for place in [mirror.parent.path, mirror.path] {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                try allow(0o777, at: place)
            }
            let words =
                ["--reuid=65534", "--clear-groups", "--", Binary.path] + mirror.arguments + ["--json", "--force"]
            let running = try Running(words, program: "/usr/bin/setpriv", folder: mirror.parent)
            try running.wait(for: "item-ended", count: 3)
            running.stop()
            let places = ["originals", "thumbs/64", ".sluice/partial"].map { "\(mirror.path)/\($0)" }
            for place in places { try allow(0o555, at: place) }
            running.send(SIGCONT)
            let result = try running.end()
            for place in places { try allow(0o755, at: place) }
            let done = try RunEvent.all(in: result.out).ended("done")
            // All photos may have been finished by then.
            #expect(result.code == 5 && result.err.contains("Permission denied") || done.count == 90, "\(result)")
            #expect(done.isSubset(of: try mirror.finish().ended("kept")))
        }
    }
}
