// SPDX-License-Identifier: MIT

internal import CSandbox

/// What a worker has given up, as far as the machine lets it.
struct Confinement: Sendable, Hashable {
    /// Whether it can gain no right by starting a program.
    var hasNoNewPrivileges = false
    /// Whether its memory, files and processes are limited.
    var hasLimits = false
    /// The version of Landlock that keeps it from files and the network; 0 for none.
    var landlock = 0
    /// Whether the kernel refuses it all calls but a few.
    var filtersCalls = false

    /// Gives up what a decoder does not need, for good; `memory` is what all decodes together may take.
    static func enter(memory: Int) -> Confinement {
        // What a picture takes is estimated: twice that, and what comes before the first row.
        let most = min(memory, 1 << 40) * 2 + 64 << 20
        let report = csandbox_confine(most)
        return Confinement(
            hasNoNewPrivileges: report.has_no_new_privileges, hasLimits: report.has_limits,
            landlock: Int(report.landlock), filtersCalls: report.filters_calls)
    }
}

extension Wire {
    mutating func carry(_ confinement: inout Confinement) throws(Malformed) {
        try carry(&confinement.hasNoNewPrivileges)
        try carry(&confinement.hasLimits)
        try carry(&confinement.landlock)
        try carry(&confinement.filtersCalls)
    }
}
