// SPDX-License-Identifier: MIT

import Foundation

struct Kills {
    /// Kills at system calls that change something, in any thread: at most about `points` over all rigs.
    ///
    /// Of longer runs it tests evenly spaced calls, beginning at a random one.
    static func atCalls(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            for number in sample(share(of: points, among: rigs.count), of: try calls(rig)) {
                let place = try rig.newPlace()
                let interposer = Interposer(in: rig.folder)
                let (_, events) = try rig.run(interposer.command(rig.command(in: place), affecting: number))
                let faults = try rig.faults(at: place, events: events)
                report.note("\(rig.job.name), killed at call \(number)", faults, done: events.safe.count)
            }
        }
    }

    /// Counts the calls of an undisturbed run; the number varies slightly, because the order of threads varies.
    private static func calls(_ rig: Rig) throws -> Int {
        let interposer = Interposer(in: rig.folder)
        _ = try rig.run(interposer.command(rig.command(in: rig.newPlace())))
        return try interposer.count()
    }

    /// Kills at random moments, up to three times before the run may finish.
    static func atMoments(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            for _ in 0..<share(of: points, among: rigs.count) {
                let place = try rig.newPlace()
                var events = Events()
                for _ in 0..<Int.random(in: 1...3) {
                    let moment = Double.random(in: 0...rig.duration)
                    events.add(try rig.run(rig.command(in: place), killedAfter: moment).events)
                }
                let faults = try rig.faults(at: place, events: events)
                report.note("\(rig.job.name), killed at random moments", faults, done: events.safe.count)
            }
        }
    }

    /// Kills one mirror of each rig again and again, `points` times in all, and then expects its next run to finish.
    ///
    /// Whenever a run finishes, all photos change on the server, so that the next one has to replace them.
    static func marathon(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            let place = try rig.newPlace()
            var (kills, isOther) = (0, false)
            while kills < share(of: points, among: rigs.count) {
                let (code, events) = try rig.run(
                    rig.command(in: place), killedAfter: Double.random(in: 0...rig.duration * 1.2))
                if code == -SIGKILL {
                    kills += 1
                    let faults = try rig.faultsWithoutRecovery(at: place)
                    report.note("\(rig.job.name), kill \(kills) of one mirror", faults, done: events.safe.count)
                } else {
                    guard code == 0 else {
                        throw RigError("\(rig.job.name) exited with code \(code) after \(kills) kills")
                    }
                    isOther.toggle()
                    try rig.offer(isOther ? otherVersion : { $0 })
                }
            }
            try rig.offer { $0 }
            let faults = try rig.faults(at: place, events: Events())
            report.note("\(rig.job.name), after \(kills) kills of one mirror", faults, done: 0)
        }
    }
}
