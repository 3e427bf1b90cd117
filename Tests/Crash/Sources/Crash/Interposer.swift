// SPDX-License-Identifier: MIT

import Foundation

/// Preloads a library that counts the system calls of all threads and injects a fault into one of them.
struct Interposer {
    /// The fault to inject into a call.
    enum Fault: Sendable, CustomStringConvertible {
        case kill
        /// The call writes half of its bytes.
        case short
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

    /// The calls that change files or names, or send data to other processes.
    static let changes = [
        "openat", "mkdir", "mkdirat", "rename", "renameat", "linkat", "unlink", "unlinkat", "rmdir", "ftruncate",
        "write",
        "pwrite64", "writev", "pwritev", "sendto", "sendmsg", "fsync", "fdatasync", "syncfs", "flock", "fchmod",
        "utimensat",
    ]

    /// The library is in the same folder as this program.
    private static let library: String = {
        let program = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "libInterposer.so").path
    }()

    private let file: String

    /// Keeps the count in a file in `folder`.
    init(in folder: String) { file = "\(folder)/calls" }

    /// Returns the command with counted calls and a fault in call `number`; `stays` affects every later call as well.
    func command(
        _ command: [String], calls: [String] = changes, affecting number: Int = 0, with fault: Fault = .kill,
        stays: Bool = false
    ) throws -> [String] {
        try Data(count: 8).write(to: URL(filePath: file))
        let settings = [
            "LD_PRELOAD=\(Self.library)", "CRASH_COUNT=\(file)", "CRASH_CALLS=,\(calls.joined(separator: ",")),",
            "CRASH_AT=\(number)", "CRASH_WITH=\(fault.word)",
        ]
        return settings + (stays ? ["CRASH_ON=yes"] : []) + command
    }

    /// The number of calls that the last command made.
    func count() throws -> Int {
        try Data(contentsOf: URL(filePath: file)).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
