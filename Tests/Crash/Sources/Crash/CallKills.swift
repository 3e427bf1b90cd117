// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Kills the run at each system call that changes something, in any thread, until a run finishes before the kill.
struct CallKills {
    /// Tests every call with every rig.
    static func run(_ rigs: [Rig], report: Report) throws {
        try inParallel(rigs) { rig in
            var number = 1
            while try !survives(number, rig, report) { number += 1 }
        }
    }

    private static func survives(_ number: Int, _ rig: Rig, _ report: Report) throws -> Bool {
        let place = try rig.newPlace()
        let interposer = Interposer(in: rig.folder)
        let (code, events) = try rig.run(interposer.command(rig.command(into: place), affecting: number))
        // The number of calls varies slightly between runs, because the order of threads varies.
        if code == 0, try interposer.count() < number { return true }
        let faults = try rig.faults(at: place) + rig.faultsAfterRepair(at: place, events: events)
        report.note("call \(number)", faults, done: events.safe.count)
        return false
    }
}

/// Kills the run at random moments, up to three times before it may finish.
struct RandomKills {
    static func run(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            while report.points < points {
                let place = try rig.newPlace()
                var events = Events()
                for _ in 0..<Int.random(in: 1...3) {
                    let moment = Double.random(in: 0...rig.duration)
                    events.add(try rig.run(rig.command(into: place), killedAfter: moment).events)
                }
                let faults = try rig.faults(at: place) + rig.faultsAfterRepair(at: place, events: events)
                report.note("random moment", faults, done: events.safe.count)
            }
        }
    }
}

/// Runs `body` for each rig on a separate thread and throws the first error.
func inParallel(_ rigs: [Rig], _ body: @escaping @Sendable (Rig) throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: rigs.count) { index in
        do { try body(rigs[index]) } catch { failure.withLock { $0 = $0 ?? error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
}
