// SPDX-License-Identifier: MIT

internal import CCurl
package import SluiceModel
internal import SluiceSystem

/// Decides which failures are retried, and after which delay.
public struct RetryPolicy: Sendable, Hashable {
    /// The number of attempts after the first.
    public var retries = 3
    /// The longest delay before the second attempt; it doubles with each further attempt.
    public var baseDelay = Duration.seconds(1)
    /// The upper limit of the delay, unless the host asks for a longer one.
    public var maximumDelay = Duration.seconds(60)
    /// The longest `Retry-After` that is waited for.
    public var maximumRetryAfter = Duration.seconds(300)

    /// Creates the default policy.
    public init() {}

    /// The response to a failed attempt.
    package enum Decision: Sendable, Hashable {
        case retry(after: Duration)
        case giveUp(Failure)
    }

    /// Decides what to do after attempt number `attempt`, counted from 1, failed.
    ///
    /// The delay is random between zero and the bound (full jitter, so that clients do not return all at once);
    /// `chance`, from 0 to 1, is the random number. A delay that the host asked for takes precedence.
    package func decision(on failure: Failure, attempt: Int, chance: Double) -> Decision {
        guard failure.cause.isRetryable else { return .giveUp(failure) }
        // Also after the last attempt: otherwise the host would be paused for that long.
        if let retryAfter = failure.retryAfter, retryAfter > maximumRetryAfter {
            let request = "the host asks to wait \(retryAfter.components.seconds) s"
            let limit = "limit \(maximumRetryAfter.components.seconds)"
            return .giveUp(Failure(.deferred, "\(request) (\(limit))", status: failure.status))
        }
        guard attempt <= retries else { return .giveUp(failure) }
        return .retry(after: failure.retryAfter.map { max(.zero, $0) } ?? bound(afterAttempt: attempt) * chance)
    }

    /// The longest delay after attempt number `attempt`, unless the host asks for a longer one.
    func bound(afterAttempt attempt: Int) -> Duration {
        min(maximumDelay, baseDelay * (1 << min(attempt - 1, 20)))
    }
}

/// Parses a `Retry-After` header: seconds or a date; `nil` for anything else.
///
/// Numbers above 2^32 become 2^32 seconds, which no policy waits for.
func parseRetryAfter(_ text: String?, now: time_t = time(nil)) -> Duration? {
    guard let text, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy(\.isDigit) {
        return .seconds(Int(text).map { min($0, 1 << 32) } ?? 1 << 32)
    }
    return parseHTTPDate(text).map { .seconds(max(0, $0 - now)) }
}

/// Parses an HTTP date, in seconds since 1970; `nil` if the text is not a date.
package func parseHTTPDate(_ text: String) -> Int? {
    let date = unsafe curl_getdate(text, nil)
    return date < 0 ? nil : Int(date)
}
