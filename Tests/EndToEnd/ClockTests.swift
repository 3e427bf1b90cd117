// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row G3 of the fault table: the wall clock is used for time stamps only.
    @Suite("Clocks", .enabled(if: FalseClock.isPermitted, "there is no C compiler")) struct ClockTests {
        /// Seconds: an hour back, two days ahead, 1970 and 2099 as seen from 2026.
        private static let jumps = [-3600, 2 * 86400, -56 * 31_556_952, 73 * 31_556_952]

        @Test(
            "G3: a run finishes and keeps finished photos, whatever year the clock shows now or showed before",
            arguments: jumps)
        func wrong(by seconds: Int) throws {
            let clock = try FalseClock()
            let mirror = try DemoMirror()
            try clock.set(seconds)
            let first = try clock.start(mirror.arguments + ["--quiet"]).end()
            #expect(first.code == 0 && first.isPlain, "\(first)")
            try clock.set(0)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
            try clock.set(seconds)
            let again = try clock.start(mirror.arguments + ["--json", "--refresh"]).end()
            #expect(again.code == 0, "\(again.err)")
            #expect(try RunEvent.all(in: again.out).ended("kept") == Set(1...90))
            let runs = try clock.start(["diff", mirror.path]).end()
            #expect(runs.code == 0 && runs.out.count { $0 == "\n" } >= 3, "\(runs)")
        }

        @Test(
            "G3: a clock that jumps during a run changes neither its result nor its duration",
            arguments: jumps)
        func jumping(by seconds: Int) throws {
            let clock = try FalseClock()
            let mirror = try DemoMirror()
            let running = try clock.start(mirror.arguments + ["--json", "--max-time", "10m"])
            try running.wait(for: "item-ended", count: 3)
            running.stop()
            try clock.set(seconds)
            running.send(SIGCONT)
            let result = try running.end()
            #expect(result.code == 0, "\(result.err)")
            let duration = try #require(RunEvent.all(in: result.out).last?.members["duration"] as? Double)
            #expect(duration > 0 && duration < 600)
            #expect(try mirror.finish().ended("kept") == Set(1...90))
        }
    }
}
