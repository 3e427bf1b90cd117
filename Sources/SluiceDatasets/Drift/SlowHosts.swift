// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Adds up the time of each host's failed requests, and excludes hosts whose time is used up.
///
/// Without this limit, a host with many slow photos delays the end of a check by the time limit of each of them.
struct SlowHosts: Sendable {
    /// The number of requests that may take all their time.
    private static let requests = 4

    private let limit: Duration
    private var lost: TextMap<Duration> = [:]
    private var refusals: TextMap<Failure> = [:]

    /// Allows each host a few times the time limit of a request.
    init(timeout: Duration) { limit = timeout * Self.requests }

    /// The failure of photos that are not requested any more; `nil` if the host may be requested.
    func refusal(of host: String) -> Failure? { refusals[host] }

    /// Adds a request that failed after this time; only failures that may be temporary count.
    mutating func add(_ failure: Failure, of host: String, after time: Duration) {
        guard failure.cause.isRetryable, failure.cause != .cancelled, refusals[host] == nil else { return }
        let total = (lost[host] ?? .zero) + time
        lost[host] = total
        guard total >= limit else { return }
        let seconds = Int(rounding: total.inSeconds)
        refusals[host] = Failure(failure.cause, "\(host): not requested after failed requests of \(seconds) s in all")
    }
}
