// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RunReport {
    /// The schema version.
    ///
    /// It increases when a member is removed or changes its meaning, not when one is added.
    static let schema = 2

    /// The content of `report.json`; `Documentation/report.schema.json` describes it.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { object in
            object.member("schema", Self.schema)
            run(&object)
            summary.write(to: &object, as: .report)
            if let forecast { object.object("forecast") { comparison(with: forecast, &$0) } }
            bottleneck(&object)
            object.object("cost", cost)
            object.array("earlier") { list in for run in earlier { list.object { run.write(to: &$0) } } }
            object.array("phases", phases)
            object.array("stages", stages)
            object.array("hosts", hosts)
            if usage.total.all > 0 { object.object("usage", statements) }
            object.array("failures", failedItems)
            object.array("over_time", timeline)
            object.object("options", settings)
            object.object("versions", versions)
        }
        writer.newline()
        return writer.bytes
    }

    private func run(_ object: inout JSONWriter) {
        object.member("source", start.source)
        object.member("feed", start.feed)
        object.member("width", start.width)
        object.array("command") { array in
            for word in command { array.value(word) }
        }
        object.member("started_at", startedAt)
        object.member("duration", decimal: summary.duration.inSeconds)
    }

    /// The expected totals, next to those of the run.
    private func comparison(with forecast: Estimate, _ object: inout JSONWriter) {
        let cancelled = summary.stop == nil ? 0 : min(summary.skipped, summary.causes[.cancelled] ?? 0)
        object.object("photos") { object in
            object.member("expected", forecast.photos)
            object.member("actual", summary.ended - cancelled)
        }
        object.object("bytes") { object in
            object.member("expected", forecast.bytes)
            object.member("low", forecast.bytesRange.lowerBound)
            object.member("high", forecast.bytesRange.upperBound)
            object.member("actual", summary.bytesReceived)
        }
        object.object("seconds") { object in
            object.member("expected", decimal: forecast.seconds)
            object.member("actual", decimal: summary.duration.inSeconds)
        }
    }

    private func bottleneck(_ object: inout JSONWriter) {
        if let finding {
            object.object("bottleneck") { object in
                object.member("limited_by", finding.bottleneck.rawValue)
                object.member("share", decimal: finding.share)
                object.member("sentence", finding.sentence)
                object.member("flag", finding.flag)
            }
        }
        object.object("blocked") { object in
            for bottleneck in Bottleneck.allCases {
                object.member(bottleneck.rawValue, decimal: bottleneckSeconds[bottleneck] ?? 0)
            }
        }
    }

    private func cost(_ object: inout JSONWriter) {
        object.member("cpu_seconds", decimal: cost.cpu)
        object.member("cores", cost.cores)
        object.member("peak_memory", cost.peakMemory)
        object.member("memory_budget", cost.memoryBudget)
    }

    private func phases(_ array: inout JSONWriter) {
        for (phase, times) in phases { array.object { latency(times, of: phase.name, &$0) } }
        array.object { latency(items, of: "item", &$0) }
    }

    private func latency(_ times: Histogram, of name: String, _ object: inout JSONWriter) {
        object.member("phase", name)
        object.member("count", times.count)
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)] {
            if let time = times.quantile(share) { object.member("\(name)_ms", decimal: time.inSeconds * 1000) }
        }
        guard times.count > 0 else { return }
        object.member("max_ms", decimal: times.longest.inSeconds * 1000)
        object.member("sum_seconds", decimal: times.sum.inSeconds)
    }

    private func stages(_ array: inout JSONWriter) {
        for stage in stages {
            array.object { object in
                object.member("stage", stage.name)
                object.member("mean", decimal: stage.mean)
                object.member("peak", decimal: stage.peak)
                object.member("capacity", stage.capacity)
            }
        }
    }

    private func failedItems(_ array: inout JSONWriter) {
        for item in failures {
            array.object { object in
                object.member("seq", item.seq)
                object.member("id", item.id)
                object.member("cause", item.failure.cause.name)
                object.member("detail", item.failure.detail.isEmpty ? nil : item.failure.detail)
            }
        }
    }

    private func hosts(_ array: inout JSONWriter) {
        for host in hosts { array.object { members(of: host, &$0) } }
        guard let (count, sum) = otherHosts else { return }
        array.object { object in
            members(of: sum, &object)
            object.member("hosts", count)
        }
    }

    private func members(of host: Host, _ object: inout JSONWriter) {
        object.member("host", host.name)
        object.member("done", host.done)
        object.member("failed", host.failed)
        object.member("retried", host.retried)
        object.member("paused", host.paused)
        object.member("bytes", host.bytes)
    }

    private func statements(_ object: inout JSONWriter) {
        members(of: usage.total, &object)
        object.array("hosts") { array in
            for host in usage.hosts {
                array.object { object in
                    object.member("host", host.name)
                    members(of: host.counts, &object)
                }
            }
            guard let (count, sum) = usage.others else { return }
            array.object { object in
                object.member("host", HostTally.others)
                members(of: sum, &object)
                object.member("hosts", count)
            }
        }
    }

    private func members(of counts: UsageSummary.Counts, _ object: inout JSONWriter) {
        object.member("photos", counts.photos)
        object.member("reserved", counts.reserved)
        object.member("skipped", counts.skipped)
        object.object("rules") { rules in
            for (rule, count) in counts.rules.sorted(by: { $0.key < $1.key }) { rules.member(rule, count) }
        }
    }

    private func timeline(_ array: inout JSONWriter) {
        for interval in timeline { array.object { members(of: interval, &$0) } }
    }

    private func members(of interval: Interval, _ object: inout JSONWriter) {
        object.member("begin", decimal: interval.begin)
        object.member("length", decimal: interval.length)
        object.member("done", interval.done)
        object.member("others", interval.others)
        object.member("bytes", interval.bytes)
        object.member("in_flight", decimal: interval.inFlight)
        object.member("series", decimal: interval.waitingForSlot)
        object.member("decode_series", decimal: interval.waitingForDecoder)
        object.member("decoding", decimal: interval.decoding)
        object.member("write_series", decimal: interval.awaitingCommit)
        object.member("writing", decimal: interval.writing)
        object.member("feed_wait", decimal: interval.feedWait)
        object.member("paused_hosts", interval.pausedHosts)
        object.member("limited_by", interval.bottleneck?.rawValue)
    }

    private func settings(_ object: inout JSONWriter) {
        for setting in settings { object.member(setting.name, setting.value) }
    }

    private func versions(_ object: inout JSONWriter) {
        for library in versions { object.member(library.name, library.version) }
    }
}

extension RunFigures {
    /// Reads the figures of a run and of the runs before it from its `report.json`, newest first; empty if the file has
    /// another format.
    static func all(inReport bytes: [UInt8]) -> [RunFigures] {
        // The figures have the same names in all versions of the schema.
        guard let report = try? JSON(parsing: bytes), let schema = report["schema"]?.integer,
            (1...RunReport.schema).contains(schema)
        else { return [] }
        let items = report["phases"]?.elements?.first { $0["phase"]?.text == "item" }
        let latest = RunFigures(report, cost: report["cost"], times: items, bottleneck: report["bottleneck"])
        return [latest].compactMap(\.self)
            + (report["earlier"]?.elements ?? []).compactMap { RunFigures($0, cost: $0, times: $0, bottleneck: $0) }
    }

    private init?(_ run: JSON, cost: JSON?, times: JSON?, bottleneck: JSON?) {
        guard let startedAt = run["started_at"]?.quantity, let seconds = run["duration"]?.decimal else { return nil }
        self.init(startedAt: startedAt, seconds: seconds)
        func count(_ name: String, in object: JSON? = run) -> Int { max(0, object?[name]?.integer ?? 0) }
        (done, kept, skipped, failed) = (count("done"), count("kept"), count("skipped"), count("failed"))
        (thumbs, bytesReceived) = (count("thumbs"), count("bytes_received"))
        cpu = cost?["cpu_seconds"]?.decimal ?? 0
        peakMemory = count("peak_memory", in: cost)
        medianTime = times?["p50_ms"]?.decimal.map { $0 / 1000 }
        longTime = times?["p90_ms"]?.decimal.map { $0 / 1000 }
        self.bottleneck = bottleneck?["limited_by"]?.text.flatMap(Bottleneck.init)
    }

    /// Writes the figures as an element of `earlier`.
    func write(to run: inout JSONWriter) {
        run.member("started_at", startedAt)
        run.member("duration", decimal: seconds)
        run.member("done", done)
        run.member("kept", kept)
        run.member("skipped", skipped)
        run.member("failed", failed)
        run.member("thumbs", thumbs)
        run.member("bytes_received", bytesReceived)
        run.member("cpu_seconds", decimal: cpu)
        run.member("peak_memory", peakMemory)
        if let medianTime { run.member("p50_ms", decimal: 1000 * medianTime) }
        if let longTime { run.member("p90_ms", decimal: 1000 * longTime) }
        run.member("limited_by", bottleneck?.rawValue)
    }
}

extension JSON {
    /// The number; `nil` for other values and for negative and infinite numbers.
    fileprivate var decimal: Double? {
        text.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}
