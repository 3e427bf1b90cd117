// SPDX-License-Identifier: MIT

/// The numbers of a time chart as a table, with at most 24 rows: longer timelines are averaged.
struct TimelineTable {
    private static let maxRows = 24

    let title: String
    let edges: [Double]
    let lines: [TimeChart.Line]

    var html: HTML {
        SluiceGallery.html { html in
            html.markup("<details><summary>Numbers</summary><table><caption>")
            html.text(title)
            html.markup("</caption><thead><tr><th scope=\"col\">start</th>")
            for line in lines { html.cell(line.name, "th", scope: "col") }
            html.markup("</tr></thead><tbody>")
            let count = edges.count - 1
            let step = max(1, (count + Self.maxRows - 1) / Self.maxRows)
            for begin in stride(from: 0, to: count, by: step) {
                html.markup("<tr>")
                html.cell(NumberFormat.time(edges[begin]), "th", scope: "row")
                for line in lines { html.cell(NumberFormat.decimal(mean(line, begin..<min(begin + step, count)))) }
                html.markup("</tr>")
            }
            html.markup("</tbody></table></details>")
        }
    }

    /// The time-weighted mean of a line over some intervals.
    private func mean(_ line: TimeChart.Line, _ intervals: Range<Int>) -> Double {
        let length = edges[intervals.upperBound] - edges[intervals.lowerBound]
        let sum = intervals.reduce(0) { $0 + line.values[$1] * (edges[$1 + 1] - edges[$1]) }
        return length > 0 ? sum / length : 0
    }
}

extension HTML {
    /// Appends a cell of a table.
    mutating func cell(_ content: String, _ element: StaticString = "td", scope: String? = nil) {
        markup("<")
        markup(element)
        attribute("scope", scope)
        markup("><bdi>")
        text(content)
        markup("</bdi></")
        markup(element)
        markup(">")
    }
}
