// SPDX-License-Identifier: MIT

package import SluiceModel

/// The report of a run as a page, `report.html`: one self-contained file without scripts.
struct ReportPage {
    let report: RunReport

    var bytes: [UInt8] {
        let main = Assets.runReport.filled([
            "finding": finding, "figures": figures, "charts": charts, "comparison": comparison, "latency": latency,
            "stages": stages,
            "hosts": html {
                $0.append(hosts)
                $0.append(usage)
            }, "causes": causes, "failures": failures, "options": options,
            "versions": versions, "command": command,
        ])
        let title = (report.title ?? SourceTitle.text(of: report.start.source))?.shown(upTo: 300) ?? "Photos"
        let frame = ReportFrame(kind: "Run report", tab: "Report", title: title, counts: counts, gallery: gallery)
        return frame.page(HTML(trusted: main))
    }

    /// The gallery's front page, which is next to the report; `nil` if there is none.
    var gallery: String? { report.hasGallery ? GalleryWriter.frontPage : nil }

    var summary: Summary { report.summary }
    private var seconds: Double { max(summary.duration.inSeconds, 1e-6) }

    private var counts: String {
        let ends = [
            (summary.done, "done"), (summary.kept, "kept"), (summary.skipped, "skipped"), (summary.failed, "failed"),
        ]
        let results = ends.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let photos = summary.ended == 1 ? "1 photo" : "\(summary.ended) photos"
        let total = results.isEmpty ? photos : "\(photos): \(results)"
        let ending = summary.stop == nil ? "in" : "stopped after"
        let date = UTCTime(secondsSince1970: report.startedAt).minuteText
        return "\(total) · \(ending) \(NumberFormat.time(seconds)) · \(date)"
    }

    private var finding: HTML {
        html { html in
            html.markup("<p class=\"verdict\">")
            html.prose(report.finding?.sentence ?? "No bottleneck limited this run for long enough to be measured.")
            html.markup("</p>")
            let shares = Bottleneck.allCases.compactMap { bottleneck in
                report.bottleneckSeconds[bottleneck].map {
                    StackedBar.Share(name: bottleneck.rawValue, cssClass: cssClass(bottleneck), value: $0)
                }
            }
            html.append(StackedBar(id: "held-up", title: "What limited the run", shares: shares, whole: seconds).html)
        }
    }

    private var figures: HTML {
        html { html in
            html.figure("\(summary.done)", "photos done")
            html.figure(NumberFormat.decimal(Double(summary.done) / seconds), "photos per second")
            html.figure(NumberFormat.bytes(Double(summary.bytesReceived)), "of photos received")
            html.figure("\(NumberFormat.bytes(Double(summary.bytesReceived) / seconds))/s", "average download rate")
            if let scans = summary.parts[.scans] {
                html.figure(
                    NumberFormat.bytes(Double(scans.bytesUnneeded)),
                    "of later scans not needed, of \(scans.items) photos")
            }
            if let previews = summary.parts[.preview] {
                html.figure(
                    NumberFormat.bytes(Double(previews.bytesUnneeded)),
                    "not needed of \(previews.items) photos with previews")
            }
            if summary.thumbs > 0 {
                html.figure("\(summary.thumbs)", "thumbnails, \(NumberFormat.bytes(Double(summary.thumbBytes)))")
            }
            html.figure(
                NumberFormat.percent(report.cost.cpu / seconds / Double(max(1, report.cost.cores))),
                "of \(report.cost.cores) cores, \(NumberFormat.time(report.cost.cpu)) of CPU time")
            let budget = report.cost.memoryBudget.map { " (\(CommandFlag.memory) \($0 >> 20)M)" } ?? ""
            html.figure(NumberFormat.bytes(Double(report.cost.peakMemory)), "peak memory\(budget)")
        }
    }

    // MARK: Charts

    private var charts: HTML {
        let most = report.timeline.map { $0.length > 0 ? Double($0.bytes) / $0.length : 0 }.max() ?? 0
        let unit = NumberFormat.scaled(most)
        let factor = unit.value > 0 ? unit.value / most : 1
        let photos = TimeChart.Line(name: "photos", cssClass: "one", values: donePerSecond)
        let bytes = TimeChart.Line(name: "bytes", cssClass: "two", values: perSecond { Double($0.bytes) * factor })
        let flight = [
            TimeChart.Line(name: "in progress", cssClass: "one", values: report.timeline.map(\.inFlight)),
            TimeChart.Line(
                name: "waiting for a slot", cssClass: "three", values: report.timeline.map(\.waitingForSlot)),
        ]
        let queues = [
            TimeChart.Line(
                name: "waiting for a decoder", cssClass: "four", values: report.timeline.map(\.waitingForDecoder)),
            TimeChart.Line(name: "decoding", cssClass: "two", values: report.timeline.map(\.decoding)),
            TimeChart.Line(
                name: "waiting to be committed", cssClass: "five", values: report.timeline.map(\.awaitingCommit)),
        ]
        return html { html in
            guard !report.timeline.isEmpty else { return }
            html.append(figure("photos", "Photos done", "photos/s", [photos]))
            html.append(figure("bytes", "Bytes received", "\(unit.unit)/s", [bytes]))
            html.append(figure("flight", "In progress", "photos", flight))
            html.append(figure("queues", "Decoding and writing", "photos", queues))
        }
    }

    private func figure(_ id: String, _ title: String, _ unit: String, _ lines: [TimeChart.Line]) -> HTML {
        let edges =
            report.timeline.map(\.begin) + [(report.timeline.last?.begin ?? 0) + (report.timeline.last?.length ?? 0)]
        let strip = report.timeline.map { $0.bottleneck.map(cssClass) }
        let chart = TimeChart(id: id, title: title, unit: unit, edges: edges, lines: lines, strip: strip)
        return html { html in
            html.markup("<figure><figcaption><h3>")
            html.text(title)
            html.markup("</h3>")
            if lines.count > 1 { html.legend(lines.map { ($0.name, $0.cssClass) }) }
            html.markup("</figcaption>")
            html.append(chart.svg)
            html.append(TimelineTable(title: "\(title), \(unit)", edges: edges, lines: lines).html)
            html.markup("</figure>")
        }
    }

    private func perSecond(_ number: (RunReport.Interval) -> Double) -> [Double] {
        report.timeline.map { $0.length > 0 ? number($0) / $0.length : 0 }
    }

    /// The photos per second; those of each commit are spread over the time since the commit before.
    private var donePerSecond: [Double] {
        var rates = [Double](repeating: 0, count: report.timeline.count)
        var first = 0
        for (index, interval) in report.timeline.enumerated() where interval.done > 0 {
            let time = report.timeline[first...index].reduce(0) { $0 + $1.length }
            if time > 0 { for place in first...index { rates[place] = Double(interval.done) / time } }
            first = index + 1
        }
        return rates
    }

    private func cssClass(_ bottleneck: Bottleneck) -> String {
        switch bottleneck {
        case .network, .bandwidth: "network"
        case .hosts: "hosts"
        case .decode: "decode"
        case .disk: "disk"
        case .feed, .input: "feed"
        }
    }
}

extension HTML {
    /// Appends a sentence; flags are marked as code, which is not broken across lines.
    fileprivate mutating func prose(_ sentence: String) {
        for (index, word) in sentence.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { text(" ") }
            let isFlag = word.hasPrefix("--") || word.hasPrefix("(--")
            if isFlag { markup("<code>") }
            text(String(word))
            if isFlag { markup("</code>") }
        }
    }

    fileprivate mutating func figure(_ value: String, _ label: String) {
        markup("<div><dt>")
        prose(label)
        markup("</dt><dd>")
        text(value)
        markup("</dd></div>")
    }

    /// Appends a legend of colours.
    mutating func legend(_ entries: [(name: String, cssClass: String)]) {
        markup("<ul class=\"legend\">")
        for (name, cssClass) in entries {
            markup("<li><svg aria-hidden=\"true\" viewBox=\"0 0 10 10\">")
            rectangle("share \(cssClass)", x: 0, y: 0, width: 10, height: 10, round: 2)
            markup("</svg>")
            text(name)
            markup("</li>")
        }
        markup("</ul>")
    }
}

extension RunReport {
    /// The content of `report.html`.
    package var page: [UInt8] { ReportPage(report: self).bytes }
}

/// The frame of all reports: one self-contained page without scripts, with a heading and the report's style.
struct ReportFrame {
    /// The kind of report, above the heading.
    let kind: String
    /// The kind in the browser's tab.
    let tab: String
    let title: String
    /// The line below the heading.
    let counts: String
    /// The address of the gallery; `nil` shows no link.
    var gallery: String?

    func page(_ main: HTML) -> [UInt8] {
        Assets.reportFrame.filled([
            "style": html { $0.append(Assets.reportStyle) }, "hash": html { $0.text(Assets.reportStyleHash) },
            "kind": html { $0.text(kind) }, "tab": html { $0.text(tab) }, "title": html { $0.text(title) },
            "counts": html { $0.text(counts) }, "gallery": link, "main": main,
        ])
    }

    private var link: HTML {
        html { html in
            guard let gallery else { return }
            html.markup(" · <a")
            html.attribute("href", gallery)
            html.markup(">Gallery</a>")
        }
    }
}
