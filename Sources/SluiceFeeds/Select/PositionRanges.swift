// SPDX-License-Identifier: MIT

/// Positions in a feed's order, counted from 1, such as `1-100,200-`.
public struct PositionRanges: Sendable, Hashable {
    private let ranges: [ClosedRange<Int>]

    /// Parses ranges separated by commas, such as `7`, `1-100`, `200-` and `-50`; `nil` if the text is invalid.
    public init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Whether any range contains the position.
    func contains(_ position: Int) -> Bool { ranges.contains { $0.contains(position) } }

    /// The last position of all ranges.
    var last: Int { ranges.map(\.upperBound).max() ?? 0 }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, !text.isEmpty, text != "-",
            let low = first.isEmpty ? 1 : number(first), let high = last.isEmpty ? .max : number(last), low <= high
        else { return nil }
        return low...high
    }

    /// Parses a positive number that consists of digits only.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
