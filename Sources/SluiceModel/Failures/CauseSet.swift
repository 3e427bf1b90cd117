// SPDX-License-Identifier: MIT

/// A set of causes, written as a comma-separated list: `dns,timeout,http-5xx`.
///
/// `http-4xx` stands for every status from 400 to 499.
public struct CauseSet: Sendable, Hashable {
    private static let clientErrors = "http-4xx"

    private var causes: Set<Cause> = []
    private var hasClientErrors = false

    /// Parses a comma-separated list; returns `nil` if it is empty or contains an unknown name.
    public init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for name in names {
            if name == Self.clientErrors {
                hasClientErrors = true
            } else if let cause = Cause(name: name) {
                causes.insert(cause)
            } else {
                return nil
            }
        }
    }

    /// Whether the set contains the cause.
    public func contains(_ cause: Cause) -> Bool {
        if causes.contains(cause) { return true }
        if case .httpClientError = cause { return hasClientErrors }
        return hasClientErrors && cause == .httpTooManyRequests
    }
}
