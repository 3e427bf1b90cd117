// SPDX-License-Identifier: MIT

/// Looks at what runs need of the machine: each thing is really tried, and each finding says what to do.
public struct Doctor {
    /// One thing to look at.
    public typealias Check = @Sendable () -> [Finding]

    /// Every check, in the order in which people read them; a new one is one more line.
    static let checks: [Check] = [
        CodecChecks.findings,
        DescriptorCheck.findings,
        DiskCheck.findings,
        ClockCheck.findings,
        CertificateCheck.findings,
    ]

    /// Makes every check, and one of how pictures would be decoded; takes some milliseconds, and leaves nothing behind.
    public static func examine(isolation: Isolation = .none) -> [Finding] {
        checks.flatMap { $0() } + IsolationCheck.findings(isolation)
    }
}
