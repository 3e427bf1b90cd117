// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F7, F8 and G2 of the fault table: file size limits, a moved folder, and concurrent runs.
    @Suite("Outside interference") struct InterferenceTests {
        /// SIGXFSZ used to end the process without a message.
        @Test("A file size limit stops the run, and the next run finishes the mirror")
        func fileSize() throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try Binary.shell("ulimit -f 40; sluice \(words)")
            #expect(result.code == 5 && result.isPlain, "\(result)")
            _ = try mirror.finish()
        }

        @Test("A folder that is moved away during the run is not created again, and can be moved back")
        func moved() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended", count: 1)
            running.stop()
            let away = mirror.parent.appending(path: "away").path
            try FileManager.default.moveItem(atPath: mirror.path, toPath: away)
            running.send(SIGCONT)
            let result = try running.end()
            #expect([0, 5].contains(result.code) && result.isPlain, "\(result)")
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
            let done = try RunEvent.all(in: result.out).ended("done")
            try FileManager.default.moveItem(atPath: away, toPath: mirror.path)
            #expect(done.isSubset(of: try mirror.finish().ended("kept")))
        }

        @Test("Of several runs that start together one gets the mirror, and the others are refused")
        func together() throws {
            let mirror = try DemoMirror()
            let all = try (0..<8).map { _ in try mirror.start() }
            let codes = try all.map { try $0.end().code }
            // A late run may find the mirror free again and everything done.
            #expect(Set(codes) == [0, 6] || Set(codes) == [0], "\(codes)")
            _ = try mirror.finish()
        }
    }
}
