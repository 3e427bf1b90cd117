// SPDX-License-Identifier: MIT

import Foundation

/// Makes each system call that uses the disk fail once, in turn, with the errors of disks.
struct CallFaults {
    /// One kind of fault and the calls that it can affect.
    struct Kind: Sendable {
        let fault: Interposer.Fault
        let calls: [String]
        /// Whether every later call fails as well, as on a disk that stays full.
        var stays = false
        /// Whether a run must succeed despite the fault.
        var isHarmless = false
    }

    /// A full disk or an exceeded quota.
    static let full = [
        Kind(fault: .error("ENOSPC", ENOSPC), calls: making),
        Kind(fault: .error("ENOSPC", ENOSPC), calls: making, stays: true),
        Kind(fault: .error("EDQUOT", EDQUOT), calls: making),
    ]
    /// A broken disk: one kind for each way to use it, so that the many writes do not hide the few renames.
    static let broken = [
        ["write", "pwrite64", "ftruncate"], ["fsync", "fdatasync", "syncfs"],
        ["openat", "mkdirat", "rename", "renameat", "linkat"] + removing,
    ].map { Kind(fault: .error("EIO", EIO), calls: $0) }
    /// A disk that cannot be read.
    static let unreadable = [Kind(fault: .error("EIO", EIO), calls: ["read", "pread64"])]
    /// Disks that refuse for other reasons, and faults that a run must not notice.
    static let other = [
        Kind(fault: .error("EROFS", EROFS), calls: making + removing, stays: true),
        Kind(fault: .error("EACCES", EACCES), calls: ["openat", "mkdirat", "renameat", "unlinkat"]),
        Kind(fault: .error("EMFILE", EMFILE), calls: ["openat"]),
        Kind(fault: .error("EINTR", EINTR), calls: ["write", "ftruncate", "flock"], isHarmless: true),
        Kind(fault: .short, calls: ["write", "pwrite64"], isHarmless: true),
    ]
    private static let removing = ["unlinkat", "unlink"]
    private static let making = ["openat", "mkdirat", "renameat", "linkat", "ftruncate", "write", "pwrite64"]

    /// Tests at least `points` calls over all kinds and rigs; of longer runs it tests evenly spaced calls.
    static func run(_ kinds: [Kind], _ rigs: [Rig], points: Int, report: Report) throws {
        // Some runs make too few calls for their share, so the other runs are tested again.
        repeat {
            let share = share(of: points - report.points, among: kinds.count * rigs.count)
            try inParallel(rigs) { rig in
                for kind in kinds {
                    for number in sample(share, of: try count(kind, rig)) { try inject(kind, number, rig, report) }
                }
            }
        } while report.points < points
    }

    /// Counts the calls of a run that the fault can affect.
    private static func count(_ kind: Kind, _ rig: Rig) throws -> Int {
        let interposer = Interposer(in: rig.folder)
        _ = try rig.run(interposer.command(rig.command(in: rig.newPlace()), calls: kind.calls))
        return try interposer.count()
    }

    private static func inject(_ kind: Kind, _ number: Int, _ rig: Rig, _ report: Report) throws {
        let place = try rig.newPlace()
        let command = try Interposer(in: rig.folder).command(
            rig.command(in: place), calls: kind.calls, affecting: number, with: kind.fault, stays: kind.stays)
        let (code, events) = try rig.run(command)
        var faults = try rig.faults(at: place, events: events)
        // Success, failed photos, local trouble, an unreadable ledger or an unfinished shard; never a crash or a hang.
        let codes: Set<Int32> = kind.isHarmless ? [0] : [0, 3, 5, 7, 75]
        if !codes.contains(code) { faults.append("I8: the run exited with code \(code)") }
        let point = "\(rig.job.name), \(kind.fault)\(kind.stays ? " from" : " at") call \(number) of \(kind.calls)"
        report.note(point, faults, done: events.safe.count)
    }
}
