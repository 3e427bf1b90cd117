// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What a reply's headers say of how many requests are left.
///
/// Services write it in several ways: `X-RateLimit-Remaining` and `-Reset`, with or without a scope behind them;
/// `RateLimit-Remaining` and `-Reset`; one `RateLimit` with `remaining=0, reset=30` or `"name";r=0;t=30`. A reset is a
/// time of day for some and seconds for others; the number tells which.
struct RateLimit: Hashable {
    /// No further request is left.
    var isUsedUp = false
    /// When there are some again, if that is said; the longest where several limits are used up.
    var reset: Duration?

    /// Reads a reply's headers.
    init(_ headers: HeaderFields, now: time_t = time(nil)) {
        for prefix in ["x-ratelimit-", "x-rate-limit-", "ratelimit-"] {
            for (scope, left) in headers.scoped(prefix + "remaining") where Int(left) == 0 {
                let resets = headers.scoped(prefix + "reset")
                note(resets.first { $0.scope == scope }?.value, now)
            }
        }
        // The newest form has several limits in one header, each with its name in quotation marks.
        for limit in headers.all("ratelimit").flatMap({ $0.split(separator: "\"") }) { read(String(limit), now) }
    }

    /// One limit in one header: members with `=` between commas or semicolons.
    private mutating func read(_ text: String, _ now: time_t) {
        var members: [String: String] = [:]
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if pair.count == 2 { members[pair[0].lowercased()] = pair[1] }
        }
        if let left = members["remaining"] ?? members["r"], Int(left) == 0 {
            note(members["reset"] ?? members["t"], now)
        }
    }

    private mutating func note(_ reset: String?, _ now: time_t) {
        isUsedUp = true
        guard let reset, let number = Int(reset.prefix { $0 != "." }), number >= 0 else { return }
        // No limit's window is thirty years long.
        let seconds = number > 1_000_000_000 ? max(0, number - now) : number
        self.reset = max(self.reset ?? .zero, .seconds(seconds))
    }
}

extension HeaderFields {
    /// Every header whose name begins so, with what stands behind it.
    fileprivate func scoped(_ prefix: String) -> [(scope: String, value: String)] {
        all(where: { $0.hasPrefix(prefix) }).map { (String($0.name.dropFirst(prefix.count)), $0.value) }
    }
}
