// SPDX-License-Identifier: MIT

import Foundation

/// Makes system calls of the command fail through strace, which counts the calls of each thread separately.
enum Strace {
    /// Whether strace is installed and permitted to trace.
    static let isPermitted = (try? Running(["-o", "/dev/null", "true"], program: path).end().code) == 0

    private static let path = "/usr/bin/strace"

    /// Runs the command until it exits; in each thread, the calls numbered by `when` fail with the error.
    static func run(
        _ arguments: [String], failing call: String, with error: String, when: String,
        environment: [String: String] = [:], folder: URL? = nil
    ) throws -> Binary.Result {
        // Only the named call stops for strace; all others run at full speed.
        try run(
            arguments, injecting: "error=\(error)", into: call, when: when, more: ["--seccomp-bpf"],
            environment: environment, folder: folder)
    }

    /// Runs the command until it exits or is killed; the calls numbered by `when` kill it before they begin.
    static func run(
        _ arguments: [String], killingAt call: String, when: String, folder: URL? = nil
    ) throws -> Binary.Result {
        // With --seccomp-bpf, strace sends no signals.
        try run(arguments, injecting: "signal=SIGKILL", into: call, when: when, folder: folder)
    }

    private static func run(
        _ arguments: [String], injecting fault: String, into call: String, when: String, more: [String] = [],
        environment: [String: String] = [:], folder: URL? = nil
    ) throws -> Binary.Result {
        let injection = ["-e", "trace=\(call)", "-e", "inject=\(call):\(fault):when=\(when)"]
        let options = ["-f"] + more + ["-qq", "-o", "/dev/null"]
        return try Running(
            options + injection + [Binary.path] + arguments, program: path, environment: environment, folder: folder
        ).end()
    }
}
