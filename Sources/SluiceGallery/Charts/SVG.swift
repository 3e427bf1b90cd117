// SPDX-License-Identifier: MIT

/// Shapes for charts. The style sheet sets their appearance by CSS class.
extension HTML {
    /// Appends ` name="number"` with one decimal place.
    mutating func attribute(_ name: StaticString, coordinate: Double) {
        attribute(name, Self.coordinate(coordinate))
    }

    /// Appends an SVG image with a title and a description for screen readers.
    mutating func svg(
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

    mutating func line(_ cssClass: String, from start: (x: Double, y: Double), to end: (x: Double, y: Double)) {
        markup("<line")
        attribute("class", cssClass)
        attribute("x1", coordinate: start.x)
        attribute("y1", coordinate: start.y)
        attribute("x2", coordinate: end.x)
        attribute("y2", coordinate: end.y)
        markup("/>")
    }

    mutating func rectangle(_ cssClass: String, x: Double, y: Double, width: Double, height: Double, round: Double = 0)
    {
        markup("<rect")
        attribute("class", cssClass)
        attribute("x", coordinate: x)
        attribute("y", coordinate: y)
        attribute("width", coordinate: max(0, width))
        attribute("height", coordinate: max(0, height))
        if round > 0 { attribute("rx", coordinate: round) }
        markup("/>")
    }

    mutating func path(_ cssClass: String, _ commands: String) {
        markup("<path")
        attribute("class", cssClass)
        attribute("d", commands)
        markup("/>")
    }

    /// Appends a label; `anchor` is `start`, `middle` or `end`.
    mutating func label(_ content: String, x: Double, y: Double, anchor: String = "start") {
        markup("<text")
        attribute("x", coordinate: x)
        attribute("y", coordinate: y)
        attribute("text-anchor", anchor)
        markup(">")
        text(content)
        markup("</text>")
    }

    /// A coordinate with at most one decimal place: a chart has thousands of them.
    static func coordinate(_ number: Double) -> String {
        NumberFormat.decimal(min(1e6, max(-1e6, (number * 10).rounded() / 10)))
    }
}

/// A bar divided into the parts of a whole, with a legend.
struct StackedBar {
    /// A part of the whole.
    struct Share {
        var name: String
        /// The CSS class that sets the colour.
        var cssClass: String
        var value: Double
    }

    let id: String
    let title: String
    let shares: [Share]
    let whole: Double

    private static let width = 420.0

    var html: HTML {
        SluiceGallery.html { html in
            guard !shares.isEmpty, whole > 0 else { return }
            html.markup("<div class=\"shares\">")
            let description = shares.map(label).joined(separator: ", ")
            html.svg(id, width: Self.width, height: 10, title: title, description: description, isStretched: true) {
                svg in
                svg.rectangle("empty", x: 0, y: 0, width: Self.width, height: 10)
                var start = 0.0
                for share in shares {
                    let width = Self.width * min(1, share.value / whole)
                    svg.rectangle(
                        "share \(share.cssClass)", x: start, y: 0, width: min(width, Self.width - start), height: 10)
                    start += width
                }
            }
            html.legend(shares.map { (label(for: $0), $0.cssClass) })
            html.markup("</div>")
        }
    }

    private func label(for share: Share) -> String { "\(share.name) \(NumberFormat.percent(share.value / whole))" }
}
