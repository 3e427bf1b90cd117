// SPDX-License-Identifier: MIT

public import SluiceModel

/// Which failures are tried again, and when; a pure value, so that its rules are a table in a test.
public struct RetryPolicy: Sendable, Hashable {
    /// How many more attempts follow the first.
    public var retries = 3
    /// The longest wait before the second attempt; it doubles with each further one.
    public var base = Duration.seconds(1)
    /// No wait of our own is longer.
    public var cap = Duration.seconds(60)
    /// A host that asks for more than this is not waited for.
    public var longestRetryAfter = Duration.seconds(300)

    /// Makes the defaults.
    public init() {}

    /// What follows a failed attempt.
    public enum Verdict: Sendable, Hashable {
        case retry(after: Duration)
        case giveUp(Failure)
    }

    /// Decides what follows the failure of attempt number `attempt`, counted from 1.
    ///
    /// The wait is drawn evenly from nothing to the bound (full jitter, so that a crowd does not come back at once);
    /// `chance`, from 0 to 1, is the draw. What the host asked for goes first.
    public func verdict(on failure: Failure, attempt: Int, chance: Double) -> Verdict {
        guard failure.cause.isWorthRetry, attempt <= retries else { return .giveUp(failure) }
        if let retryAfter = failure.retryAfter {
            guard retryAfter <= longestRetryAfter else {
                let asked = "the host asks to wait \(retryAfter.components.seconds) s"
                let limit = "limit \(longestRetryAfter.components.seconds)"
                return .giveUp(Failure(.deferred, "\(asked) (\(limit))", status: failure.status))
            }
            return .retry(after: max(.zero, retryAfter))
        }
        return .retry(after: bound(afterAttempt: attempt) * chance)
    }

    /// The longest wait of our own behind attempt number `attempt`.
    func bound(afterAttempt attempt: Int) -> Duration {
        min(cap, base * (1 << min(attempt - 1, 20)))
    }
}
