// SPDX-License-Identifier: MIT

/// What charts are drawn with: shapes whose looks are the style sheet's, by their classes.
extension HTML {
    /// Appends ` name="number"` with one decimal place.
    mutating func attribute(_ name: StaticString, coordinate: Double) {
        attribute(name, Self.coordinate(coordinate))
    }

    /// Appends a whole picture of that size with a title and a description for who cannot see it.
    mutating func picture(
        _ id: String, width: Double, height: Double, title: String, description: String, isStretched: Bool = false,
        _ shapes: (inout HTML) -> Void
    ) {
        markup("<svg role=\"img\"")
        if isStretched { markup(" preserveAspectRatio=\"none\"") }
        attribute("viewBox", "0 0 \(Self.coordinate(width)) \(Self.coordinate(height))")
        attribute("aria-labelledby", "\(id)-title \(id)-desc")
        markup("><title")
        attribute("id", "\(id)-title")
        markup(">")
        text(title)
        markup("</title><desc")
        attribute("id", "\(id)-desc")
        markup(">")
        text(description)
        markup("</desc>")
        shapes(&self)
        markup("</svg>")
    }

    /// Appends a straight line.
    mutating func line(_ look: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)) {
        markup("<line")
        attribute("class", look)
        attribute("x1", coordinate: start.x)
        attribute("y1", coordinate: start.y)
        attribute("x2", coordinate: end.x)
        attribute("y2", coordinate: end.y)
        markup("/>")
    }

    /// Appends a rectangle.
    mutating func rectangle(_ look: String, x: Double, y: Double, width: Double, height: Double, round: Double = 0) {
        markup("<rect")
        attribute("class", look)
        attribute("x", coordinate: x)
        attribute("y", coordinate: y)
        attribute("width", coordinate: max(0, width))
        attribute("height", coordinate: max(0, height))
        if round > 0 { attribute("rx", coordinate: round) }
        markup("/>")
    }

    /// Appends a path, by its own commands.
    mutating func path(_ look: String, _ commands: String) {
        markup("<path")
        attribute("class", look)
        attribute("d", commands)
        markup("/>")
    }

    /// Appends a label; `anchor` is `start`, `middle` or `end`.
    mutating func label(_ words: String, x: Double, y: Double, anchor: String = "start") {
        markup("<text")
        attribute("x", coordinate: x)
        attribute("y", coordinate: y)
        attribute("text-anchor", anchor)
        markup(">")
        text(words)
        markup("</text>")
    }

    /// One place behind the point, and none where it says nothing: a chart has thousands of them.
    static func coordinate(_ number: Double) -> String {
        Figures.decimal(min(1e6, max(-1e6, (number * 10).rounded() / 10)))
    }
}
