// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// Evaluates the `X-Robots-Tag` header: whether the host forbids collecting an image.
///
/// A value is a list of rules such as `noai, noimageindex`, with an optional `BOT:` prefix. A rule may contain a colon
/// (`unavailable_after: DATE`), and its date may contain commas.
enum RobotsTag {
    /// The rules that forbid collecting; `unavailable_after` with a past date does, too.
    private static let refusing: Set<String> = ["noai", "noimageai", "noimageindex"]
    /// The rules that take a value, so that the text before their colon is not a bot's name.
    private static let valued: Set<String> = [
        "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
    ]

    /// Returns the rule that forbids collecting for this user agent, or `nil`.
    static func refusal(in values: [String], agent: String, now: time_t = time(nil)) -> String? {
        for value in values {
            for rule in rules(of: value) where rule.agent.map({ matches($0, agent) }) ?? true {
                if refusing.contains(rule.name) { return rule.name }
                if rule.name == "unavailable_after", let date = parseHTTPDate(rule.value), date <= now {
                    return "unavailable_after: \(rule.value)"
                }
            }
        }
        return nil
    }

    /// Returns the names of the rules for this user agent, in lower case.
    static func names(in values: [String], agent: String) -> [String] {
        values.flatMap(rules).filter { $0.agent.map { matches($0, agent) } ?? true }.map(\.name)
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
            if let last = rules.last, last.name == "unavailable_after", parseHTTPDate(last.value) == nil {
                // This comma belongs to the date.
                rules[rules.count - 1].value += ", \(part.trimmed)"
                continue
            }
            var tokens = part.split(separator: ":", maxSplits: 1).map(\.trimmed)
            if tokens.count == 2, !valued.contains(tokens[0].lowercased()) {
                agent = tokens[0].lowercased()
                tokens = tokens[1].split(separator: ":", maxSplits: 1).map(\.trimmed)
            }
            guard let name = tokens.first?.lowercased() else { continue }
            rules.append(Rule(agent: agent, name: name, value: tokens.count == 2 ? tokens[1] : ""))
        }
        return rules
    }

    private static func matches(_ agent: String, _ own: String) -> Bool { agent == "*" || agent == own.lowercased() }
}
