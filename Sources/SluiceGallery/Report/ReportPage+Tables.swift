// SPDX-License-Identifier: MIT

internal import SluiceModel

extension ReportPage {
    /// How long the phases took.
    var latency: HTML {
        let rows = (report.phases.map { (name(of: $0.phase), $0.times) } + [("in all", report.items)])
            .filter { $0.1.count > 0 }
        return section("Latency", rows.isEmpty) { html in
            html.markup(
                "<p class=\"key\">The dot is the median, the bar ends where nine in ten do, the line where 99 in 100 do.</p>"
            )
            html.markup("<div class=\"pair\"><figure>")
            html.append(LatencyChart(id: "latency", title: "Latency by phase", rows: rows).svg)
            html.markup("</figure>")
            html.table(
                "Time that an item spent in each phase", ["phase", "photos", "median", "90 %", "99 %", "longest"]
            ) {
                for (name, times) in rows {
                    $0.row([name, "\(times.count)"] + [0.5, 0.9, 0.99, 1].map { Self.latency(times, $0) })
                }
            }
            html.markup("</div>")
        }
    }

    /// How busy the stages were.
    var stages: HTML {
        section("Stages", report.stages.isEmpty) { html in
            html.table("How many were in each stage", ["stage", "on average", "at most", "of"]) {
                for stage in report.stages {
                    let bar = stage.capacity.map { stage.mean / Double(max(1, $0)) }
                    $0.row(
                        [
                            stage.name, Figures.decimal(stage.mean), Figures.decimal(stage.peak),
                            stage.capacity.map(String.init) ?? "",
                        ], bar: bar)
                }
            }
        }
    }

    /// What each host sent.
    var hosts: HTML {
        let most = Double(report.hosts.map(\.bytes).max() ?? 0)
        return section("Hosts", report.hosts.isEmpty) { html in
            let heads = ["host", "bytes", "done", "failed", "tried again", "paused"]
            html.table("What each host sent", heads) { html in
                for host in report.hosts { html.row(cells(host), bar: most > 0 ? Double(host.bytes) / most : nil) }
                if let (count, sum) = report.otherHosts {
                    html.row(["\(count) other hosts"] + cells(sum).dropFirst())
                }
            }
        }
    }

    /// Why items and pages failed or were left out.
    var causes: HTML {
        let all = summary.causes.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        let most = Double(all.first?.value ?? 1)
        return section("Causes", all.isEmpty) { html in
            html.table("Why photos and pages were not done", ["cause", "how often"]) {
                for (cause, count) in all { $0.row([cause.name, "\(count)"], bar: Double(count) / most) }
            }
        }
    }

    /// What was in force.
    var options: HTML {
        section("Options", report.settings.isEmpty) { html in
            html.table("Options in force", ["option", "value"]) {
                for setting in report.settings { $0.row(["--\(setting.name)", setting.value]) }
            }
        }
    }

    /// What it was done with.
    var versions: HTML {
        section("Versions", report.versions.isEmpty) { html in
            html.table("Versions of Sluice and its libraries", ["library", "version"]) {
                for library in report.versions { $0.row([library.name, library.version]) }
            }
        }
    }

    /// What the user typed.
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
            host.name, Figures.bytes(Double(host.bytes)), "\(host.done)", "\(host.failed)", "\(host.retried)",
            "\(host.paused)",
        ]
    }

    private func section(_ title: StaticString, _ isEmpty: Bool, _ body: (inout HTML) -> Void) -> HTML {
        html { html in
            guard !isEmpty else { return }
            html.markup("<section><h2>")
            html.markup(title)
            html.markup("</h2>")
            body(&html)
            html.markup("</section>")
        }
    }

    private func name(of phase: Phase) -> String {
        switch phase {
        case .dns: "DNS"
        case .tls: "TLS"
        case .firstByte: "first byte"
        default: phase.name
        }
    }

    private static func latency(_ times: Histogram, _ share: Double) -> String {
        times.quantile(share).map(Figures.latency) ?? ""
    }
}

extension HTML {
    /// Appends a table with a caption for who cannot see it.
    fileprivate mutating func table(_ caption: StaticString, _ heads: [String], _ rows: (inout HTML) -> Void) {
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

    /// Appends a row; its first cell names it, and has a bar below it that is full at 1.
    fileprivate mutating func row(_ cells: [String], bar: Double? = nil) {
        markup("<tr><th scope=\"row\"><bdi>")
        text(cells[0])
        markup("</bdi>")
        if let bar {
            markup("<svg class=\"meter\" aria-hidden=\"true\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\">")
            rectangle("empty", x: 0, y: 0, width: 100, height: 4)
            rectangle("share one", x: 0, y: 0, width: 100 * min(1, bar), height: 4)
            markup("</svg>")
        }
        markup("</th>")
        for words in cells.dropFirst() { cell(words) }
        markup("</tr>")
    }
}
