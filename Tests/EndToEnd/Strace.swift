// SPDX-License-Identifier: MIT

import Foundation

/// Makes system calls of the command fail through strace, which counts the calls of each thread separately.
enum Strace {
    /// Whether strace is installed and permitted to trace.
    static let isPermitted = (try? Running(["-o", "/dev/null", "true"], program: path).end().code) == 0

    private static let path = "/usr/bin/strace"

    /// Runs the command until it exits; in each thread, the calls numbered by `when` fail with the error.
    static func run(
        _ arguments: [String], failing call: String, with error: String, when: String
    ) throws -> Binary.Result {
        let injection = ["-e", "trace=\(call)", "-e", "inject=\(call):error=\(error):when=\(when)"]
        // Only the named call stops for strace; all others run at full speed.
        return try Running(
            ["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"] + injection + [Binary.path] + arguments, program: path
        )
        .end()
    }
}
