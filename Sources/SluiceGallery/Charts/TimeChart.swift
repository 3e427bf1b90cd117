// SPDX-License-Identifier: MIT

/// How some numbers went over time: an area for the first, a line for each other, and a strip of states below.
struct TimeChart {
    /// A number's course, by spans of time.
    struct Line {
        var name: String
        /// The colour's place in the style sheet.
        var look: String
        var values: [Double]
    }

    let id: String
    let title: String
    /// What the numbers are.
    let unit: String
    /// Where each span begins, and where the last one ends, in seconds.
    let edges: [Double]
    let lines: [Line]
    /// A look for each span, if there is a strip.
    var strip: [String?] = []

    private static let width = 420.0
    private static let height = 190.0
    private let left = 44.0
    private let right = 412.0
    private let top = 14.0
    private let bottom = 152.0

    private var scale: Scale { Scale(upTo: lines.flatMap(\.values).max() ?? 1) }
    private var end: Double { max(edges.last ?? 1, 0.001) }

    var svg: HTML {
        html { html in
            html.picture(id, width: Self.width, height: Self.height, title: title, description: description) { svg in
                drawAxes(&svg)
                for (place, line) in lines.enumerated() { draw(line, isFirst: place == 0, &svg) }
                drawStrip(&svg)
            }
        }
    }

    private var description: String {
        let words = lines.map { line in
            let spans = zip(line.values, zip(edges, edges.dropFirst()))
            let sum = spans.reduce(0) { $0 + $1.0 * ($1.1.1 - $1.1.0) }
            let most = line.values.max() ?? 0
            return "\(line.name): \(Figures.decimal(sum / end)) \(unit) on average, \(Figures.decimal(most)) at most"
        }
        return "Over \(Figures.time(end)). " + words.joined(separator: "; ") + "."
    }

    private func drawAxes(_ svg: inout HTML) {
        svg.label(unit, x: left - 38, y: top - 4)
        for tick in scale.ticks {
            svg.line(tick == 0 ? "axis" : "grid", from: (left, y(tick)), to: (right, y(tick)))
            // The unit stands where the topmost number would.
            if y(tick) > top + 8 { svg.label(Figures.decimal(tick), x: left - 6, y: y(tick) + 4, anchor: "end") }
        }
        for tick in Scale(seconds: end).ticks {
            svg.line("axis", from: (x(tick), bottom), to: (x(tick), bottom + 4))
            svg.label(Figures.time(tick), x: x(tick), y: bottom + 34, anchor: tick == 0 ? "start" : "middle")
        }
    }

    private func draw(_ line: Line, isFirst: Bool, _ svg: inout HTML) {
        guard !line.values.isEmpty else { return }
        var path = "M\(HTML.coordinate(x(edges[0]))) \(HTML.coordinate(y(line.values[0])))"
        for (place, value) in line.values.enumerated() {
            path += "V\(HTML.coordinate(y(value)))H\(HTML.coordinate(x(edges[place + 1])))"
        }
        if isFirst {
            svg.path("fill \(line.look)", "\(path)V\(HTML.coordinate(bottom))H\(HTML.coordinate(left))Z")
        }
        svg.path("line \(line.look)", path)
    }

    /// Spans that look alike are one piece.
    private func drawStrip(_ svg: inout HTML) {
        var begin = 0
        for place in strip.indices where place + 1 == strip.count || strip[place + 1] != strip[place] {
            let (start, stop) = (x(edges[begin]), x(edges[place + 1]))
            begin = place + 1
            guard let look = strip[place] else { continue }
            svg.rectangle("share \(look)", x: start, y: bottom + 8, width: stop - start, height: 7)
        }
    }

    private func x(_ time: Double) -> Double { left + (right - left) * min(1, time / end) }

    private func y(_ value: Double) -> Double { bottom - (bottom - top) * min(1, value / scale.end) }
}
