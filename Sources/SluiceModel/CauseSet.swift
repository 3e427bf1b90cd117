// SPDX-License-Identifier: MIT

/// Some of the causes, as users name them: `dns,timeout,http-5xx`.
///
/// `http-4xx` stands for all of that kind, which have a number each.
public struct CauseSet: Sendable, Hashable {
    private static let clientErrors = "http-4xx"

    private var causes: Set<Cause> = []
    private var hasClientErrors = false

    /// Reads names with commas between them; `nil` if there is none, or one that no cause has.
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

    /// Whether the cause is among them.
    public func contains(_ cause: Cause) -> Bool {
        if causes.contains(cause) { return true }
        if case .httpClientError = cause { return hasClientErrors }
        return hasClientErrors && cause == .httpTooManyRequests
    }
}
