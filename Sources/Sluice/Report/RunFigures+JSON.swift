// SPDX-License-Identifier: MIT

internal import SluiceModel

extension RunFigures {
    /// Reads the figures of a run from its `report.json`; `nil` if the file has another format.
    init?(report bytes: [UInt8]) {
        guard let report = try? JSON(parsing: bytes), report["schema"]?.integer == RunReport.schema,
            let startedAt = report["started_at"]?.integer, let seconds = report["duration"]?.decimal
        else { return nil }
        self.init(startedAt: startedAt, seconds: seconds)
        func count(_ name: String, in object: JSON? = report) -> Int { max(0, object?[name]?.integer ?? 0) }
        (done, kept, skipped, failed) = (count("done"), count("kept"), count("skipped"), count("failed"))
        (thumbs, bytesReceived) = (count("thumbs"), count("bytes_received"))
        cpu = report["cost"]?["cpu_seconds"]?.decimal ?? 0
        peakMemory = count("peak_memory", in: report["cost"])
        let items = report["phases"]?.elements?.first { $0["phase"]?.text == "item" }
        medianTime = items?["p50_ms"]?.decimal.map { $0 / 1000 }
        longTime = items?["p90_ms"]?.decimal.map { $0 / 1000 }
        bottleneck = report["bottleneck"]?["limited_by"]?.text.flatMap(Bottleneck.init)
    }
}

extension JSON {
    /// The number; `nil` for other values and for negative and infinite numbers.
    fileprivate var decimal: Double? {
        text.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }
}
