// SPDX-License-Identifier: MIT

/// What a host's `robots.txt` allows (RFC 9309), for one bot.
struct Robots: Hashable {
    /// One line: whether what matches may be fetched; the longest match counts.
    private struct Rule: Hashable {
        var allows: Bool
        var pattern: [UInt8]
    }

    /// As much of the file as counts.
    private static let limit = 500 << 10

    private var rules: [Rule] = []

    /// A host that has no rules allows everything.
    static let allowingAll = Robots()
    private init() {}

    /// Reads the groups for `agent`, or where there are none those for everybody.
    init(_ text: [UInt8], agent: String) {
        var groups: [String: [Rule]] = [:]
        var names: [String] = []
        var isInRules = false
        for line in text.prefix(Self.limit).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let (key, value) = Self.member(String(decoding: line, as: UTF8.self)) else { continue }
            switch key {
            case "user-agent":
                if isInRules { (names, isInRules) = ([], false) }
                names.append(value.lowercased())
                groups[value.lowercased(), default: []] += []
            case "allow", "disallow":
                isInRules = true
                // Nothing disallowed is everything allowed.
                guard !value.isEmpty else { continue }
                for name in names { groups[name]?.append(Rule(allows: key == "allow", pattern: Array(value.utf8))) }
            default: break
            }
        }
        rules = groups[agent.lowercased()] ?? groups["*"] ?? []
    }

    /// Whether the path, with its query, may be fetched.
    func allows(_ path: String) -> Bool {
        let path = Array(path.utf8)
        guard path != Array("/robots.txt".utf8) else { return true }
        let matching = rules.filter { Self.matches($0.pattern, path) }
        let best = matching.max { ($0.pattern.count, $0.allows ? 1 : 0) < ($1.pattern.count, $1.allows ? 1 : 0) }
        return best?.allows ?? true
    }

    /// `Disallow: /private # words` is `disallow` and `/private`.
    private static func member(_ line: String) -> (String, String)? {
        let line = line.prefix { $0 != "#" }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let words = { (text: Substring) in String(text.filter { !$0.isWhitespace && $0 != "\u{FEFF}" }) }
        return (words(line[..<colon]).lowercased(), words(line[line.index(after: colon)...]))
    }

    /// Whether the pattern stands for the path's beginning: `*` for anything, `$` at its end for the path's end.
    ///
    /// One pass that comes back to the last `*` alone, so that no pattern takes longer than its length times the path's.
    private static func matches(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
        let isAnchored = pattern.last == UInt8(ascii: "$")
        let pattern = isAnchored ? Array(pattern.dropLast()) : pattern + [UInt8(ascii: "*")]
        var (place, index) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < path.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, index)
                place += 1
            } else if place < pattern.count, pattern[place] == path[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.index + 1)
                (place, index) = (last.place + 1, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
