// SPDX-License-Identifier: MIT

/// What one of the doctor's checks found.
public struct Finding: Sendable, Hashable {
    /// How the thing stands.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// Nothing to do.
        case ok
        /// Runs work, some less well.
        case warning
        /// Runs, or some of them, will fail.
        case problem
    }

    /// The thing that was looked at.
    public var name: String
    /// How it stands.
    public var verdict: Verdict
    /// What was seen.
    public var detail: String
    /// What to do; `nil` where there is nothing to do.
    public var advice: String?

    /// Makes a finding.
    public init(_ name: String, _ verdict: Verdict, _ detail: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.detail = detail
        self.advice = advice
    }
}
