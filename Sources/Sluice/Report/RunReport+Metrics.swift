// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RunReport {
    /// The run so far in Prometheus' text format: names, units and types follow its conventions.
    var metrics: String {
        var text = MetricsText()
        text.add(
            "sluice_info", "Which Sluice runs, on which feed.", .gauge, 1,
            ["version": Version.number, "feed": start.feed])
        text.add("sluice_run_seconds", "How long the run has gone on.", .gauge, summary.duration.inSeconds)
        let photos = [
            ("done", summary.done), ("kept", summary.kept), ("skipped", summary.skipped), ("failed", summary.failed),
        ]
        text.add("sluice_photos_total", "Photos that have ended, by their ends.", .counter, photos, by: "end")
        let pages = [("loaded", summary.pages), ("failed", summary.failedPages)]
        text.add("sluice_pages_total", "Pages of the feed, by their ends.", .counter, pages, by: "end")
        let causes = summary.causes.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, $0.value) }
        text.add("sluice_causes_total", "Why photos and pages were not done.", .counter, causes, by: "cause")
        text.add(
            "sluice_received_bytes_total", "Bytes that have arrived, of pages and photos.", .counter,
            Double(course.reduce(0) { $0 + $1.bytes }))
        text.add("sluice_thumbnails_total", "Thumbnails made.", .counter, Double(summary.thumbs))
        let retries = hosts.reduce(otherHosts?.sum.retried ?? 0) { $0 + $1.retried }
        text.add(
            "sluice_retries_total", "Attempts that failed and were followed by another.", .counter, Double(retries))
        text.add("sluice_host_pauses_total", "How often a host was left alone for a while.", .counter, Double(pauses))
        addStages(&text)
        text.add("sluice_cpu_seconds_total", "Time of all cores together.", .counter, cost.cpu)
        text.add("sluice_memory_peak_bytes", "The most memory so far.", .gauge, Double(cost.peakMemory))
        if let budget = cost.memoryBudget {
            text.add("sluice_memory_budget_bytes", "What is in flight may take so much.", .gauge, Double(budget))
        }
        let times = phases.filter { $0.times.count > 0 }.map { ($0.phase.name, $0.times) }
        text.add("sluice_phase_seconds", "How long each phase of a photo's way took.", times, by: "phase")
        return text.text
    }

    /// What the run is doing now: the last of its spans.
    private func addStages(_ text: inout MetricsText) {
        let now = course.last ?? Moment()
        text.add("sluice_in_flight", "Photos under way.", .gauge, now.inFlight)
        text.add("sluice_slots", "How many photos may be under way.", .gauge, Double(start.width))
        let queues = [
            ("slot", Int(now.line.rounded())), ("decode", Int(now.decodeLine.rounded())),
            ("write", Int(now.writeLine.rounded())),
        ]
        text.add("sluice_waiting", "Photos that wait, by what they wait for.", .gauge, queues, by: "for")
        text.add("sluice_decoding", "Decoders at work.", .gauge, now.decoding)
        text.add("sluice_paused_hosts", "Hosts that are not to be asked now.", .gauge, Double(now.pausedHosts))
        let limits = Bottleneck.allCases.map { ($0.rawValue, $0 == now.bottleneck ? 1 : 0) }
        text.add(
            "sluice_limited_by", "What holds the run up now: 1 for that, 0 for the others.", .gauge, limits, by: "limit"
        )
    }
}
