// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row F5 of the fault table for existing mirrors: commands that only read work on a read-only disk.
    @Suite("Read-only mirrors", .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
    struct ReadOnlyTests {
        /// The commands that only read.
        private static let readers = [["verify"], ["explain"], ["diff"], ["diff", "DIR", "0"], ["duplicates"]]

        private func words(_ reader: [String], of mirror: DemoMirror) -> [String] {
            let words = reader.map { $0 == "DIR" ? mirror.path : $0 }
            return reader.contains("DIR") ? words : words + [mirror.path]
        }

        private func finished(on disk: SmallDisk) throws -> DemoMirror {
            let mirror = try DemoMirror(on: disk.path)
            try DemoMirror.undisturbed.get().tree.write(to: mirror.path)
            return mirror
        }

        @Test("F5: commands that only read give the same output for a mirror that is mounted read-only")
        func backup() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try finished(on: disk)
            let wanted = try Self.readers.map { try Binary.run(words($0, of: mirror)).out }
            try disk.remount("ro")
            let before = try mirror.tree()
            for (reader, wanted) in zip(Self.readers, wanted) {
                let result = try Binary.run(words(reader, of: mirror))
                #expect(result.code == 0 && result.out == wanted, "\(reader): \(result)")
            }
            let shards = mirror.parent.appending(path: "shards").path
            #expect(try Binary.run(["export", mirror.path, "--out", shards]).code == 0)
            #expect(try mirror.tree() == before)
            // Commands that write are refused.
            for arguments in [mirror.arguments, ["gallery", mirror.path], ["duplicates", mirror.path, "--merge"]] {
                try Binary.run(arguments).expect(5, err: "cannot write to")
            }
        }

        @Test("Commands that only read work without the lock file of a read-only mirror") func noLockFile() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try finished(on: disk)
            try FileManager.default.removeItem(atPath: "\(mirror.path)/.sluice/lock")
            try disk.remount("ro")
            for reader in Self.readers {
                let result = try Binary.run(words(reader, of: mirror))
                #expect(result.code == 0, "\(reader): \(result)")
            }
        }

        /// `verify` and the others needed space for the lock and the ledger's log, and ended with exit code 5.
        @Test("Commands that only read need no space on the disk") func full() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try finished(on: disk)
            let wanted = try Self.readers.map { try Binary.run(words($0, of: mirror)).out }
            _ = try Binary.shell("cat /dev/zero > '\(disk.path)/filler'")
            let before = try mirror.tree()
            for (reader, wanted) in zip(Self.readers, wanted) {
                let result = try Binary.run(words(reader, of: mirror))
                #expect(result.code == 0 && result.out == wanted, "\(reader): \(result)")
            }
            #expect(try mirror.tree() == before)
            try Binary.run(["gallery", mirror.path]).expect(5, err: "No space left on device")
        }

        @Test("F5: verify finds a missing file on a read-only disk")
        func broken() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try finished(on: disk)
            let photo = try #require(try mirror.tree().names.first { $0.hasPrefix("originals/") })
            try FileManager.default.removeItem(atPath: "\(mirror.path)/\(photo)")
            try disk.remount("ro")
            let result = try Binary.run(["verify", mirror.path])
            #expect(result.code == 7 && result.out == "missing     \(photo)\n", "\(result)")
            #expect(try Binary.run(["verify", mirror.path, "--repair"]).code == 5)
        }

        @Test(
            "F5: the last writes of a killed run are read, or a message says why they cannot be",
            arguments: [true, false])
        func killed(isWhole: Bool) throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try DemoMirror(on: disk.path)
            // A worker process could hold the photo open for longer, and the disk could not become read-only.
            let running = try mirror.start("--no-isolate")
            let events = try running.wait(for: "item-ended", count: 5)
            running.send(SIGKILL)
            _ = try running.end()
            if !isWhole { try FileManager.default.removeItem(atPath: "\(mirror.path)/.sluice/ledger.sqlite-shm") }
            try disk.remount("ro")
            let result = try Binary.run(["verify", mirror.path])
            if isWhole {
                #expect(result.code == 0, "\(result)")
                let explained = try Binary.run(["explain", mirror.path, "--json"])
                let done = try #require(RunEvent.all(in: explained.out).first?[number: "done"])
                #expect(done >= events.ended("done").count)
            } else {
                #expect(result.code == 5 && result.out.isEmpty)
                #expect(
                    result.err == """
                        sluice: cannot use ledger \(mirror.path)/.sluice/ledger.sqlite: the last run was killed, and reading its \
                        last writes requires write access; copy the mirror to a writable folder

                        """)
            }
        }

        @Test("F5: a lock taken through another mount of the folder is respected")
        func readersLock() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try finished(on: disk)
            let other = TemporaryFolder()
            let script = """
                mount --bind '\(disk.path)' '\(other.path)' && mount -o remount,bind,ro '\(other.path)' || exit 77
                exec 9>>'\(mirror.path)/.sluice/lock'; flock 9
                sluice verify '\(other.path)/mirror'; echo $?
                """
            let result = try Binary.shell(script)
            _ = try Binary.shell("umount -l '\(other.path)'")
            #expect(result.out == "6\n", "\(result)")
            #expect(result.err.contains("another sluice"))
        }
    }
}
