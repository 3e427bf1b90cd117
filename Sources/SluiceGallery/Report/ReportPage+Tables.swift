// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ReportPage {
    /// The durations of the phases.
    var latency: HTML {
        let rows = (report.phases.map { (name(of: $0.phase), $0.times) } + [("total", report.items)])
            .filter { $0.1.count > 0 }
        return section("Latency", rows.isEmpty) { html in
            html.markup(
                "<p class=\"key\">The dot shows the median, the bar ends at the 90th percentile, the line at the 99th.</p>"
            )
            html.markup("<div class=\"pair\"><figure>")
            html.append(LatencyChart(id: "latency", title: "Latency by phase", rows: rows).svg)
            html.markup("</figure>")
            html.table(
                "Duration of each phase of a photo", ["phase", "photos", "median", "90 %", "99 %", "maximum"]
            ) {
                for (name, times) in rows {
                    $0.row([name, "\(times.count)"] + [0.5, 0.9, 0.99, 1].map { Self.latency(times, $0) })
                }
            }
            html.markup("</div>")
        }
    }

    var stages: HTML {
        section("Stages", report.stages.isEmpty) { html in
            html.table("Number of photos in each stage", ["stage", "average", "maximum", "capacity"]) {
                for stage in report.stages {
                    let bar = stage.capacity.map { [("one", stage.mean / Double(max(1, $0)))] } ?? []
                    $0.row(
                        [
                            stage.name, NumberFormat.decimal(stage.mean),
                            NumberFormat.decimal(stage.peak),
                            stage.capacity.map(String.init) ?? "",
                        ], bar: bar)
                }
            }
        }
    }

    var hosts: HTML {
        let most = Double(report.hosts.map(\.bytes).max() ?? 0)
        return section("Hosts", report.hosts.isEmpty) { html in
            let heads = ["host", "bytes", "done", "failed", "retried", "paused"]
            html.table("Totals by host", heads) { html in
                for host in report.hosts {
                    html.row(cells(host), bar: most > 0 ? [("one", Double(host.bytes) / most)] : [])
                }
                if let (count, sum) = report.otherHosts {
                    html.row(["\(count) other hosts"] + cells(sum).dropFirst())
                }
            }
        }
    }

    /// The statements of hosts and files about the use of the mirror's photos.
    var usage: HTML {
        let usage = report.usage
        return section("Statements about use", usage.total.all == 0) { html in
            html.markup("<p class=\"key\">")
            html.text(
                "\(usage.total.photos) photos of the mirror have statements about their use; \(usage.total.reserved) are "
                    + "reserved from the training of models. \(usage.total.skipped) were not downloaded because a host forbids it."
            )
            html.markup("</p>")
            let heads = ["host", "photos", "reserved", "not downloaded", "statements"]
            html.table("Statements about the use of photos by host", heads) { html in
                for host in usage.hosts {
                    html.row([host.name.isEmpty ? "(files)" : host.name] + cells(host.counts))
                }
                if let (count, sum) = usage.others { html.row(["\(count) other hosts"] + cells(sum)) }
                if usage.hosts.count > 1 { html.row(["all"] + cells(usage.total)) }
            }
        }
    }

    private func cells(_ counts: UsageSummary.Counts) -> [String] {
        let rules = counts.rules.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [
            "\(counts.photos)", "\(counts.reserved)", "\(counts.skipped)",
            rules.map { "\($0.key): \($0.value)" }.joined(separator: ", "),
        ]
    }

    /// The causes of failed and skipped photos and failed pages.
    var causes: HTML {
        let all = summary.causes.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        let most = Double(all.first?.value ?? 1)
        return section("Causes", all.isEmpty) { html in
            html.table("Causes of failed and skipped photos, and of failed pages", ["cause", "count", "remedy"]) {
                for (cause, count) in all {
                    let formats = cause == .unsupported ? summary.unsupportedText : nil
                    $0.row([cause.name, "\(count)", formats ?? cause.remedyText], bar: [("one", Double(count) / most)])
                }
            }
        }
    }

    /// The first failed photos, with links to the gallery.
    var failures: HTML {
        section("Failures", report.failures.isEmpty) { html in
            if summary.failed > report.failures.count {
                html.markup("<p class=\"key\">")
                html.text("The first \(report.failures.count) of \(summary.failed) failed photos.")
                html.markup("</p>")
            }
            html.table("Failed photos", ["photo", "cause", "detail", "remedy"]) {
                for item in report.failures {
                    let cause = item.failure.cause
                    $0.row(
                        [item.id, cause.name, item.failure.detail, cause.remedyText],
                        link: gallery.map { "\($0)#/photo/\(item.seq)" })
                }
            }
        }
    }

    var options: HTML {
        section("Options", report.settings.isEmpty) { html in
            html.table("Options in effect", ["option", "value"]) {
                for setting in report.settings { $0.row(["--\(setting.name)", setting.value]) }
            }
        }
    }

    /// The versions of Sluice and its libraries.
    var versions: HTML {
        section("Versions", report.versions.isEmpty) { html in
            html.table("Versions of Sluice and its libraries", ["library", "version"]) {
                for library in report.versions { $0.row([library.name, library.version]) }
            }
        }
    }

    var command: HTML {
        html { html in
            guard !report.command.isEmpty else { return }
            html.markup("<p class=\"command\"><code><bdi>")
            html.text((["sluice"] + report.command).joined(separator: " "))
            html.markup("</bdi></code></p>")
        }
    }

    private func cells(_ host: RunReport.Host) -> [String] {
        [
            host.name, NumberFormat.bytes(Double(host.bytes)), "\(host.done)", "\(host.failed)", "\(host.retried)",
            "\(host.paused)",
        ]
    }

    /// A section with a heading; nothing if `isEmpty`.
    func section(_ title: StaticString, _ isEmpty: Bool, _ body: (inout HTML) -> Void) -> HTML {
        html { html in
            guard !isEmpty else { return }
            html.markup("<section><h2>")
            html.markup(title)
            html.markup("</h2>")
            body(&html)
            html.markup("</section>")
        }
    }

    private func name(of phase: ItemPhase) -> String {
        switch phase {
        case .dns: "DNS"
        case .tls: "TLS"
        case .firstByte: "first byte"
        default: phase.name
        }
    }

    private static func latency(_ times: Histogram, _ share: Double) -> String {
        times.quantile(share).map(NumberFormat.latency) ?? ""
    }
}

extension HTML {
    /// Appends a table with a caption for screen readers.
    mutating func table(_ caption: StaticString, _ heads: [String], _ rows: (inout HTML) -> Void) {
        markup("<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"")
        markup(caption)
        markup("\"><table><caption>")
        markup(caption)
        markup("</caption><thead><tr>")
        for head in heads { cell(head, "th", scope: "col") }
        markup("</tr></thead><tbody>")
        rows(&self)
        markup("</tbody></table></div>")
    }

    /// Appends a row.
    ///
    /// The first cell is the row's header, with an optional link, and an optional bar below it: the shares that the CSS
    /// classes have of 1.
    mutating func row(_ cells: [String], bar: [(cssClass: String, share: Double)] = [], link: String? = nil) {
        markup("<tr><th scope=\"row\"><bdi>")
        if let link {
            markup("<a href=\"")
            text(link)
            markup("\">")
        }
        text(cells[0])
        if link != nil { markup("</a>") }
        markup("</bdi>")
        if !bar.isEmpty {
            markup("<svg class=\"meter\" aria-hidden=\"true\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\">")
            rectangle("empty", x: 0, y: 0, width: 100, height: 4)
            var start = 0.0
            for (cssClass, share) in bar {
                let width = 100 * min(1 - start, max(0, share))
                rectangle("share \(cssClass)", x: 100 * start, y: 0, width: width, height: 4)
                start += width / 100
            }
            markup("</svg>")
        }
        markup("</th>")
        for text in cells.dropFirst() { cell(text) }
        markup("</tr>")
    }
}

extension Cause {
    /// The actions that may recover photos with this cause, for example `retry, or --salvage`; empty if nothing does.
    fileprivate var remedyText: String {
        let remedies = [remedy, alternative].compactMap(\.self).filter { $0 != .none }
        return remedies.map { $0.options ?? "retry" }.joined(separator: ", or ")
    }
}

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
