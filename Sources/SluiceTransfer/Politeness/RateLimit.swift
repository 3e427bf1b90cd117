// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// The request quota that a response's headers report.
///
/// Services use several forms: `X-RateLimit-Remaining` and `-Reset`, with or without a scope suffix;
/// `RateLimit-Remaining` and `-Reset`; or one `RateLimit` with `remaining=0, reset=30` or `"name";r=0;t=30`. A reset is
/// a Unix time or a number of seconds; its size shows which.
struct RateLimit: Hashable {
    /// Whether no request is left.
    var isUsedUp = false
    /// The time until requests are allowed again, if reported; the longest if several limits are used up.
    var reset: Duration?

    /// Reads the headers of a response.
    init(_ headers: HeaderFields, now: time_t = time(nil)) {
        // Few responses have any.
        guard headers.hasName(where: { $0.hasPrefix("x-rate") || $0.hasPrefix("rate") }) else { return }
        for prefix in ["x-ratelimit-", "x-rate-limit-", "ratelimit-"] {
            let resets = [String: String](headers.fields(startingWith: prefix + "reset")) { first, _ in first }
            for (scope, remaining) in headers.fields(startingWith: prefix + "remaining") where Int(remaining) == 0 {
                recordUsedUp(resets[scope], now)
            }
        }
        // The newest form puts several limits into one header, each with a quoted name.
        for limit in headers.all("ratelimit").flatMap({ $0.split(separator: "\"") }) { parse(String(limit), now) }
    }

    /// Parses one limit: `key=value` pairs separated by commas or semicolons.
    private mutating func parse(_ text: String, _ now: time_t) {
        var values: [String: String] = [:]
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
            if pair.count == 2 { values[pair[0].lowercased()] = pair[1] }
        }
        if let remaining = values["remaining"] ?? values["r"], Int(remaining) == 0 {
            recordUsedUp(values["reset"] ?? values["t"], now)
        }
    }

    private mutating func recordUsedUp(_ reset: String?, _ now: time_t) {
        isUsedUp = true
        guard let reset, let number = Int(reset.prefix { $0 != "." })?.within(Quantity.range) else { return }
        // A larger number is a Unix time: no limit's window lasts thirty years.
        let seconds = number > 1_000_000_000 ? max(0, number - now) : number
        self.reset = max(self.reset ?? .zero, .seconds(seconds))
    }
}

extension HeaderFields {
    /// The headers whose names start with `prefix`; the scope is the rest of the name.
    fileprivate func fields(startingWith prefix: String) -> [(scope: String, value: String)] {
        all(where: { $0.hasPrefix(prefix) }).map { (String($0.name.dropFirst(prefix.count)), $0.value) }
    }
}
