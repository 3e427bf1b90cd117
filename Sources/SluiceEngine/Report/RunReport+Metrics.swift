// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RunReport {
    /// Returns the run so far in Prometheus' text format; all its samples have the labels.
    ///
    /// Names, units and types follow its conventions.
    func metrics(labels: KeyValuePairs<String, String>) -> String {
        var text = MetricsText(labels: labels)
        text.add(
            "sluice_info", "The version of Sluice and the feed.", .gauge, 1,
            ["version": Version.number, "feed": start.feed])
        text.add("sluice_run_seconds", "Duration of the run so far.", .gauge, summary.duration.inSeconds)
        let photos = [
            ("done", summary.done), ("kept", summary.kept), ("skipped", summary.skipped), ("failed", summary.failed),
        ]
        text.add("sluice_photos_total", "Photos processed, by result.", .counter, photos, by: "end")
        let pages = [("loaded", summary.pages), ("failed", summary.failedPages)]
        text.add("sluice_pages_total", "Pages of the feed, by result.", .counter, pages, by: "end")
        let causes = summary.causes.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, $0.value) }
        text.add(
            "sluice_causes_total", "Failed and skipped photos and failed pages, by cause.", .counter, causes,
            by: "cause")
        text.add(
            "sluice_received_bytes_total", "Bytes received, of pages and photos.", .counter,
            Double(timeline.reduce(0) { $0 + $1.bytes }))
        text.add("sluice_thumbnails_total", "Thumbnails made.", .counter, Double(summary.thumbs))
        let retries = hosts.reduce(otherHosts?.sum.retried ?? 0) { $0 + $1.retried }
        text.add(
            "sluice_retries_total", "Failed attempts that were retried.", .counter, Double(retries))
        text.add("sluice_host_pauses_total", "Number of times a host was paused.", .counter, Double(pauses))
        addStages(&text)
        text.add("sluice_cpu_seconds_total", "CPU time of all cores.", .counter, cost.cpu)
        text.add("sluice_memory_peak_bytes", "Peak memory so far.", .gauge, Double(cost.peakMemory))
        if let budget = cost.memoryBudget {
            text.add("sluice_memory_budget_bytes", "Memory limit for photos in flight.", .gauge, Double(budget))
        }
        let times = phases.filter { $0.times.count > 0 }.map { ($0.phase.name, $0.times) }
        text.add("sluice_phase_seconds", "Duration of each phase of a photo.", times, by: "phase")
        return text.text
    }

    /// Adds the current state of the stages, from the last interval.
    private func addStages(_ text: inout MetricsText) {
        let now = timeline.last ?? Interval()
        text.add("sluice_in_flight", "Photos in flight.", .gauge, now.inFlight)
        text.add("sluice_slots", "Maximum number of photos in flight.", .gauge, Double(start.width))
        let queues = [
            ("slot", Int(rounding: now.waitingForSlot)), ("decode", Int(rounding: now.waitingForDecoder)),
            ("write", Int(rounding: now.awaitingCommit)),
        ]
        text.add("sluice_waiting", "Waiting photos, by what they wait for.", .gauge, queues, by: "for")
        text.add("sluice_decoding", "Active decoders.", .gauge, now.decoding)
        text.add("sluice_paused_hosts", "Hosts paused at present.", .gauge, Double(now.pausedHosts))
        let limits = Bottleneck.allCases.map { ($0.rawValue, $0 == now.bottleneck ? 1 : 0) }
        text.add(
            "sluice_limited_by", "What limits the run at present: 1 for that, 0 for the others.", .gauge, limits,
            by: "limit"
        )
    }
}
