// SPDX-License-Identifier: MIT

/// A pattern for the beginning of paths, as in `robots.txt`: `*` matches any text, and a final `$` the path's end.
struct RulePattern: Sendable, Hashable {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    /// The length, by which the more specific of two patterns is longer.
    var count: Int { bytes.count }
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
