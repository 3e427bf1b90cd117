// SPDX-License-Identifier: MIT

internal import SluiceModel

extension DriftReport {
    /// The report as a page without scripts or other files, with charts by host and by age.
    public var page: String {
        let hosts = hostsByDrift
        let shown = hosts.prefix(Self.maximumHosts)
        let rest = hosts.count - shown.count
        return """
            <!doctype html>
            <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Drift</title>
            <style>
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
              color-scheme: light dark }
            table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 500 }
            td, th { padding: .2rem .5rem } td.number { text-align: right; font-variant-numeric: tabular-nums }
            svg { width: 100%; height: 1rem; display: block }
            .same { fill: #3a8f5c } .changed { fill: #d08a1d } .gone { fill: #c0443b } .failed { fill: #8a8a8a }
            </style>
            <h1>Drift</h1>
            <p>\(DriftState.allCases.map { "\(all[$0]) \($0.rawValue)" }.joined(separator: ", ")) of \(all.total) photos</p>
            <h2>By host</h2>
            \(Self.table(shown.map { ($0.host, $0.counts) }))
            \(rest > 0 ? "<p>and \(rest) more hosts</p>" : "")
            <h2>By time since the download</h2>
            \(Self.table(Age.allCases.compactMap { age in ages[age].map { (age.rawValue, $0) } }))
            </html>

            """
    }

    private static let maximumHosts = 50

    private static func table(_ rows: [(name: String, counts: Counts)]) -> String {
        let head = DriftState.allCases.map { "<th>\($0.rawValue)" }.joined()
        let lines = rows.map { name, counts in
            let numbers = DriftState.allCases.map { "<td class=number>\(counts[$0])" }.joined()
            return "<tr><th>\(escaped(name))\(numbers)<td>\(bar(counts, label: name))"
        }
        return "<table><tr><th>\(head)<th>share\n\(lines.joined(separator: "\n"))\n</table>"
    }

    /// A bar that is divided in proportion to the states.
    private static func bar(_ counts: Counts, label: String) -> String {
        var start = 0
        let parts = DriftState.allCases.map { state in
            defer { start += counts[state] }
            return "<rect class=\(state.rawValue) x=\(start) width=\(counts[state]) height=1 />"
        }
        let text = DriftState.allCases.map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", ")
        return """
            <svg viewBox="0 0 \(max(counts.total, 1)) 1" preserveAspectRatio="none" role="img" \
            aria-label="\(escaped("\(label): \(text)"))">\(parts.joined())</svg>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
