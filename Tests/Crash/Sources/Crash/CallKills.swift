// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Kills the mirror at each system call that changes anything, one after the other, until a run survives.
struct CallKills {
    /// What changes files, names, or the origin's log; opening makes files.
    static let calls = [
        "openat", "mkdirat", "renameat", "renameat2", "linkat", "unlinkat", "unlink", "ftruncate", "fallocate",
        "write", "pwrite64", "pwritev", "writev", "fsync", "fdatasync", "syncfs", "flock", "sendto",
    ]

    /// Tries every point with every rig.
    ///
    /// The numbers count each thread's own calls, so rigs that differ in their threads meet other points.
    static func run(_ rigs: [Rig], report: Report) throws {
        try inParallel(rigs) { rig in
            for call in calls {
                var number = 1
                while try !survives(call, number, rig, report) { number += 1 }
            }
        }
    }

    private static func survives(_ call: String, _ number: Int, _ rig: Rig, _ report: Report) throws -> Bool {
        let place = try rig.emptyPlace()
        let strace = [
            "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)",
        ]
        let (code, told) = try rig.run(strace + rig.mirror(into: place))
        if code == 0 { return true }
        let faults = try rig.faults(at: place) + rig.faultsMended(at: place, told: told)
        report.note("\(call) \(number)", faults, done: told.safe.count)
        return false
    }
}

/// Kills the mirror at moments that chance chooses, again and again before it may end.
struct RandomKills {
    static func run(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            while report.points < points {
                let place = try rig.emptyPlace()
                var told = Events()
                for _ in 0..<Int.random(in: 1...3) {
                    let moment = Double.random(in: 0...rig.duration)
                    told.add(try rig.run(rig.mirror(into: place), killedAfter: moment).events)
                }
                let faults = try rig.faults(at: place) + rig.faultsMended(at: place, told: told)
                report.note("a moment", faults, done: told.safe.count)
            }
        }
    }
}

/// Works with each rig on a thread of its own; the first trouble is thrown.
func inParallel(_ rigs: [Rig], _ body: @escaping @Sendable (Rig) throws -> Void) throws {
    let trouble = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: rigs.count) { index in
        do { try body(rigs[index]) } catch { trouble.withLock { $0 = $0 ?? error } }
    }
    if let error = trouble.withLock({ $0 }) { throw error }
}
