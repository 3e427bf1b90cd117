// SPDX-License-Identifier: MIT

package import SluiceModel

/// Limits that end a run before its feed does.
public struct RunLimits: Sendable, Hashable {
    /// How many items may fail.
    public var failures: FailureLimit?
    /// How long the run may take.
    public var time: Duration?
    /// How many bytes of photos may be received, including the bodies of failures.
    ///
    /// Downloads in flight are then interrupted, and the next run resumes them.
    public var transfer: Int?
    /// The time allowed for items in flight when a signal or a limit stops the run.
    ///
    /// The rest are then cancelled.
    public var drain = Duration.seconds(10)

    /// Makes limits that never end a run early.
    public init() {}

    /// Returns why a run with these counts must stop; `nil` if it may continue.
    func stopReason(for summary: Summary) -> StopReason? {
        if let reason = failures?.stopReason(for: summary) { return reason }
        guard let transfer, summary.bytesReceived >= transfer else { return nil }
        return transferLimitReached(with: summary.bytesReceived)
    }

    /// Why a run stops that has received this many bytes.
    package func transferLimitReached(with bytes: Int) -> StopReason {
        .limit("received \(bytes) bytes (limit \(transfer ?? 0))")
    }

    /// Why a run stops when its time is over.
    var timeLimitReached: StopReason { .limit("the time limit was reached") }

    /// The time allowed for items in flight when a run stops for this reason.
    ///
    /// It is zero if the run itself has failed or its caller asked it to stop.
    func drain(for reason: StopReason) -> Duration {
        switch reason {
        case .signal, .limit: drain
        case .requested, .failing, .local, .damaged: .zero
        }
    }
}

/// How many items may fail before a run stops.
public enum FailureLimit: Sendable, Hashable {
    /// More than this number of items.
    case count(Int)
    /// More than this percentage of the items, once enough have ended.
    case percent(Double)

    /// The number of items that must have ended before a percentage is meaningful.
    static let minimumSample = 20

    /// Returns why a run with these counts must stop, with the likely reason; `nil` if it may continue.
    func stopReason(for summary: Summary) -> StopReason? {
        let limit: String
        switch self {
        case .count(let maximum):
            guard summary.failed > maximum else { return nil }
            limit = "\(maximum)"
        case .percent(let maximum):
            let attempted = summary.ended - summary.kept
            guard attempted >= Self.minimumSample, Double(summary.failed) * 100 > maximum * Double(attempted) else {
                return nil
            }
            limit = "\(maximum.rounded() == maximum ? "\(Int(maximum))" : "\(maximum)")%"
        }
        let worst = summary.causes.max { ($0.value, $1.key.name) < ($1.value, $0.key.name) }
        let details = worst.map { ", most of them with \($0.key.name): \(Self.likelyReason(for: $0.key))" } ?? ""
        return .failing(
            "\(summary.failed) of \(summary.ended) photos failed (limit \(limit))\(details)",
            hint: worst.flatMap { Self.hint(for: $0.key) })
    }

    private static func hint(for cause: Cause) -> Hint? {
        switch cause {
        case .httpTooManyRequests, .deferred: .slowDown
        default: nil
        }
    }

    /// Returns the likely reason why many items fail with the same cause.
    private static func likelyReason(for cause: Cause) -> String {
        switch cause {
        case .dns: "check the network connection and the host names"
        case .connect, .timeout: "check the network connection and whether the host is up"
        case .tls: "this machine does not trust the host's certificate"
        case .httpClientError(401), .httpClientError(403): "the host refuses access; a key or permission may be missing"
        case .httpClientError(404), .httpClientError(410): "the list may be out of date"
        case .httpTooManyRequests, .deferred: "the hosts received too many requests"
        case .httpServerError: "the host has a problem; try again later"
        case .notAnImage, .unsupported: "the URLs lead to something other than photos"
        case .addressRefused: "the URLs lead to a private network"
        default: "see the first failures in the manifest"
        }
    }
}
