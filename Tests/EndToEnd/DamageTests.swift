// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Damage") struct DamageTests {
        private static let ledger = ".sluice/ledger.sqlite"

        private func overwriteLedger(of mirror: DemoMirror, _ change: (inout Data) -> Void) throws {
            let file = URL(filePath: "\(mirror.path)/\(Self.ledger)")
            var data = try Data(contentsOf: file)
            change(&data)
            try data.write(to: file)
        }

        /// The run used to exit with code 5, print the message twice, and advise to run again.
        @Test("Ledger damage found during a run stops it with one message and exit code 7") func torn()
            throws
        {
            let mirror = try DemoMirror.finished()
            try overwriteLedger(of: mirror) { data in
                // The run reads the first half, with the schema, before it begins.
                let half = data.count / 2..<data.count - 4096
                data.replaceSubrange(half, with: Data(repeating: 0x2A, count: half.count))
            }
            let before = try mirror.tree().visible
            let result = try mirror.run()
            #expect(result.code == 7 && !result.err.contains("run again"))
            let messages = result.err.split(separator: "\n").filter { $0.contains("is damaged") }
            #expect(messages.count == 1, "\(result.err)")
            #expect(messages.first?.hasPrefix("stopping: cannot use ledger ") == true, "\(result.err)")
            #expect(try mirror.tree().visible.differences(to: before) == [])
        }

        @Test(
            "A full disk stops the run; finished photos stay, and the next run finishes once there is space",
            .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
        func fullDisk() throws {
            let disk = try SmallDisk(kilobytes: 1024)
            let mirror = try DemoMirror(on: disk.path)
            let result = try mirror.run("--json")
            #expect(result.code == 5 && result.isPlain)
            let events = try RunEvent.all(in: result.out)
            #expect(events.count { $0.name == "stopping" } == 1 && events.last?.name == "run-finished")
            let done = events.ended("done")
            #expect(!done.isEmpty && done.count < 90)
            let lines = result.err.split(separator: "\n")
            #expect(lines.count == 2, "\(result.err)")
            // Either the ledger or a file meets the full disk first.
            #expect(
                lines.first?.contains(/^stopping: .*(the disk is full|No space left on device)/) == true, "\(lines)")
            #expect(lines.last?.hasPrefix("stopped: \(done.count) done, ") == true)
            #expect(lines.last?.hasSuffix(" remaining; run again to continue") == true)
            #expect(try mirror.unfinished() == [])
            try disk.remount("size=16m")
            let next = try mirror.finish()
            #expect(done.isSubset(of: next.ended("kept")))
        }
    }
}
