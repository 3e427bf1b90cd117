// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F6, F8, F10, G1 and G2 of the fault table: few descriptors, a removed folder, a killed process.
    @Suite("Process faults") struct ProcessFaultTests {
        private func shell(_ before: String, _ mirror: DemoMirror) throws -> Binary.Result {
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            return try Binary.shell("\(before); sluice \(words) --quiet")
        }

        @Test(
            "F6: a descriptor limit that is too low is reported before anything is created", arguments: [8, 16, 32, 63])
        func tooFewFiles(_ most: Int) throws {
            let mirror = try DemoMirror()
            let result = try shell("ulimit -n \(most)", mirror)
            #expect(
                result
                    == Binary.Result(
                        code: 5, out: "",
                        err: """
                            sluice: cannot open enough files: the limit is \(most), a run needs 64; check `ulimit -n`

                            """))
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
        }

        @Test("F6: a low descriptor limit reduces the photos in flight, and none is lost", arguments: [64, 80, 100])
        func fewFiles(_ most: Int) throws {
            let mirror = try DemoMirror()
            let result = try shell("ulimit -n \(most)", mirror)
            #expect(result.code == 0, "\(result)")
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }

        @Test(
            "F6: a run that inherits many open files ends with a message, at any point",
            arguments: [24, 30, 32, 34, 36, 38, 40, 44, 56])
        func inheritedFiles(_ count: Int) throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let line = "for i in {10..\(9 + count)}; do eval \"exec $i</dev/null\"; done; ulimit -n 64"
            let result = try Running(
                ["-c", "\(line); exec '\(Binary.path)' \(words) --quiet"], program: "/bin/bash"
            ).end()
            #expect(result.code == 5 || result.code == 0 && count < 40, "\(result)")
            #expect(result.code == 0 || result.err.contains("oo many open files"), "\(result)")
            if result.code == 5, FileManager.default.fileExists(atPath: mirror.path) { _ = try mirror.finish() }
        }

        @Test("F8: a folder that is removed during the run is not created again")
        func removed() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.stop()
            try FileManager.default.removeItem(atPath: mirror.path)
            running.send(SIGCONT)
            let result = try running.end()
            #expect(result.code == 5 && result.isPlain, "\(result)")
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
            _ = try mirror.finish()
        }

        @Test(
            "F8: after a disk is unmounted during the run, nothing is written into the mount point",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
        func unmounted() throws {
            let disk = try SmallDisk(kilobytes: 16384)
            let mirror = try DemoMirror(on: disk.path)
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.stop()
            try disk.unmount()
            running.send(SIGCONT)
            #expect([0, 5].contains(try running.end().code))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
        }

        @Test("F10: if a killed run's last writes are lost, the next run fetches those photos again and finishes")
        func lostLog() throws {
            let mirror = try DemoMirror()
            // SQLite flushes the log before it merges it into the ledger, so only a run far from its end can lose it.
            // This one has almost a minute and a half left.
            let running = try mirror.start("--rate", "1/s")
            try running.wait(for: "item-ended", count: 2)
            running.send(SIGKILL)
            _ = try running.end()
            for suffix in ["-wal", "-shm"] {
                try FileManager.default.removeItem(atPath: "\(mirror.path)/.sluice/ledger.sqlite\(suffix)")
            }
            _ = try mirror.finish()
        }

        @Test("G2: a killed process holds no lock, whatever the lock file says")
        func staleLock() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended")
            running.send(SIGKILL)
            _ = try running.end()
            let lock = URL(filePath: "\(mirror.path)/.sluice/lock")
            #expect(String(decoding: try Data(contentsOf: lock), as: UTF8.self).hasPrefix("\(running.identifier) "))
            // The process number may belong to another process by now.
            try Data("1 0\n".utf8).write(to: lock)
            _ = try mirror.finish()
        }
    }
}
