// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Rows F7, F8 and G2 of the faults: what happens to a mirror's folder from outside.
    @Suite("Trouble") struct TroubleTests {
        /// The process was ended by SIGXFSZ, without a word.
        @Test("Files that may not grow as large as they must stop the run, and the next one finishes it")
        func fileSize() throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try Binary.shell("ulimit -f 40; sluice \(words)")
            #expect(result.code == 5 && result.isPlain, "\(result)")
            _ = try mirror.finish()
        }

        @Test("A folder that is moved away during the run is not made anew, and can be moved back")
        func moved() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended", count: 1)
            running.stop()
            let away = mirror.surroundings.appending(path: "away").path
            try FileManager.default.moveItem(atPath: mirror.path, toPath: away)
            running.send(SIGCONT)
            let result = try running.end()
            #expect([0, 5].contains(result.code) && result.isPlain, "\(result)")
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
            let done = try RunEvent.all(in: result.out).ended("done")
            try FileManager.default.moveItem(atPath: away, toPath: mirror.path)
            #expect(done.isSubset(of: try mirror.finish().ended("kept")))
        }

        @Test("Of many runs that start at once one has the mirror, and the others are refused")
        func together() throws {
            let mirror = try DemoMirror()
            let all = try (0..<8).map { _ in try mirror.start() }
            let codes = try all.map { try $0.end().code }
            // A late one may find the mirror free again, and all done.
            #expect(Set(codes) == [0, 6] || Set(codes) == [0], "\(codes)")
            _ = try mirror.finish()
        }
    }
}
