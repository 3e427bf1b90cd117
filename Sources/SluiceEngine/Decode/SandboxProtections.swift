// SPDX-License-Identifier: MIT

internal import CSandbox

/// The protections that are in force in a decode worker.
///
/// Which ones depends on the system.
package struct SandboxProtections: Sendable, Hashable {
    /// Whether the process cannot gain privileges by starting a program.
    package var hasNoNewPrivileges = false
    /// Whether memory, files and processes are limited.
    package var hasLimits = false
    /// The version of Landlock that blocks files and the network; 0 for none.
    package var landlock = 0
    /// Whether a seccomp filter refuses all but a few system calls.
    package var filtersCalls = false

    /// The protections that are not in force, in words.
    package var missing: [String] {
        [
            (landlock > 0, "Landlock"), (filtersCalls, "a system call filter (seccomp)"),
            (hasLimits, "limits on memory and files"), (hasNoNewPrivileges, "no-new-privileges"),
        ].filter { !$0.0 }.map(\.1)
    }

    /// The missing protections without which a sandbox is weak, in words.
    ///
    /// Landlock is a second layer: the filter alone denies all calls that open files, connect or send signals.
    package var missingEssentials: [String] {
        var others = self
        others.landlock = 1
        return others.missing
    }

    /// Applies every available protection to the current process.
    ///
    /// This cannot be undone.
    ///
    /// `memory` is the limit in bytes for all decodes together.
    static func apply(memory: Int) -> SandboxProtections {
        // Memory use is estimated per picture: allow twice the estimate, and 64 MiB for libraries and fixed buffers.
        let limit = min(memory, 1 << 40) * 2 + 64 << 20
        let report = csandbox_confine(limit)
        return SandboxProtections(
            hasNoNewPrivileges: report.has_no_new_privileges, hasLimits: report.has_limits,
            landlock: Int(report.landlock), filtersCalls: report.filters_calls)
    }
}

extension WorkerCoder {
    mutating func code(_ protections: inout SandboxProtections) throws(Malformed) {
        try code(&protections.hasNoNewPrivileges)
        try code(&protections.hasLimits)
        try code(&protections.landlock)
        try code(&protections.filtersCalls)
    }
}
