// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How much may fail before a run is not worth going on.
public enum FailureLimit: Sendable, Hashable {
    /// So many items.
    case count(Int)
    /// So many of a hundred items, once enough have ended to tell.
    case percent(Double)

    /// How many items must have ended before a share says anything.
    static let sample = 20

    /// Why a run that has come so far should stop, in a sentence with the likely reason; `nil` if it should not.
    func reason(toStop summary: Summary) -> String? {
        let limit: String
        switch self {
        case .count(let most):
            guard summary.failed > most else { return nil }
            limit = "\(most)"
        case .percent(let most):
            let tried = summary.ended - summary.kept
            guard tried >= Self.sample, Double(summary.failed) * 100 > most * Double(tried) else { return nil }
            limit = "\(most.rounded() == most ? "\(Int(most))" : "\(most)")%"
        }
        let worst = summary.causes.max { ($0.value, $1.key.name) < ($1.value, $0.key.name) }
        let mostly = worst.map { ", most of them with \($0.key.name): \(Self.likely($0.key))" } ?? ""
        return "\(summary.failed) of \(summary.ended) photos failed (limit \(limit))\(mostly)"
    }

    /// The likely reason why so many end with one cause.
    private static func likely(_ cause: Cause) -> String {
        switch cause {
        case .dns: "is this machine online, and are the names right?"
        case .connect, .timeout: "is this machine online, and is the host up?"
        case .tls: "the host's certificate is not trusted here"
        case .httpClientError(401), .httpClientError(403): "the host refuses; a key or a permission may be missing"
        case .httpClientError(404), .httpClientError(410): "the list may be old"
        case .httpTooManyRequests, .deferred: "it was asked too often; a lower --rate or --per-host may help"
        case .httpServerError: "the host is in trouble; later may be better"
        case .notAnImage, .unsupported: "the addresses lead to something other than photos"
        case .addressRefused: "the addresses lead into a private network"
        default: "the first of them in the manifest tells more"
        }
    }
}
