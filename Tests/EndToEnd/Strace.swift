// SPDX-License-Identifier: MIT

import Foundation

/// Has strace let system calls of the command fail; it counts each thread's calls by themselves.
enum Strace {
    /// Whether it is here, and may trace.
    static let isPermitted = (try? Running(["-o", "/dev/null", "true"], program: path).end().code) == 0

    private static let path = "/usr/bin/strace"

    /// Runs the command to its end; of each thread's calls of that name those that `when` numbers fail with the error.
    static func run(
        _ arguments: [String], failing call: String, with error: String, when: String
    ) throws -> Binary.Result {
        let injection = ["-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(when)"]
        // Only calls of that name stop for strace; all others go on at full speed.
        return try Running(
            ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"] + injection + [Binary.path] + arguments, program: path
        )
        .end()
    }
}
