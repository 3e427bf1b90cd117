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

    static let kinds = [
        Kind(fault: .error("ENOSPC", ENOSPC), calls: making),
        Kind(fault: .error("ENOSPC", ENOSPC), calls: making, stays: true),
        Kind(fault: .error("EDQUOT", EDQUOT), calls: making),
        Kind(fault: .error("EIO", EIO), calls: making + removing + ["fsync", "fdatasync", "syncfs", "pread64"]),
        Kind(fault: .error("EROFS", EROFS), calls: making + removing, stays: true),
        Kind(fault: .error("EACCES", EACCES), calls: ["openat", "mkdirat", "renameat", "unlinkat"]),
        Kind(fault: .error("EMFILE", EMFILE), calls: ["openat"]),
        Kind(fault: .error("EINTR", EINTR), calls: ["write", "ftruncate", "flock"], isHarmless: true),
        Kind(fault: .short, calls: ["write", "pwrite64"], isHarmless: true),
    ]
    private static let removing = ["unlinkat", "unlink"]
    private static let making = ["openat", "mkdirat", "renameat", "linkat", "ftruncate", "write", "pwrite64"]

    /// Tests at most about `points` calls over all kinds; of longer runs it tests every second, third, … call.
    static func run(_ rigs: [Rig], points: Int, report: Report) throws {
        try inParallel(rigs) { rig in
            let share = max(1, points / kinds.count / rigs.count)
            for kind in kinds {
                let all = try count(kind, rig)
                let step = max(1, (all + share - 1) / share)
                for number in stride(from: 1, through: all, by: step) { try inject(kind, number, rig, report) }
            }
        }
    }

    /// Counts the calls of a run that the fault can affect.
    private static func count(_ kind: Kind, _ rig: Rig) throws -> Int {
        let interposer = Interposer(in: rig.folder)
        _ = try rig.run(interposer.command(rig.command(into: rig.newPlace()), calls: kind.calls))
        return try interposer.count()
    }

    private static func inject(_ kind: Kind, _ number: Int, _ rig: Rig, _ report: Report) throws {
        let place = try rig.newPlace()
        let command = try Interposer(in: rig.folder).command(
            rig.command(into: place), calls: kind.calls, affecting: number, with: kind.fault, stays: kind.stays)
        let (code, events) = try rig.run(command)
        var faults = try rig.faults(at: place)
        faults += try rig.faultsAfterRepair(at: place, events: events)
        // Success, failed photos, local trouble or an unreadable ledger; never a crash or a hang.
        let codes: Set<Int32> = kind.isHarmless ? [0] : [0, 3, 5, 7]
        if !codes.contains(code) { faults.append("I8: the run exited with code \(code)") }
        report.note("\(kind.fault)\(kind.stays ? " from" : " at") call \(number)", faults, done: events.safe.count)
    }
}
