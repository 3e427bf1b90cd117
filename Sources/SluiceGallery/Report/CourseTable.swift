// SPDX-License-Identifier: MIT

/// A chart's numbers for who would rather read: a row for each span, or for several together where they are many.
struct CourseTable {
    private static let mostRows = 24

    let title: String
    let edges: [Double]
    let lines: [TimeChart.Line]

    var html: HTML {
        SluiceGallery.html { html in
            html.markup("<details><summary>Numbers</summary><table><caption>")
            html.text(title)
            html.markup("</caption><thead><tr><th scope=\"col\">from</th>")
            for line in lines { html.cell(line.name, "th", scope: "col") }
            html.markup("</tr></thead><tbody>")
            let count = edges.count - 1
            let step = max(1, (count + Self.mostRows - 1) / Self.mostRows)
            for begin in stride(from: 0, to: count, by: step) {
                html.markup("<tr>")
                html.cell(Figures.time(edges[begin]), "th", scope: "row")
                for line in lines { html.cell(Figures.decimal(mean(line, begin..<min(begin + step, count)))) }
                html.markup("</tr>")
            }
            html.markup("</tbody></table></details>")
        }
    }

    private func mean(_ line: TimeChart.Line, _ spans: Range<Int>) -> Double {
        let length = edges[spans.upperBound] - edges[spans.lowerBound]
        let sum = spans.reduce(0) { $0 + line.values[$1] * (edges[$1 + 1] - edges[$1]) }
        return length > 0 ? sum / length : 0
    }
}

extension HTML {
    /// Appends a cell of a table.
    mutating func cell(_ words: String, _ element: StaticString = "td", scope: String? = nil) {
        markup("<")
        markup(element)
        attribute("scope", scope)
        markup("><bdi>")
        text(words)
        markup("</bdi></")
        markup(element)
        markup(">")
    }
}
