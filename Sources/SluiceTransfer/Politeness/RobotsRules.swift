// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rules of a `robots.txt` file (RFC 9309) for one user agent.
struct RobotsRules: OriginRules, Hashable {
    /// One `allow` or `disallow` line; the rule with the longest matching pattern applies.
    private struct Rule: Hashable {
        var allows: Bool
        var pattern: RulePattern
    }

    /// The number of bytes that are read; RFC 9309 requires at least this many.
    private static let maxBytes = 500 << 10

    /// A line about the use of the pages, perhaps only of those whose path matches.
    private struct Usage: Hashable {
        var statement: UsageTerms.Statement
        var pattern: RulePattern
    }

    /// The lines about the use: of the IETF's AI preferences (draft-ietf-aipref-attach), Cloudflare's content signals
    /// and Really Simple Licensing.
    private static let usageKeys: Set<String> = ["content-usage", "content-signal", "license"]

    private var rules: [Rule] = []
    private var usage: [Usage] = []

    var memory: Int {
        rules.reduce(0) { $0 + $1.pattern.memory } + usage.reduce(0) { $0 + $1.pattern.memory + $1.statement.memory }
    }

    /// The rules of a host without the file.
    static let allowingAll = RobotsRules()
    private init() {}

    /// Parses the groups for `agent`, and falls back to those for `*`.
    init(_ text: [UInt8], agent: String) {
        // Only two groups matter. Copying rules to all names would need much memory for a file with many names.
        let agent = agent.lowercased()
        var own: [Rule]?
        var general: [Rule] = []
        var (ownUsage, generalUsage): ([Usage], [Usage]) = ([], [])
        var (isOwn, isGeneral, isInRules) = (false, false, false)
        for line in text.prefix(Self.maxBytes).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let (key, value) = Self.parse(line) else { continue }
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
                let rule = Rule(allows: key == "allow", pattern: RulePattern(value))
                if isOwn { own?.append(rule) }
                if isGeneral { general.append(rule) }
            case _ where Self.usageKeys.contains(key):
                let usage = Self.usage(key, in: String(decoding: line, as: UTF8.self))
                if key != "license" { isInRules = true }
                // A licence outside of groups applies to all.
                if isOwn { ownUsage.append(usage) }
                if isGeneral || key == "license" && !isOwn { generalUsage.append(usage) }
            default: break
            }
        }
        rules = own ?? general
        usage = own == nil ? generalUsage : ownUsage
    }

    /// Returns the statements about the use of a path: lines without a path, and those with the longest that matches.
    func statements(about path: String) -> [UsageTerms.Statement] {
        guard !usage.isEmpty else { return [] }
        let path = Array(path.utf8)
        let matching = usage.filter { $0.pattern.isEmpty || $0.pattern.matches(path) }
        return Self.usageKeys.sorted().flatMap { key in
            let lines = matching.filter { $0.statement.name == UsageTerms.Statement.robots + key }
            let longest = lines.map(\.pattern.count).max()
            return lines.filter { $0.pattern.count == longest }.map(\.statement)
        }
    }

    /// Reads a line about the use; its value may begin with a path.
    private static func usage(_ key: String, in line: String) -> Usage {
        let value = line.prefix { $0 != "#" }.drop { $0 != ":" }.dropFirst().trimmed
        let words = value.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        let hasPath = words.count == 2 && words[0].hasPrefix("/") && key != "license"
        return Usage(
            statement: UsageTerms.Statement(UsageTerms.Statement.robots + key, hasPath ? String(words[1]) : value),
            pattern: RulePattern(hasPath ? words[0] : ""))
    }

    /// Returns whether the path, including its query, may be fetched.
    func allows(_ path: String) -> Bool {
        guard !rules.isEmpty else { return true }
        let path = Array(path.utf8)
        guard path != Array("/robots.txt".utf8) else { return true }
        let matching = rules.filter { $0.pattern.matches(path) }
        let best = matching.max { ($0.pattern.count, $0.allows ? 1 : 0) < ($1.pattern.count, $1.allows ? 1 : 0) }
        return best?.allows ?? true
    }

    /// The longest beginning of a line that may be a key, with blanks around it.
    private static let maxKeyBytes = 64

    /// Splits a line: `Disallow: /private # comment` becomes `disallow` and `/private`.
    ///
    /// A file that is no text may be one long line, so the key is searched for before anything is decoded.
    private static func parse(_ line: ArraySlice<UInt8>) -> (String, String)? {
        guard let colon = line.prefix(maxKeyBytes).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        guard !line[..<colon].contains(UInt8(ascii: "#")) else { return nil }
        let removeBlanks = { (bytes: ArraySlice<UInt8>) in
            String(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace && $0 != "\u{FEFF}" })
        }
        let key = removeBlanks(line[..<colon]).lowercased()
        guard ["user-agent", "allow", "disallow"].contains(key) || usageKeys.contains(key) else { return nil }
        return (key, removeBlanks(line[(colon + 1)...].prefix { $0 != UInt8(ascii: "#") }))
    }
}

extension UsageTerms.Statement {
    /// The size in memory, roughly.
    var memory: Int { name.utf8.count + value.utf8.count + 64 }
}

/// A pattern for the beginning of paths, as in `robots.txt`: `*` matches any text, and a final `$` the path's end.
struct RulePattern: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The length, by which the more specific of two patterns is longer.
    var count: Int { bytes.count }
    /// The size in memory, roughly.
    var memory: Int { count + 64 }
    /// Whether the pattern has no characters.
    var isEmpty: Bool { bytes.isEmpty }

    /// Returns whether the pattern matches a prefix of the path.
    ///
    /// It backtracks only to the last `*`, so the time is at most the pattern's length times the path's.
    func matches(_ path: [UInt8]) -> Bool {
        let isAnchored = bytes.last == UInt8(ascii: "$")
        let pattern = isAnchored ? Array(bytes.dropLast()) : bytes + [UInt8(ascii: "*")]
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
