// SPDX-License-Identifier: MIT

import Foundation

/// Lets each system call that needs the disk fail once, in turn, with what disks fail with.
struct CallFaults {
    private static let kinds: [(error: String, calls: [String])] = [
        ("ENOSPC", ["write", "pwrite64", "mkdirat", "renameat", "ftruncate", "fsync"]),
        ("EIO", ["write", "pwrite64", "fsync", "fdatasync", "syncfs", "renameat", "pread64"]),
        ("EDQUOT", ["write", "pwrite64", "mkdirat"]),
        ("EINTR", ["write", "ftruncate"]),
    ]

    /// Tries every point with every rig; `persistent` faults stay for every later call, as a full disk does.
    static func run(_ rigs: [Rig], persistent: Bool, report: Report) throws {
        try inParallel(rigs) { rig in
            for (error, calls) in kinds where !persistent || error == "ENOSPC" {
                for call in calls {
                    var number = 1
                    while try !survives(call, error, "\(number)\(persistent ? "+" : "")", rig, report) { number += 1 }
                }
            }
        }
    }

    /// Whether the fault met nobody.
    private static func survives(
        _ call: String, _ error: String, _ number: String, _ rig: Rig, _ report: Report
    ) throws -> Bool {
        let place = try rig.emptyPlace()
        let log = "\(rig.folder)/strace"
        let strace = [
            "strace", "-f", "-qq", "-o", log, "-e", "trace=\(call)", "-e",
            "inject=\(call):error=\(error):when=\(number)",
        ]
        let (code, told) = try rig.run(strace + rig.mirror(into: place))
        guard try String(contentsOfFile: log, encoding: .utf8).contains("(INJECTED)") else { return true }
        var faults = try rig.faults(at: place) + rig.faultsMended(at: place, told: told)
        // Done all the same, some photos failed, local trouble, a ledger that cannot be read, not even loaded by the
        // system; and never a crash.
        if ![0, 3, 5, 7, 127].contains(code) { faults.append("I8: the run ended with \(code)") }
        if error == "EINTR", code != 0 { faults.append("I8: the run ended with \(code) for an interrupted call") }
        report.note("\(call) \(number) \(error)", faults, done: told.safe.count)
        return false
    }
}
