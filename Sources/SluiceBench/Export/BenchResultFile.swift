// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Benchmark results that were exported as JSON, with the parts that a comparison needs.
package struct BenchResultFile: Sendable {
    /// The kind of benchmark: `loader`, or that of an older version.
    let kind: String
    /// The machine and the other conditions, as stored in the file.
    let conditions: [String: JSON]
    let points: [(name: String, rates: [Double])]

    /// Reads a file written by ``LoaderReport/export(as:to:)``.
    package init(_ path: String) throws(BenchError) {
        try self.init(Self.bytes(of: path), from: path)
    }

    init(_ bytes: [UInt8], from path: String) throws(BenchError) {
        let json = try Self.parsed(bytes, from: path)
        guard json["schema"]?.integer == 1, let kind = json["kind"]?.text, let points = json["points"]?.elements else {
            throw BenchError(
                .usage, "cannot read results from '\(path)': not the results of a benchmark", hint: .exportResults)
        }
        self.kind = kind
        conditions = ["host", "origin", "addresses"].reduce(into: [:]) { $0[$1] = json[$1] }
        self.points = points.compactMap { point in
            guard let name = point["name"]?.text, let rates = point["rates"]?.elements else { return nil }
            return (name, rates.compactMap(\.double))
        }
    }

    private static func parsed(_ bytes: [UInt8], from path: String) throws(BenchError) -> JSON {
        do throws(InvalidText) {
            return try JSON(parsing: bytes)
        } catch {
            throw BenchError(.usage, "cannot read results from '\(path)': not JSON: \(error)")
        }
    }

    private static func bytes(of path: String) throws(BenchError) -> [UInt8] {
        do throws(FileError) {
            var file = try InputFile(path)
            return try file.readRest(limit: .max)
        } catch {
            throw BenchError(.usage, "\(error)")
        }
    }
}

/// Results as rows of text, independent of the output format.
package struct ResultTable: Sendable, Hashable {
    package var head: [String]
    /// The cells of each point, without units.
    package var rows: [[String]]
    /// The share of the best rate of each point, shown as a bar after ``barColumn``.
    package var shares: [Double]
    /// The index of the column that the bars belong to.
    package var barColumn: Int
    /// The indices of the columns that contain text instead of numbers.
    package var textColumns: Set<Int>
    /// The indices of the columns that a terminal need not show if all their cells are zero.
    package var optionalColumns: Set<Int> = []
}

/// Formats a ratio with two decimals.
func hundredths(_ ratio: Double) -> String {
    guard ratio.isFinite, abs(ratio) < 1e13 else { return "0" }
    let whole = Int((abs(ratio) * 100).rounded())
    return "\(ratio < 0 ? "-" : "")\(whole / 100)." + "\(whole % 100)".zeroPadded(to: 2)
}

/// Formats a share as a percentage with as many decimals as it needs, up to two.
func percent(_ share: Double) -> String {
    let text = hundredths(share * 100)
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed()) + "%"
}

/// Formats a number with two decimals below 1, one below 100, and none above.
func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "0" }
    let places = abs(number) >= 99.95 ? 0 : abs(number) >= 0.995 || number == 0 ? 1 : 2
    let scale = [1, 10, 100][places]
    let whole = Int((number * Double(scale)).rounded())
    guard places > 0 else { return "\(whole)" }
    let fraction = "\(abs(whole) % scale)"
    let sign = whole < 0 ? "-" : ""
    return "\(sign)\(abs(whole) / scale)." + fraction.zeroPadded(to: places)
}

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
