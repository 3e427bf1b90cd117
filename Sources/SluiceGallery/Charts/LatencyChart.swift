// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// A chart of durations on a logarithmic axis.
///
/// Each row has a dot at the median, a bar to the 90th percentile and a line to the 99th.
struct LatencyChart {
    let id: String
    let title: String
    let rows: [(name: String, times: Histogram)]
    /// The range of the axis, as powers of ten in seconds.
    private let powers: ClosedRange<Int>

    private static let width = 420.0
    private static let row = 24.0
    private let left = 78.0
    private let right = 408.0
    private let top = 6.0
    private var bottom: Double { top + Self.row * Double(rows.count) }

    init(id: String, title: String, rows: [(name: String, times: Histogram)]) {
        (self.id, self.title, self.rows) = (id, title, rows)
        powers = Self.powers(of: rows)
    }

    private static func powers(of rows: [(name: String, times: Histogram)]) -> ClosedRange<Int> {
        let times = rows.flatMap { [$0.times.quantile(0.5), $0.times.quantile(0.99)] }.compactMap { $0?.inSeconds }
        let least = max(times.min() ?? 1e-6, 1e-6)
        var first = 0
        var last = -5
        while first > -6, power(first) > least { first -= 1 }
        while last < 4, power(last) < times.max() ?? 1 { last += 1 }
        return first...max(first + 1, last)
    }

    var svg: HTML {
        html { html in
            html.svg(id, width: Self.width, height: bottom + 22, title: title, description: description) { svg in
                for power in powers {
                    let position = x(Self.power(power))
                    svg.line("grid", from: (position, top), to: (position, bottom))
                    svg.label(Self.label(ofPower: power), x: position, y: bottom + 16, anchor: "middle")
                }
                for (index, row) in rows.enumerated() { draw(row, y: top + Self.row * (Double(index) + 0.5), &svg) }
            }
        }
    }

    private var description: String {
        let medians = rows.compactMap { row in row.times.quantile(0.5).map { "\(row.name) \(NumberFormat.latency($0))" }
        }
        return "Medians: \(medians.joined(separator: ", "))."
    }

    private func draw(_ row: (name: String, times: Histogram), y: Double, _ svg: inout HTML) {
        svg.label(row.name, x: left - 10, y: y + 4, anchor: "end")
        guard let median = row.times.quantile(0.5), let p90 = row.times.quantile(0.9),
            let p99 = row.times.quantile(0.99)
        else { return }
        let (start, end) = (x(median.inSeconds), x(p90.inSeconds))
        svg.line("whisker", from: (start, y), to: (x(p99.inSeconds), y))
        svg.rectangle("bar", x: start, y: y - 4, width: max(2, end - start), height: 8, round: 2)
        svg.rectangle("dot", x: start - 4, y: y - 4, width: 8, height: 8, round: 4)
    }

    private func x(_ seconds: Double) -> Double {
        let position = (log10(max(seconds, 1e-6)) - Double(powers.lowerBound)) / Double(powers.count - 1)
        return left + (right - left) * min(1, max(0, position))
    }

    private static func power(_ exponent: Int) -> Double { pow(10, Double(exponent)) }

    private static func label(ofPower power: Int) -> String {
        NumberFormat.latency(.microseconds(Int64((self.power(power) * 1e6).rounded())))
    }
}
