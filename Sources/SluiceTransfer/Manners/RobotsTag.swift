// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What `X-Robots-Tag` says to a mirror: whether the host lets this picture be collected.
///
/// A value is a list of rules, `noai, noimageindex`, which a bot's name and a colon may stand before. Rules may have a
/// colon of their own (`unavailable_after: DATE`), and the date commas.
enum RobotsTag {
    /// The rules that keep a picture out of a mirror, beside a date that has passed.
    private static let refusing: Set<String> = ["noai", "noimageai", "noimageindex"]
    /// Rules with a value, whose colon ends no bot's name.
    private static let valued: Set<String> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// The rule that refuses the picture to a bot of this name, as evidence; `nil` if none does.
    static func refusal(in values: [String], agent: String, now: time_t = time(nil)) -> String? {
        for value in values {
            for rule in rules(of: value) where rule.agent.map({ isOurs($0, agent) }) ?? true {
                if refusing.contains(rule.name) { return rule.name }
                if rule.name == "unavailable_after", let date = readDate(rule.value), date <= now {
                    return "unavailable_after: \(rule.value)"
                }
            }
        }
        return nil
    }

    private struct Rule {
        var agent: String?
        var name: String
        var value: String
    }

    private static func rules(of value: String) -> [Rule] {
        var rules: [Rule] = []
        var agent: String?
        for part in value.split(separator: ",") {
            if let last = rules.last, last.name == "unavailable_after", readDate(last.value) == nil {
                // The date's own comma.
                rules[rules.count - 1].value += ", \(trimmed(part))"
                continue
            }
            var words = part.split(separator: ":", maxSplits: 1).map(Self.trimmed)
            if words.count == 2, !valued.contains(words[0].lowercased()) {
                agent = words[0].lowercased()
                words = words[1].split(separator: ":", maxSplits: 1).map(Self.trimmed)
            }
            guard let name = words.first?.lowercased() else { continue }
            rules.append(Rule(agent: agent, name: name, value: words.count == 2 ? words[1] : ""))
        }
        return rules
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    private static func isOurs(_ agent: String, _ own: String) -> Bool { agent == "*" || agent == own.lowercased() }
}
