// SPDX-License-Identifier: MIT

internal import SluiceBench

/// A sweep's results for a terminal: a line for each point with a small bar, then what follows from them.
struct LoaderTable {
    private let report: LoaderReport
    private let style: Style

    init(_ report: LoaderReport, style: Style) {
        self.report = report
        self.style = style
    }

    private static let head = [
        "at once", "images/s", "±", "", "MB/s", "p50 ms", "p99 ms", "CPU", "memory", "retries", "failed", "limited by",
    ]

    /// The table, and below it the knees and the best setting.
    var lines: [String] {
        let rows = report.points.map(cells)
        let widths = Self.head.indices.map { column in
            ([Self.head] + rows).map { columnCount($0[column]) }.max() ?? 0
        }
        let table = [Self.head.map { $0 }] + rows
        let lines = table.enumerated().map { number, cells in
            let text = cells.indices.map { column in
                padded(cells[column], to: widths[column], isLeft: [0, 3, 11].contains(column))
            }.joined(separator: "  ").trimmed
            return number == 0 ? style.paint(text, .dim) : text
        }
        return lines + conclusions
    }

    private var conclusions: [String] {
        var lines: [String] = []
        for curve in report.curves {
            guard let knee = report.knee(of: curve) else { continue }
            lines.append("knee: \(label(knee)), the first with nine tenths of the best rate")
        }
        if let best = report.best, report.points.count > 1 {
            lines.append(
                style.paint("best: \(label(best)), the narrowest that cannot be told from the fastest", .green))
        }
        return lines
    }

    private func label(_ place: Int) -> String {
        report.points[place].setting.label(among: report.points.map(\.setting))
    }

    private func cells(_ point: LoaderPoint) -> [String] {
        let rate = point.rate
        let most = report.points.map(\.rate.median).max() ?? 0
        let use = report.use(of: point)
        return [
            point.setting.label(among: report.points.map(\.setting)),
            decimal(rate.median), decimal((rate.high - rate.low) / 2),
            bar(most > 0 ? rate.median / most : 0), decimal(point.megabytes.median),
            decimal(point.middle(\.latency.p50)), decimal(point.middle(\.latency.p99)),
            "\(Int((use.loaderCPU * Double(report.host.cores) * 100).rounded()))%",
            byteText(Int(point.middle { Double($0.memory) })), decimal(point.middle { Double($0.retries) }),
            decimal(point.middle { Double($0.failed) }), report.limit(of: point).words,
        ]
    }

    /// Ten columns, in eighths where the terminal has them.
    private func bar(_ share: Double) -> String {
        guard style.isUnicode else { return String(repeating: "#", count: Int((share * 10).rounded())) }
        let eighths = Int((share * 80).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    private func padded(_ text: String, to width: Int, isLeft: Bool) -> String {
        let room = String(repeating: " ", count: max(0, width - columnCount(text)))
        return isLeft ? text + room : room + text
    }
}

extension String {
    /// Without spaces at its end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
