// SPDX-License-Identifier: MIT

/// Places in a feed's order, from 1: `1-100,200-`.
public struct PositionRanges: Sendable, Hashable {
    private let ranges: [ClosedRange<Int>]

    /// Reads ranges with commas between them: `7`, `1-100`, `200-`, `-50`; `nil` for anything else.
    public init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = Self.range(part) else { return nil }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    /// Whether a place is among them.
    func contains(_ position: Int) -> Bool { ranges.contains { $0.contains(position) } }

    /// The last place of all.
    var last: Int { ranges.map(\.upperBound).max() ?? 0 }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first, let last = ends.last, !text.isEmpty, text != "-",
            let low = first.isEmpty ? 1 : number(first), let high = last.isEmpty ? .max : number(last), low <= high
        else { return nil }
        return low...high
    }

    /// A whole number from 1 on, in digits alone.
    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
