// SPDX-License-Identifier: MIT

public import SluiceModel

/// `report.html`: a run's report for people, in one file that needs nothing else and no script.
struct ReportPage {
    let report: RunReport

    var bytes: [UInt8] {
        Assets.reportPage.filled([
            "style": html { $0.append(Assets.reportStyle) }, "hash": html { $0.text(Assets.reportStyleHash) },
            "title": html { $0.text(report.start.source.shown(upTo: 300) ?? "Run") },
            "counts": html { $0.text(counts) }, "finding": finding, "figures": figures, "charts": charts,
            "latency": latency, "stages": stages, "hosts": hosts, "causes": causes, "options": options,
            "versions": versions, "command": command,
        ])
    }

    var summary: Summary { report.summary }
    private var seconds: Double { max(summary.duration.inSeconds, 1e-6) }

    private var counts: String {
        let ends = [
            (summary.done, "done"), (summary.kept, "kept"), (summary.skipped, "skipped"), (summary.failed, "failed"),
        ]
        let words = ends.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let photos = summary.ended == 1 ? "1 photo" : "\(summary.ended) photos"
        let what = words.isEmpty ? photos : "\(photos): \(words)"
        let how = summary.stop == nil ? "in" : "stopped after"
        return "\(what) · \(how) \(Figures.time(seconds)) · \(Figures.date(report.startedAt))"
    }

    private var finding: HTML {
        html { html in
            html.markup("<p class=\"verdict\">")
            html.text(report.finding?.sentence ?? "Nothing held this run up for long enough to be told.")
            html.markup("</p>")
            let shares = Bottleneck.allCases.compactMap { bottleneck in
                report.heldUp[bottleneck].map {
                    ShareBar.Share(name: bottleneck.rawValue, look: look(bottleneck), value: $0)
                }
            }
            html.append(ShareBar(id: "held-up", title: "What limited the run", shares: shares, whole: seconds).html)
        }
    }

    private var figures: HTML {
        html { html in
            html.figure("\(summary.done)", "photos done")
            html.figure(Figures.decimal(Double(summary.done) / seconds), "photos a second")
            html.figure(Figures.bytes(Double(summary.bytesReceived)), "of photos received")
            html.figure("\(Figures.bytes(Double(summary.bytesReceived) / seconds))/s", "on average")
            if summary.thumbs > 0 {
                html.figure("\(summary.thumbs)", "thumbnails, \(Figures.bytes(Double(summary.thumbBytes)))")
            }
            html.figure(
                Figures.percent(report.cost.cpu / seconds / Double(max(1, report.cost.cores))),
                "of \(report.cost.cores) cores, \(Figures.time(report.cost.cpu)) in all")
            let budget = report.cost.memoryBudget.map { ", --memory \($0 >> 20)M" } ?? ""
            html.figure(Figures.bytes(Double(report.cost.peakMemory)), "of memory at most\(budget)")
        }
    }

    // MARK: Charts

    private var charts: HTML {
        let most = report.course.map { $0.length > 0 ? Double($0.bytes) / $0.length : 0 }.max() ?? 0
        let unit = Figures.scaled(most)
        let factor = unit.value > 0 ? unit.value / most : 1
        let photos = TimeChart.Line(name: "photos", look: "one", values: perSecond { Double($0.done) })
        let bytes = TimeChart.Line(name: "bytes", look: "two", values: perSecond { Double($0.bytes) * factor })
        let flight = [
            TimeChart.Line(name: "under way", look: "one", values: report.course.map(\.inFlight)),
            TimeChart.Line(name: "waiting for a slot", look: "three", values: report.course.map(\.line)),
        ]
        let queues = [
            TimeChart.Line(name: "waiting for a decoder", look: "four", values: report.course.map(\.decodeLine)),
            TimeChart.Line(name: "decoding", look: "two", values: report.course.map(\.decoding)),
            TimeChart.Line(name: "waiting to be made safe", look: "five", values: report.course.map(\.writeLine)),
        ]
        return html { html in
            guard !report.course.isEmpty else { return }
            html.append(figure("photos", "Photos done", "photos/s", [photos]))
            html.append(figure("bytes", "Bytes received", "\(unit.unit)/s", [bytes]))
            html.append(figure("flight", "Under way", "photos", flight))
            html.append(figure("queues", "Decoding and writing", "photos", queues))
        }
    }

    private func figure(_ id: String, _ title: String, _ unit: String, _ lines: [TimeChart.Line]) -> HTML {
        let edges = report.course.map(\.begin) + [(report.course.last?.begin ?? 0) + (report.course.last?.length ?? 0)]
        let strip = report.course.map { $0.bottleneck.map(look) }
        let chart = TimeChart(id: id, title: title, unit: unit, edges: edges, lines: lines, strip: strip)
        return html { html in
            html.markup("<figure><figcaption><h3>")
            html.text(title)
            html.markup("</h3>")
            if lines.count > 1 { html.legend(lines.map { ($0.name, $0.look) }) }
            html.markup("</figcaption>")
            html.append(chart.svg)
            html.append(CourseTable(title: "\(title), \(unit)", edges: edges, lines: lines).html)
            html.markup("</figure>")
        }
    }

    private func perSecond(_ number: (RunReport.Moment) -> Double) -> [Double] {
        report.course.map { $0.length > 0 ? number($0) / $0.length : 0 }
    }

    private func look(_ bottleneck: Bottleneck) -> String {
        switch bottleneck {
        case .network: "network"
        case .hosts: "hosts"
        case .decode: "decode"
        case .disk: "disk"
        case .feed: "feed"
        }
    }
}

extension HTML {
    /// Appends a figure with what it is.
    fileprivate mutating func figure(_ figure: String, _ words: String) {
        markup("<div><dt>")
        text(words)
        markup("</dt><dd>")
        text(figure)
        markup("</dd></div>")
    }

    /// Appends which colour stands for what.
    mutating func legend(_ entries: [(name: String, look: String)]) {
        markup("<ul class=\"legend\">")
        for (name, look) in entries {
            markup("<li><svg aria-hidden=\"true\" viewBox=\"0 0 10 10\">")
            rectangle("share \(look)", x: 0, y: 0, width: 10, height: 10, round: 2)
            markup("</svg>")
            text(name)
            markup("</li>")
        }
        markup("</ul>")
    }
}

extension RunReport {
    /// `report.html`: one file that needs nothing else.
    public var page: [UInt8] { ReportPage(report: self).bytes }
}
