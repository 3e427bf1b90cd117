// SPDX-License-Identifier: MIT

import Foundation

// Usage: Crash SLUICE FOLDER short|long
//        Crash SLUICE FOLDER calls|moments|marathon|power|full|broken|unreadable|faults PHOTOS POINTS [JOB]
//
// Runs the commands of SLUICE that write, below FOLDER, disturbs the runs, and checks the remaining files and the
// result of the next run against the invariants of a mirror. PHOTOS is the size of a mirror, POINTS the number of
// disturbances over all jobs, and JOB the beginning of the names of the jobs to run.

do {
    let words = Array(CommandLine.arguments.dropFirst())
    let usage = "usage: Crash SLUICE FOLDER short|long | MODE PHOTOS POINTS [JOB]"
    guard words.count == 3 || words.count == 5 || words.count == 6 else { throw RigError(usage) }
    let name = words.count == 6 ? words[5] : ""
    let test = CrashTest(
        sluice: words[0], folder: words[1], jobs: Job.all.filter { $0.name.hasPrefix(name) })
    if words.count == 3 {
        guard let plan = ["short": Plan.short, "long": Plan.long][words[2]] else { throw RigError(usage) }
        exit(try plan.run(test) ? 0 : 1)
    }
    guard let mode = Mode(rawValue: words[2]), let photos = Int(words[3]), let points = Int(words[4]) else {
        throw RigError(usage)
    }
    guard !test.jobs.isEmpty else { throw RigError("no job's name begins with '\(name)'") }
    exit(try test.run(mode, photos: photos, points: points)?.faulty ?? 0 == 0 ? 0 : 1)
} catch {
    say("crash-test: \(error)")
    exit(2)
}
