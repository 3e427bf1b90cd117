// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Results as a self-contained HTML page without scripts, in the reader's light or dark colour scheme.
struct ResultPage {
    private let report: any BenchReport

    init(_ report: any BenchReport) { self.report = report }

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(report.title.escapedForXML)</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <main>
        <h1>\(report.title.escapedForXML)</h1>
        <p>\(report.conditions.joined(separator: " ").escapedForXML)</p>
        \(list(report.findings))\(charts)<h2>Measurements</h2>
        <div class="wide" tabindex="0" role="region" aria-label="Measurements">
        \(table)</div>
        \(report.warnings.isEmpty ? "" : "<h2>Warnings</h2>\n")\(list(report.warnings))</main>
        </body>
        </html>

        """
    }

    private var charts: String {
        report.charts.map { chart in
            "<section>\n<h2>\(chart.title.escapedForXML), \(chart.unit.escapedForXML)</h2>\n\(chart.legend)\(chart.svg)\n</section>\n"
        }.joined()
    }

    private var table: String {
        func row(_ cells: [String], _ tag: String) -> String {
            let cells = cells.enumerated().map { column, cell in
                let attribute = report.table.textColumns.contains(column) ? " class=\"word\"" : ""
                return "<\(tag)\(attribute)>\(cell.escapedForXML)</\(tag)>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        let rows = report.table.rows.map { row($0, "td") }.joined()
        return "<table>\n<thead>\(row(report.table.head, "th"))</thead>\n<tbody>\n\(rows)</tbody>\n</table>\n"
    }

    private func list(_ sentences: [String]) -> String {
        guard !sentences.isEmpty else { return "" }
        return "<ul>\n" + sentences.map { "<li>\($0.escapedForXML)</li>\n" }.joined() + "</ul>\n"
    }

    private static let style = """
        :root { --back: #fff; --ink: #1a1a1a; --soft: #595959; --line: #d8d8d8;
          --c0: #0b62c4; --c1: #b3400a; --c2: #137a3a; --c3: #7a3fb0; --c4: #8a6100; --c5: #a3195b; }
        @media (prefers-color-scheme: dark) {
          :root { --back: #16181c; --ink: #e8e8e8; --soft: #a8adb5; --line: #363b44;
            --c0: #6db3ff; --c1: #ff9d6b; --c2: #6fd394; --c3: #c9a0f5; --c4: #e3bd5c; --c5: #ff8fc0; } }
        body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
        main { max-width: 56rem; margin: 0 auto; padding: 1rem; }
        h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
        svg { width: 100%; height: auto; display: block; }
        .grid { stroke: var(--line); } svg text { fill: var(--soft); font-size: 12px; }
        .mark { text-anchor: end; dominant-baseline: middle; } .step { text-anchor: middle; }
        .c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); }
        .c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
        polyline { fill: none; stroke: var(--c); stroke-width: 2; } circle { fill: var(--c); }
        .level polyline { stroke-dasharray: 6 5; }
        polygon { fill: var(--c); opacity: .18; }
        .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 0 0 .5rem; }
        .legend li::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .4em;
          border-radius: 50%; background: var(--c); }
        .wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
        th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
        .word { text-align: left; }
        """
}
