// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ReportPage {
    /// The figures of this run next to those of earlier runs, with the change since the run before.
    var comparison: HTML {
        section("Compared with earlier runs", report.earlier.isEmpty) { html in
            guard let before = report.earlier.first else { return }
            html.markup("<p class=\"key\">Runs that download different photos are best compared by their rates.</p>")
            let dates = report.earlier.map { UTCTime(secondsSince1970: $0.startedAt).minuteText }
            let heads = ["figure", "this run", "change"] + dates
            html.table("Figures of this run and of earlier runs", heads) { html in
                for row in Self.rows {
                    let (now, then) = (row.value(report.figures), report.earlier.map(row.value))
                    // A figure that no run has says nothing.
                    guard ([now] + then).contains(where: { ($0 ?? 0) != 0 }) else { continue }
                    html.row(
                        [row.name, now.map(row.format) ?? "–", Self.change(from: row.value(before), to: now)]
                            + then.map { $0.map(row.format) ?? "–" })
                }
                html.row(
                    ["limited by", report.figures.bottleneck?.rawValue ?? "–", ""]
                        + report.earlier.map { $0.bottleneck?.rawValue ?? "–" })
            }
        }
    }

    /// A row of the table: a figure and its format.
    private struct Row {
        let name: String
        let format: (Double) -> String
        let value: (RunFigures) -> Double?

        init(_ name: String, _ format: @escaping (Double) -> String, _ value: @escaping (RunFigures) -> Double?) {
            (self.name, self.format, self.value) = (name, format, value)
        }
    }

    private static var rows: [Row] {
        [
            Row("photos done", count) { Double($0.done) },
            Row("photos kept", count) { Double($0.kept) },
            Row("photos skipped", count) { Double($0.skipped) },
            Row("photos failed", count) { Double($0.failed) },
            Row("thumbnails", count) { Double($0.thumbs) },
            Row("bytes received", NumberFormat.bytes) { Double($0.bytesReceived) },
            Row("duration", NumberFormat.time) { $0.seconds },
            Row("photos per second", NumberFormat.decimal) { rate(of: $0.done, $0) },
            Row("bytes per second", NumberFormat.bytes) { rate(of: $0.bytesReceived, $0) },
            Row("median time per photo", latency) { $0.medianTime },
            Row("time per photo, 90 %", latency) { $0.longTime },
            Row("CPU time", NumberFormat.time) { $0.cpu },
            Row("peak memory", NumberFormat.bytes) { Double($0.peakMemory) },
        ]
    }

    private static func rate(of count: Int, _ run: RunFigures) -> Double? {
        run.seconds > 0 ? Double(count) / run.seconds : nil
    }

    private static func count(_ number: Double) -> String { grouped(Int(rounding: number, .towardZero)) }

    private static func latency(_ seconds: Double) -> String { NumberFormat.latency(.seconds(min(seconds, 1e9))) }

    /// The relative change: `+12 %`, `−3 %` or `same`; empty if it cannot be stated.
    static func change(from before: Double?, to now: Double?) -> String {
        guard let before, let now, before > 0 else { return "" }
        let percent = ((now / before - 1) * 100).rounded()
        guard abs(percent) < 1e6 else { return "" }
        return percent == 0
            ? "same" : "\(percent > 0 ? "+" : "−")\(grouped(Int(rounding: abs(percent), .towardZero))) %"
    }
}
