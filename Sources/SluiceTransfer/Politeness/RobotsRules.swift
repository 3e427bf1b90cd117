// SPDX-License-Identifier: MIT

/// The rules of a `robots.txt` file (RFC 9309) for one user agent.
struct RobotsRules: Hashable {
    /// One `allow` or `disallow` line; the rule with the longest matching pattern applies.
    private struct Rule: Hashable {
        var allows: Bool
        var pattern: [UInt8]
    }

    /// The number of bytes that are read; RFC 9309 requires at least this many.
    private static let maxBytes = 500 << 10

    private var rules: [Rule] = []

    /// The rules of a host without the file.
    static let allowingAll = RobotsRules()
    private init() {}

    /// Parses the groups for `agent`, and falls back to those for `*`.
    init(_ text: [UInt8], agent: String) {
        // Only two groups matter. Copying rules to all names would need much memory for a file with many names.
        let agent = agent.lowercased()
        var own: [Rule]?
        var general: [Rule] = []
        var (isOwn, isGeneral, isInRules) = (false, false, false)
        for line in text.prefix(Self.maxBytes).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let (key, value) = Self.parse(String(decoding: line, as: UTF8.self)) else { continue }
            switch key {
            case "user-agent":
                if isInRules { (isOwn, isGeneral, isInRules) = (false, false, false) }
                if value == "*" { isGeneral = true }
                if value.lowercased() == agent {
                    isOwn = true
                    own = own ?? []
                }
            case "allow", "disallow":
                isInRules = true
                // An empty pattern matches nothing.
                guard !value.isEmpty else { continue }
                let rule = Rule(allows: key == "allow", pattern: Array(value.utf8))
                if isOwn { own?.append(rule) }
                if isGeneral { general.append(rule) }
            default: break
            }
        }
        rules = own ?? general
    }

    /// Returns whether the path, including its query, may be fetched.
    func allows(_ path: String) -> Bool {
        let path = Array(path.utf8)
        guard path != Array("/robots.txt".utf8) else { return true }
        let matching = rules.filter { Self.matches($0.pattern, path) }
        let best = matching.max { ($0.pattern.count, $0.allows ? 1 : 0) < ($1.pattern.count, $1.allows ? 1 : 0) }
        return best?.allows ?? true
    }

    /// Splits a line: `Disallow: /private # comment` becomes `disallow` and `/private`.
    private static func parse(_ line: String) -> (String, String)? {
        let line = line.prefix { $0 != "#" }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let removeBlanks = { (text: Substring) in String(text.filter { !$0.isWhitespace && $0 != "\u{FEFF}" }) }
        return (removeBlanks(line[..<colon]).lowercased(), removeBlanks(line[line.index(after: colon)...]))
    }

    /// Returns whether the pattern matches a prefix of the path; `*` matches any text, and a final `$` the path's end.
    ///
    /// It backtracks only to the last `*`, so the time is at most the pattern's length times the path's.
    private static func matches(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
        let isAnchored = pattern.last == UInt8(ascii: "$")
        let pattern = isAnchored ? Array(pattern.dropLast()) : pattern + [UInt8(ascii: "*")]
        var (position, index) = (0, 0)
        var star: (position: Int, index: Int)?
        while index < path.count {
            if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
                star = (position, index)
                position += 1
            } else if position < pattern.count, pattern[position] == path[index] {
                position += 1
                index += 1
            } else if let last = star {
                star = (last.position, last.index + 1)
                (position, index) = (last.position + 1, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
