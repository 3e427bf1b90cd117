// SPDX-License-Identifier: MIT

/// Lines over steps that stand at even distances, as SVG that takes its colours from the page around it.
public struct LineChart: Sendable, Hashable {
    /// A line.
    public struct Series: Sendable, Hashable {
        /// What it shows.
        var name: String
        /// Its values, a step each; `nil` where there is none.
        var values: [Double?]
        /// Between what each value is sure to lie; empty where that is not known.
        var spread: [ClosedRange<Double>?] = []
        /// Whether it is one value that the others are held against: a broken line without dots.
        var isLevel = false
    }

    /// What the lines show.
    var title: String
    /// What the steps are.
    var across: String
    /// The steps' names.
    var steps: [String]
    /// What the values are.
    var unit: String
    var series: [Series]
    /// Whether each line of the grid is ten times the one below.
    var isLogarithmic = false

    private static let width = 720.0
    private static let height = 300.0
    private static let left = 60.0
    private static let bottom = 44.0
    private static let top = 12.0
    /// How many colours the page has.
    private static let colors = 6

    /// The picture; its name is read aloud in its place.
    var svg: String {
        let body = grid + steps.indices.map(step).joined() + series.indices.map(line).joined()
        let label = "\(title): \(unit) by \(across)"
        return """
            <svg viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" aria-label="\(escapedHTML(label))">
            \(body)<text class="unit" x="\(Int(Self.left))" y="\(Int(Self.height - 4))">\(escapedHTML(across))</text>
            </svg>
            """
    }

    /// What the colours mean.
    var legend: String {
        guard series.count > 1 else { return "" }
        let entries = series.enumerated().map { "<li class=\"c\($0 % Self.colors)\">\(escapedHTML($1.name))</li>" }
        return "<ul class=\"legend\">\(entries.joined())</ul>\n"
    }

    private var most: Double {
        let values = series.flatMap { $0.values.compactMap(\.self) + $0.spread.compactMap { $0?.upperBound } }
        return Axis.roundedUp(max(values.max() ?? 1, 1e-6), isLogarithmic: isLogarithmic)
    }

    private var least: Double {
        guard isLogarithmic else { return 0 }
        let values = series.flatMap { $0.values.compactMap(\.self) }.filter { $0 > 0 }
        return Axis.powerBelow(values.min() ?? 1)
    }

    private func x(_ step: Int) -> Double {
        let room = Self.width - Self.left - 20
        return Self.left + (steps.count > 1 ? room * Double(step) / Double(steps.count - 1) : room / 2)
    }

    private func y(_ value: Double) -> Double {
        let share =
            isLogarithmic
            ? Axis.decades(from: least, to: max(value, least)) / max(1, Axis.decades(from: least, to: most))
            : value / most
        return Self.height - Self.bottom - share * (Self.height - Self.bottom - Self.top)
    }

    private var grid: String {
        Axis.marks(from: least, to: most, isLogarithmic: isLogarithmic).map { mark in
            let height = place(y(mark))
            return """
                <line class="grid" x1="\(place(Self.left))" x2="\(place(Self.width - 20))" y1="\(height)" y2="\(height)"/>\
                <text class="mark" x="\(place(Self.left - 6))" y="\(height)">\(rounded(mark))</text>

                """
        }.joined()
    }

    private func step(_ number: Int) -> String {
        "<text class=\"step\" x=\"\(place(x(number)))\" y=\"\(place(Self.height - Self.bottom + 18))\">"
            + "\(escapedHTML(steps[number]))</text>\n"
    }

    private func line(_ number: Int) -> String {
        let one = series[number]
        let points = one.values.indices.compactMap { step in one.values[step].map { (step, $0) } }
        let path = points.map { "\(place(x($0.0))),\(place(y($0.1)))" }.joined(separator: " ")
        if one.isLevel { return "<g class=\"c\(number % Self.colors) level\"><polyline points=\"\(path)\"/></g>\n" }
        let dots = points.map { step, value in
            """
            <circle cx="\(place(x(step)))" cy="\(place(y(value)))" r="3"><title>\(escapedHTML(one.name)), \
            \(escapedHTML(steps[step])): \(rounded(value)) \(escapedHTML(unit))</title></circle>
            """
        }.joined()
        return "<g class=\"c\(number % Self.colors)\">\(band(one))<polyline points=\"\(path)\"/>\(dots)</g>\n"
    }

    /// The spread as an area behind the line.
    private func band(_ one: Series) -> String {
        let ranges = one.spread.indices.compactMap { step in one.spread[step].map { (step, $0) } }
        guard ranges.count > 1 else { return "" }
        let upper = ranges.map { "\(place(x($0.0))),\(place(y($0.1.upperBound)))" }
        let lower = ranges.reversed().map { "\(place(x($0.0))),\(place(y($0.1.lowerBound)))" }
        return "<polygon points=\"\((upper + lower).joined(separator: " "))\"/>"
    }

    private func place(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}

/// The text as it may stand in a page.
func escapedHTML(_ text: String) -> String {
    text.replacing("&", "&amp;").replacing("<", "&lt;").replacing(">", "&gt;").replacing("\"", "&quot;")
}
