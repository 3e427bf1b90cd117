// SPDX-License-Identifier: MIT

import Foundation

/// Has a library stand between the command and its system calls, to count those of all threads and to meet one of them.
struct Interposer {
    /// What meets a call.
    enum Fault: Sendable, CustomStringConvertible {
        case kill
        /// The call writes half of what it should.
        case short
        /// The call fails.
        case error(String, Int32)

        var description: String {
            switch self {
            case .kill: "KILL"
            case .short: "SHORT"
            case .error(let name, _): name
            }
        }

        fileprivate var word: String {
            if case .error(_, let number) = self { return "\(number)" }
            return description
        }
    }

    /// What changes files, names, or what others have heard of the run.
    static let changes = [
        "openat", "mkdir", "mkdirat", "rename", "renameat", "linkat", "unlink", "unlinkat", "rmdir", "ftruncate",
        "write",
        "pwrite64", "writev", "pwritev", "sendto", "sendmsg", "fsync", "fdatasync", "syncfs", "flock", "fchmod",
        "utimensat",
    ]

    /// The library lies beside this program.
    private static let library: String = {
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "libInterposer.so").path
    }()

    private let file: String

    /// Counts in a file in the folder.
    init(in folder: String) { file = "\(folder)/calls" }

    /// The command with the calls counted, and with the call of that number met; `stays` also every later one.
    func command(
        _ command: [String], calls: [String] = changes, meeting number: Int = 0, with fault: Fault = .kill,
        stays: Bool = false
    ) throws -> [String] {
        try Data(count: 8).write(to: URL(filePath: file))
        let settings = [
            "LD_PRELOAD=\(Self.library)", "CRASH_COUNT=\(file)", "CRASH_CALLS=,\(calls.joined(separator: ",")),",
            "CRASH_AT=\(number)", "CRASH_WITH=\(fault.word)",
        ]
        return settings + (stays ? ["CRASH_ON=yes"] : []) + command
    }

    /// How many calls the last command made.
    func count() throws -> Int {
        try Data(contentsOf: URL(filePath: file)).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
