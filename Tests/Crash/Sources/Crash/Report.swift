// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Counts the tested points and prints their faults immediately.
final class Report: Sendable {
    private struct Counts {
        var points = 0
        var faulty = 0
        var done = 0
    }

    private let counts = Mutex(Counts())
    private let start = Date()
    private let isSilent: Bool

    /// A silent report prints no faults.
    init(isSilent: Bool = false) { self.isSilent = isSilent }

    /// The number of tested points.
    var points: Int { counts.withLock { $0.points } }
    /// The number of points with faults.
    var faulty: Int { counts.withLock { $0.faulty } }

    /// Counts a point and prints its faults.
    func note(_ point: String, _ faults: [String], done: Int) {
        counts.withLock { counts in
            counts.points += 1
            counts.done += done
            if !faults.isEmpty { counts.faulty += 1 }
            if !isSilent { for fault in faults { say("\(point): \(fault)") } }
        }
    }

    func printSummary(_ title: String) {
        let seconds = Int(Date().timeIntervalSince(start))
        counts.withLock {
            say(
                "\(title): \($0.points) points, \($0.faulty) with faults, \($0.done) photos done before, \(seconds) s"
            )
        }
    }
}

/// Prints a line and flushes it, so that the log shows the progress of a run that hangs.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
