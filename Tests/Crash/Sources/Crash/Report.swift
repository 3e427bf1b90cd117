// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// What came of all points so far, told as it comes.
final class Report: Sendable {
    private struct Counts {
        var points = 0
        var faulty = 0
        var done = 0
    }

    private let counts = Mutex(Counts())
    private let start = Date()

    /// How many points were tried.
    var points: Int { counts.withLock { $0.points } }
    /// At how many of them something was wrong.
    var faulty: Int { counts.withLock { $0.faulty } }

    /// Counts a point, and tells its faults.
    func note(_ point: String, _ faults: [String], done: Int, silently: Bool = false) {
        counts.withLock { counts in
            counts.points += 1
            counts.done += done
            if !faults.isEmpty { counts.faulty += 1 }
            if !silently { for fault in faults { say("\(point): \(fault)") } }
        }
    }

    /// One line over all.
    func tell(_ what: String) {
        let seconds = Int(Date().timeIntervalSince(start))
        counts.withLock {
            say(
                "\(what): \($0.points) points, \($0.faulty) with faults, \($0.done) photos told as done before, \(seconds) s"
            )
        }
    }
}

/// Prints a line now: whoever reads the log of a run that hangs wants to see how far it came.
func say(_ line: String) {
    print(line)
    fflush(nil)
}
