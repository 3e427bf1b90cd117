// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A line chart over evenly spaced categories, drawn as SVG with the colours of the surrounding page.
package struct LineChart: Sendable, Hashable {
    /// A line of the chart.
    package struct Series: Sendable, Hashable {
        /// The name in the legend.
        var name: String
        /// The value for each step; `nil` for a step that was not measured.
        var values: [Double?]
        /// The confidence interval of each value; empty if unknown.
        var intervals: [ClosedRange<Double>?] = []
        /// Whether it is a constant for comparison, drawn as a dashed line without dots.
        var isReference = false
    }

    /// The title.
    var title: String
    /// The label of the horizontal axis.
    var axisLabel: String
    /// The names of the steps on the horizontal axis.
    var steps: [String]
    /// The unit of the values.
    var unit: String
    var series: [Series]
    /// Whether the vertical axis is logarithmic.
    var isLogarithmic = false

    private static let width = 720.0
    private static let height = 300.0
    private static let left = 60.0
    private static let bottom = 44.0
    private static let top = 12.0
    /// The number of line colours that the page defines.
    private static let colors = 6

    /// The SVG element, labelled for screen readers.
    var svg: String {
        let body = grid + steps.indices.map(step).joined() + series.indices.map(line).joined()
        let label = "\(title): \(unit) by \(axisLabel)"
        return """
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(label.escapedForXML)">
            \(body)<text class="unit" x="\(Int(Self.left))" y="\(Int(Self.height - 4))">\(axisLabel.escapedForXML)</text>
            </svg>
            """
    }

    /// The legend as HTML; empty for a single line.
    var legend: String {
        guard series.count > 1 else { return "" }
        let entries = series.enumerated().map { "<li class=\"c\($0 % Self.colors)\">\($1.name.escapedForXML)</li>" }
        return "<ul class=\"legend\">\(entries.joined())</ul>\n"
    }

    private var maximum: Double {
        let values = series.flatMap { $0.values.compactMap(\.self) + $0.intervals.compactMap { $0?.upperBound } }
        return ChartAxis.roundedUp(max(values.max() ?? 1, 1e-6), isLogarithmic: isLogarithmic)
    }

    private var minimum: Double {
        guard isLogarithmic else { return 0 }
        let values = series.flatMap { $0.values.compactMap(\.self) }.filter { $0 > 0 }
        return ChartAxis.powerBelow(values.min() ?? 1)
    }

    private func x(_ step: Int) -> Double {
        let available = Self.width - Self.left - 20
        return Self.left + (steps.count > 1 ? available * Double(step) / Double(steps.count - 1) : available / 2)
    }

    private func y(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? ChartAxis.decades(from: minimum, to: max(value, minimum))
                / max(1, ChartAxis.decades(from: minimum, to: maximum))
            : value / maximum
        return Self.height - Self.bottom - share * (Self.height - Self.bottom - Self.top)
    }

    private var grid: String {
        ChartAxis.marks(from: minimum, to: maximum, isLogarithmic: isLogarithmic).map { mark in
            let height = coordinate(y(mark))
            return """
                <line class="grid" x1="\(coordinate(Self.left))" x2="\(coordinate(Self.width - 20))" y1="\(height)" y2="\(height)"/>\
                <text class="mark" x="\(coordinate(Self.left - 6))" y="\(height)">\(rounded(mark))</text>

                """
        }.joined()
    }

    private func step(_ number: Int) -> String {
        "<text class=\"step\" x=\"\(coordinate(x(number)))\" y=\"\(coordinate(Self.height - Self.bottom + 18))\">"
            + "\(steps[number].escapedForXML)</text>\n"
    }

    private func line(_ number: Int) -> String {
        let one = series[number]
        let points = one.values.indices.compactMap { step in one.values[step].map { (step, $0) } }
        let path = points.map { "\(coordinate(x($0.0))),\(coordinate(y($0.1)))" }.joined(separator: " ")
        if one.isReference { return "<g class=\"c\(number % Self.colors) level\"><polyline points=\"\(path)\"/></g>\n" }
        let dots = points.map { step, value in
            """
            <circle cx="\(coordinate(x(step)))" cy="\(coordinate(y(value)))" r="3"><title>\(one.name.escapedForXML), \
            \(steps[step].escapedForXML): \(rounded(value)) \(unit.escapedForXML)</title></circle>
            """
        }.joined()
        return "<g class=\"c\(number % Self.colors)\">\(band(one))<polyline points=\"\(path)\"/>\(dots)</g>\n"
    }

    /// Draws the confidence intervals as an area under the line.
    private func band(_ one: Series) -> String {
        let ranges = one.intervals.indices.compactMap { step in one.intervals[step].map { (step, $0) } }
        guard ranges.count > 1 else { return "" }
        let upper = ranges.map { "\(coordinate(x($0.0))),\(coordinate(y($0.1.upperBound)))" }
        let lower = ranges.reversed().map { "\(coordinate(x($0.0))),\(coordinate(y($0.1.lowerBound)))" }
        return "<polygon points=\"\((upper + lower).joined(separator: " "))\"/>"
    }

    private func coordinate(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}

/// Computes round numbers for the axes of charts, without the C library's logarithm.
enum ChartAxis {
    /// The numbers that, times a power of ten, may end an axis; a quarter of each is round, too.
    private static let ends = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10]

    /// Returns the smallest round number that is at least `value`; a power of ten for a logarithmic axis.
    static func roundedUp(_ value: Double, isLogarithmic: Bool) -> Double {
        let power = powerBelow(value)
        for factor in isLogarithmic ? [1.0, 10] : ends where power * factor >= value * 0.9999 {
            return power * factor
        }
        return power * 10
    }

    /// Returns the largest power of ten that is at most `value`, which must be positive.
    static func powerBelow(_ value: Double) -> Double {
        var power = 1.0
        while power > value { power /= 10 }
        while power * 10 <= value { power *= 10 }
        return power
    }

    /// Returns the decimal logarithm of `value / least`, linearly interpolated within a decade.
    static func decades(from least: Double, to value: Double) -> Double {
        var decades = 0.0
        var reached = least
        while reached * 10 <= value {
            reached *= 10
            decades += 1
        }
        // The points between which to interpolate within a decade.
        let stops = [(1.0, 0.0), (1.5, 0.1761), (2, 0.3010), (3, 0.4771), (5, 0.6990), (7, 0.8451), (10, 1)]
        let rest = value / reached
        for (low, high) in zip(stops, stops.dropFirst()) where rest < high.0 {
            return decades + low.1 + (high.1 - low.1) * max(0, rest - low.0) / (high.0 - low.0)
        }
        return decades
    }

    /// Returns the values of the grid lines.
    static func marks(from least: Double, to most: Double, isLogarithmic: Bool) -> [Double] {
        guard isLogarithmic else { return (0...4).map { most * Double($0) / 4 } }
        var marks = [least]
        while let last = marks.last, last * 10 <= most * 1.0001 { marks.append(last * 10) }
        return marks
    }
}
