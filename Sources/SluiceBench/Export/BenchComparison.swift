// SPDX-License-Identifier: MIT

/// Compares two results of the same kind, point by point.
package struct BenchComparison: Sendable {
    /// The comparison of a point that both results have.
    package struct Line: Sendable {
        package var name: String
        package var before: Double
        package var after: Double
        package var comparison: Comparison
    }

    /// The points that both results have, in the order of the first.
    package let lines: [Line]
    /// Warnings about different conditions, too few samples and missing points.
    package let warnings: [String]

    /// Compares `after` with `before`; they must measure the same kind of thing and share a point.
    package init(_ before: BenchResultFile, _ after: BenchResultFile) throws(BenchError) {
        guard before.kind == after.kind else {
            throw BenchError(
                .usage, "cannot compare the results: one is of '\(before.kind)', the other of '\(after.kind)'")
        }
        lines = before.points.compactMap { point in
            guard let other = after.points.first(where: { $0.name == point.name }) else { return nil }
            return Line(
                name: point.name, before: median(point.rates), after: median(other.rates),
                comparison: Comparison(point.rates, other.rates))
        }
        guard !lines.isEmpty else {
            throw BenchError(.usage, "cannot compare the results: they have no setting in common")
        }
        var warnings = Set(before.conditions.keys).union(after.conditions.keys).sorted().filter {
            before.conditions[$0] != after.conditions[$0]
        }.map { "the results differ in their \($0)" }
        let fewest = (before.points + after.points).map(\.rates.count).min() ?? 0
        if fewest < 5 {
            warnings.append("a significant difference needs at least 5 samples per setting; there are \(fewest)")
        }
        let unmatched = before.points.count + after.points.count - 2 * lines.count
        if unmatched > 0 { warnings.append("\(unmatched) settings are in only one of the results") }
        self.warnings = warnings
    }

    /// Returns the number of points with a verdict.
    package func count(_ verdict: Comparison.Verdict) -> Int { lines.count { $0.comparison.verdict == verdict } }

    /// The summary of all points in one line.
    package var verdict: String {
        let (faster, slower) = (count(.faster), count(.slower))
        if faster + slower == 0 { return "no significant difference" }
        let all = lines.count
        return "faster: \(faster) of \(all), slower: \(slower), no significant difference: \(count(.same))"
    }
}

extension Comparison.Verdict {
    package var displayName: String { self == .same ? "no significant difference" : rawValue }
}
