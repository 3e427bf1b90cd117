// SPDX-License-Identifier: MIT

/// Whether a run may open as many files and connections at once as it wants to.
enum DescriptorCheck {
    /// Fewer than this, and a run at its default width may fail.
    static let least = 64
    /// From here on a run of a few hundred items in flight fits.
    static let enough = 1024

    @Sendable static func findings() -> [Finding] {
        guard let limit = DescriptorLimit.system() else {
            return [Finding("open files", .warning, "the system does not tell its limit")]
        }
        return [finding(soft: limit.soft, hard: limit.hard)]
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
