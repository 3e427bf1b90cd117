// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A chart of values over time, with an optional strip of states below.
///
/// The first line is filled as an area.
struct TimeChart {
    /// The values of one quantity, one for each interval.
    struct Line {
        var name: String
        /// The CSS class that sets the colour.
        var cssClass: String
        var values: [Double]
    }

    let id: String
    let title: String
    let unit: String
    /// The start of each interval and the end of the last one, in seconds.
    let edges: [Double]
    let lines: [Line]
    /// The CSS class of each interval in the strip; empty for no strip.
    var strip: [String?] = []

    private static let width = 420.0
    private static let height = 190.0
    private let left = 44.0
    private let right = 412.0
    private let top = 14.0
    private let bottom = 152.0

    private var scale: AxisScale { AxisScale(upTo: lines.flatMap(\.values).max() ?? 1) }
    private var end: Double { max(edges.last ?? 1, 0.001) }

    var svg: HTML {
        html { html in
            html.svg(id, width: Self.width, height: Self.height, title: title, description: description) { svg in
                drawAxes(&svg)
                for (index, line) in lines.enumerated() { draw(line, isFirst: index == 0, &svg) }
                drawStrip(&svg)
            }
        }
    }

    private var description: String {
        let parts = lines.map { line in
            let intervals = zip(line.values, zip(edges, edges.dropFirst()))
            let sum = intervals.reduce(0) { $0 + $1.0 * ($1.1.1 - $1.1.0) }
            let maximum = line.values.max() ?? 0
            return
                "\(line.name): \(NumberFormat.decimal(sum / end)) \(unit) on average, \(NumberFormat.decimal(maximum)) at most"
        }
        return "Over \(NumberFormat.time(end)). " + parts.joined(separator: "; ") + "."
    }

    private func drawAxes(_ svg: inout HTML) {
        svg.label(unit, x: left - 38, y: top - 4)
        for tick in scale.ticks {
            svg.line(tick == 0 ? "axis" : "grid", from: (left, y(tick)), to: (right, y(tick)))
            // The unit is printed in the position of the topmost label.
            if y(tick) > top + 8 { svg.label(NumberFormat.decimal(tick), x: left - 6, y: y(tick) + 4, anchor: "end") }
        }
        for tick in AxisScale(seconds: end).ticks {
            svg.line("axis", from: (x(tick), bottom), to: (x(tick), bottom + 4))
            svg.label(NumberFormat.time(tick), x: x(tick), y: bottom + 34, anchor: tick == 0 ? "start" : "middle")
        }
    }

    private func draw(_ line: Line, isFirst: Bool, _ svg: inout HTML) {
        guard !line.values.isEmpty else { return }
        var path = "M\(HTML.coordinate(x(edges[0]))) \(HTML.coordinate(y(line.values[0])))"
        for (index, value) in line.values.enumerated() {
            path += "V\(HTML.coordinate(y(value)))H\(HTML.coordinate(x(edges[index + 1])))"
        }
        if isFirst {
            svg.path("fill \(line.cssClass)", "\(path)V\(HTML.coordinate(bottom))H\(HTML.coordinate(left))Z")
        }
        svg.path("line \(line.cssClass)", path)
    }

    /// Draws the strip; adjacent intervals with the same class become one rectangle.
    private func drawStrip(_ svg: inout HTML) {
        var begin = 0
        for index in strip.indices where index + 1 == strip.count || strip[index + 1] != strip[index] {
            let (start, stop) = (x(edges[begin]), x(edges[index + 1]))
            begin = index + 1
            guard let cssClass = strip[index] else { continue }
            svg.rectangle("share \(cssClass)", x: start, y: bottom + 8, width: stop - start, height: 7)
        }
    }

    private func x(_ time: Double) -> Double { left + (right - left) * min(1, time / end) }

    private func y(_ value: Double) -> Double { bottom - (bottom - top) * min(1, value / scale.end) }
}

/// The ticks of a chart's axis.
struct AxisScale {
    /// The values of the ticks, starting with 0.
    let ticks: [Double]
    /// The value of the last tick.
    var end: Double { ticks.last ?? 1 }

    /// Ticks at round numbers (1, 2 or 5 times a power of ten), up to the first that is at least `maximum`.
    init(upTo maximum: Double, steps: Int = 4) {
        let maximum = maximum.isFinite && maximum > 0 ? maximum : 1
        var power = 1.0
        while power * 10 * Double(steps) < maximum { power *= 10 }
        while power * Double(steps) > maximum * 10 { power /= 10 }
        let step =
            [0.1, 0.2, 0.5, 1, 2, 5, 10].map { $0 * power }.first { $0 * Double(steps) >= maximum } ?? power * 10
        ticks = Self.ticks(step, upTo: maximum)
    }

    /// Ticks at round times, up to the last that is at most `maximum` seconds.
    init(seconds maximum: Double, steps: Int = 5) {
        let wanted = maximum / Double(steps)
        let roundTimes: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200,
        ]
        let step = roundTimes.first { $0 >= wanted } ?? (wanted / 86400).rounded(.up) * 86400
        ticks = Self.ticks(step, upTo: maximum).filter { $0 <= maximum }
    }

    private static func ticks(_ step: Double, upTo maximum: Double) -> [Double] {
        // Multiply instead of adding, to avoid rounding errors.
        (0...max(1, Int(rounding: maximum / step - 1e-9, .up))).map { Double($0) * step }
    }
}
