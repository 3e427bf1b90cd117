// SPDX-License-Identifier: MIT

internal import SluiceModel

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
