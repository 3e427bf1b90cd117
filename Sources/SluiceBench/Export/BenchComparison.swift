// SPDX-License-Identifier: MIT

/// Two results of one kind, point by point.
public struct BenchComparison: Sendable {
    /// A point that both have.
    public struct Line: Sendable {
        /// The point.
        public var name: String
        /// The medians, before and after.
        public var before: Double
        /// See ``before``.
        public var after: Double
        /// What came of it.
        public var comparison: Comparison
    }

    /// The points that both have, in the order of the first.
    public let lines: [Line]
    /// What the two differ in beside their figures, a sentence each.
    public let doubts: [String]

    /// Compares `after` with `before`; they must measure the same kind of thing and share a point.
    public init(_ before: BenchFile, _ after: BenchFile) throws(BenchError) {
        guard before.kind == after.kind else {
            throw BenchError(
                .usage, "one result is of `\(before.kind)`, the other of `\(after.kind)`: they cannot be compared")
        }
        lines = before.points.compactMap { point in
            guard let other = after.points.first(where: { $0.name == point.name }) else { return nil }
            return Line(
                name: point.name, before: median(point.rates), after: median(other.rates),
                comparison: Comparison(point.rates, other.rates))
        }
        guard !lines.isEmpty else { throw BenchError(.usage, "the two results have no setting in common") }
        var doubts = Set(before.conditions.keys).union(after.conditions.keys).sorted().filter {
            before.conditions[$0] != after.conditions[$0]
        }.map { "the two were not measured with the same \($0)" }
        let fewest = (before.points + after.points).map(\.rates.count).min() ?? 0
        if fewest < 5 { doubts.append("a difference takes five samples on each side to show, and there are \(fewest)") }
        let alone = before.points.count + after.points.count - 2 * lines.count
        if alone > 0 { doubts.append("\(alone) settings are in one of the two only") }
        self.doubts = doubts
    }

    /// How many points came out so.
    public func count(_ verdict: Comparison.Verdict) -> Int { lines.count { $0.comparison.verdict == verdict } }

    /// All in one sentence.
    public var verdict: String {
        let (faster, slower) = (count(.faster), count(.slower))
        if faster + slower == 0 { return "no difference beyond the noise" }
        let all = lines.count
        return "faster: \(faster) of \(all), slower: \(slower), no difference beyond the noise: \(count(.same))"
    }
}

extension Comparison.Verdict {
    /// In words.
    public var words: String { self == .same ? "no difference beyond the noise" : rawValue }
}
