// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How long things took, one row for each: a dot for half of them, a bar for nine in ten, a line for ninety-nine in a
/// hundred, on an axis that goes by tens.
struct LatencyChart {
    let id: String
    let title: String
    let rows: [(name: String, times: Histogram)]

    private static let width = 420.0
    private static let row = 24.0
    private let left = 78.0
    private let right = 408.0
    private let top = 6.0
    private var bottom: Double { top + Self.row * Double(rows.count) }

    /// The powers of ten, in seconds, between which all lies.
    private var powers: ClosedRange<Int> {
        let times = rows.flatMap { [$0.times.quantile(0.5), $0.times.quantile(0.99)] }.compactMap { $0?.inSeconds }
        let least = max(times.min() ?? 1e-6, 1e-6)
        var first = 0
        var last = -5
        while first > -6, Self.power(first) > least { first -= 1 }
        while last < 4, Self.power(last) < times.max() ?? 1 { last += 1 }
        return first...max(first + 1, last)
    }

    var svg: HTML {
        html { html in
            html.picture(id, width: Self.width, height: bottom + 22, title: title, description: description) { svg in
                for power in powers {
                    let place = x(Self.power(power))
                    svg.line("grid", from: (place, top), to: (place, bottom))
                    svg.label(Self.name(of: power), x: place, y: bottom + 16, anchor: "middle")
                }
                for (place, row) in rows.enumerated() { draw(row, y: top + Self.row * (Double(place) + 0.5), &svg) }
            }
        }
    }

    private var description: String {
        let words = rows.compactMap { row in row.times.quantile(0.5).map { "\(row.name) \(Figures.latency($0))" } }
        return "Half of all took at most: \(words.joined(separator: ", "))."
    }

    private func draw(_ row: (name: String, times: Histogram), y: Double, _ svg: inout HTML) {
        svg.label(row.name, x: left - 10, y: y + 4, anchor: "end")
        guard let half = row.times.quantile(0.5), let most = row.times.quantile(0.9),
            let nearlyAll = row.times.quantile(0.99)
        else { return }
        let (start, end) = (x(half.inSeconds), x(most.inSeconds))
        svg.line("whisker", from: (start, y), to: (x(nearlyAll.inSeconds), y))
        svg.rectangle("bar", x: start, y: y - 4, width: max(2, end - start), height: 8, round: 2)
        svg.rectangle("dot", x: start - 4, y: y - 4, width: 8, height: 8, round: 4)
    }

    private func x(_ seconds: Double) -> Double {
        let place = (log10(max(seconds, 1e-6)) - Double(powers.lowerBound)) / Double(powers.count - 1)
        return left + (right - left) * min(1, max(0, place))
    }

    private static func power(_ exponent: Int) -> Double { pow(10, Double(exponent)) }

    private static func name(of power: Int) -> String {
        Figures.latency(.microseconds(Int64((self.power(power) * 1e6).rounded())))
    }
}
