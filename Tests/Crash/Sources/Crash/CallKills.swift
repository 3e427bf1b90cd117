// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Kills the mirror at each system call that changes anything, of whatever thread, one after the other, until a run
/// survives.
struct CallKills {
    /// Tries every point with every rig.
    static func run(_ rigs: [Rig], report: Report) throws {
        try inParallel(rigs) { rig in
            var number = 1
            while try !survives(number, rig, report) { number += 1 }
        }
    }

    private static func survives(_ number: Int, _ rig: Rig, _ report: Report) throws -> Bool {
        let place = try rig.newPlace()
        let interposer = Interposer(in: rig.folder)
        let (code, told) = try rig.run(interposer.command(rig.command(into: place), meeting: number))
        // Threads take turns as they like, so one run makes a few calls more than the next.
        if code == 0, try interposer.count() < number { return true }
        let faults = try rig.faults(at: place) + rig.faultsMended(at: place, told: told)
        report.note("call \(number)", faults, done: told.safe.count)
        return false
    }
}

/// Kills the mirror at moments that chance chooses, again and again before it may end.
struct RandomKills {
    static func run(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            while report.points < points {
                let place = try rig.newPlace()
                var told = Events()
                for _ in 0..<Int.random(in: 1...3) {
                    let moment = Double.random(in: 0...rig.duration)
                    told.add(try rig.run(rig.command(into: place), killedAfter: moment).events)
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
