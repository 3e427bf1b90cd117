// SPDX-License-Identifier: MIT

public import SluiceEngine

/// Checks whether this machine meets the requirements of a run.
///
/// Each check tries the real operation.
public struct Doctor {
    /// A check; it returns one result for each thing that it tests.
    package typealias Check = @Sendable () -> [HealthCheckResult]

    /// All checks, in the order in which their results are printed.
    ///
    /// To add a check, add its line here.
    static let checks: [Check] = [
        CodecChecks.run,
        DescriptorCheck.run,
        DiskCheck.run,
        ClockCheck.run,
        CertificateCheck.run,
        TransferCheck.run,
        BrowserCheck.run,
    ]

    /// Runs all checks, and the one for decoder isolation.
    ///
    /// Takes a few milliseconds, or half a second with a browser, and leaves no files behind.
    public static func examine(isolation: Isolation = .none) -> [HealthCheckResult] {
        checks.flatMap { $0() } + IsolationCheck.run(isolation)
    }
}

/// The result of one of the doctor's checks.
public struct HealthCheckResult: Sendable, Hashable {
    /// How serious the result is.
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// The requirement is met.
        case ok
        /// Runs work, but with reduced speed or protection.
        case warning
        /// Some or all runs will fail.
        case problem
    }

    /// The name of the requirement.
    public var name: String
    /// How serious the result is.
    public var verdict: Verdict
    /// The observation.
    public var detail: String
    /// The recommended action; `nil` if none is needed.
    public var advice: String?

    package init(_ name: String, _ verdict: Verdict, _ detail: String, advice: String? = nil) {
        (self.name, self.verdict, self.detail, self.advice) = (name, verdict, detail, advice)
    }
}
