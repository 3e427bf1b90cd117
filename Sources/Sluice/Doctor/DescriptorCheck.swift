// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Whether a run may open as many files and connections at once as it wants to.
enum DescriptorCheck {
    /// Fewer than this, and a run at its default width may fail.
    static let least = 64
    /// From here on a run of a few hundred items in flight fits.
    static let enough = 1024

    @Sendable static func findings() -> [Finding] {
        var limit = rlimit()
        #if canImport(Darwin)
            let resource = RLIMIT_NOFILE
        #else
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard unsafe getrlimit(resource, &limit) == 0 else {
            return [Finding("open files", .warning, "the system does not tell its limit")]
        }
        return [finding(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))]
    }

    static func finding(soft: Int, hard: Int) -> Finding {
        let most = hard == soft ? "" : hard == .max ? ", can be raised without end" : ", can be raised to \(hard)"
        let detail = soft == .max ? "no limit" : "at most \(soft) at once\(most)"
        let advice = "raise it with `ulimit -n \(enough)`, or run with a lower --concurrency"
        if soft < least { return Finding("open files", .problem, detail, advice: advice) }
        if soft < enough { return Finding("open files", .warning, detail, advice: advice) }
        return Finding("open files", .ok, detail)
    }
}
