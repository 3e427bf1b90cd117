// SPDX-License-Identifier: MIT

internal import SluiceModel

extension LoaderReport {
    /// The machine, the source of the images and the number of samples.
    package var conditions: [String] {
        let rounds = points.map(\.samples.count).max() ?? 0
        return [
            host.sentence,
            origin?.sentence ?? "\(addresses ?? 0) URLs of real hosts.",
            "\(rounds) \(rounds == 1 ? "sample" : "samples") per setting.",
        ]
    }

    /// The measurements, one row per setting.
    package var table: ResultTable {
        let fastest = points.map(\.rate.median).max() ?? 0
        return ResultTable(
            head: Column.allCases.map(\.rawValue),
            rows: points.map(row),
            shares: points.map { fastest > 0 ? $0.rate.median / fastest : 0 }, barColumn: 1,
            textColumns: Set(Column.allCases.indices.filter { Column.allCases[$0].isText }),
            optionalColumns: Set(Column.allCases.indices.filter { Column.allCases[$0].isOptional }))
    }

    private enum Column: String, CaseIterable {
        case concurrency
        case rate = "images/s"
        case interval = "±"
        case megabytes = "MB/s"
        case p50 = "p50 ms"
        case p99 = "p99 ms"
        case processors = "CPU %"
        case memory = "memory MB"
        case retries, failed
        case limit = "limited by"

        var isText: Bool { self == .concurrency || self == .limit }
        var isOptional: Bool { self == .retries || self == .failed }
    }

    /// Returns the measurement that a point has after one sample, as a table with one row.
    func firstResult(of index: Int) -> ResultTable {
        let failures: [Column] = points.contains(where: \.setting.hasFaults) ? [.retries, .failed] : []
        let shown = [.concurrency, .rate, .p50, .p99] + failures + [.limit]
        let width = points.indices.map { label($0).count }.max() ?? 0
        return ResultTable(
            head: shown.map { column in
                let gap = column == .concurrency ? max(0, width - column.rawValue.count) : 0
                return column.rawValue + String(repeating: " ", count: gap)
            },
            rows: [shown.map { cell(of: points[index], in: $0) }], shares: [], barColumn: 1,
            textColumns: Set(shown.indices.filter { shown[$0].isText }))
    }

    /// The knees, the best setting, and how adaptive loaders and faults compare.
    package var findings: [String] {
        let knees = curves.compactMap { knee(of: $0) }.map {
            "knee: \(label($0)), the lowest concurrency with 90% of the best rate"
        }
        let found = best.map { "best: \(label($0)), the lowest concurrency not measurably slower than the fastest" }
        let conclusions = points.count > 1 ? [found].compactMap(\.self) + adaptiveFindings : []
        return knees + conclusions + faultCosts
    }

    private var faultCosts: [String] {
        faultyPoints.map { point, clean in
            let (before, after) = (clean.rate.median, point.rate.median)
            let share = before > 0 ? Int(((1 - after / before) * 100).rounded()) : 0
            func p99(_ point: LoaderPoint) -> String { rounded(point.medianValue(of: \.latency.p99)) }
            return """
                faults at \(clean.setting.label(among: points.map(\.setting.withoutFaults))): \
                \(share >= 0 ? "\(share)% slower" : "\(-share)% faster") (\(rounded(before)) to \(rounded(after)) \
                images/s), p99 \(p99(clean)) to \(p99(point)) ms, \
                \(rounded(point.medianValue { Double($0.retries) })) retries, \
                \(rounded(point.medianValue { Double($0.failed) })) failed
                """
        }
    }

    /// The shortest sample in which an adaptive loader can settle, in seconds.
    private static let settlingTime = 10.0

    /// Compares adaptive loaders with the fastest fixed concurrency.
    private var adaptiveFindings: [String] {
        adaptivePoints.compactMap { point, fastest in
            guard let fastest, points[fastest].rate.median > 0 else { return nil }
            let share = Int((point.rate.median / points[fastest].rate.median * 100).rounded())
            let time = point.medianValue(of: \.seconds)
            let hint = " in \(rounded(time)) s, too short to settle: measure more images for a longer time"
            return
                "\(point.setting.label(among: points.map(\.setting))): \(share)% of the fastest's rate (\(label(fastest)))"
                + (time < Self.settlingTime ? hint : "")
        }
    }

    /// Writes the conditions and the points.
    func write(to json: inout JSONWriter) {
        json.object("host") { host.write(to: &$0) }
        if let origin { json.object("origin") { origin.write(to: &$0) } }
        json.member("addresses", addresses)
        json.member("best", best.map { points[$0].setting.name })
        json.array("knees") { list in
            for knee in curves.compactMap({ knee(of: $0) }) { list.value(points[knee].setting.name) }
        }
        json.array("points") { list in for point in points { list.object { write(point, to: &$0) } } }
    }

    private func write(_ point: LoaderPoint, to json: inout JSONWriter) {
        json.member("name", point.setting.name)
        json.object("setting") { point.setting.write(to: &$0) }
        if point.setting.adaptsFrom == nil { json.member("limit", limitingFactor(of: point).rawValue) }
        point.rate.write(to: &json)
        json.array("samples") { list in for sample in point.samples { list.object { sample.write(to: &$0) } } }
    }

    private func row(_ point: LoaderPoint) -> [String] { Column.allCases.map { cell(of: point, in: $0) } }

    private func cell(of point: LoaderPoint, in column: Column) -> String {
        switch column {
        case .concurrency: point.setting.label(among: points.map(\.setting))
        case .rate: rounded(point.rate.median)
        case .interval: rounded((point.rate.high - point.rate.low) / 2)
        case .megabytes: rounded(point.megabytesPerSecond.median)
        case .p50: rounded(point.medianValue(of: \.latency.p50))
        case .p99: rounded(point.medianValue(of: \.latency.p99))
        case .processors: rounded(utilization(of: point).loaderCPU * Double(host.cores) * 100)
        case .memory: rounded(point.medianValue { Double($0.peakMemory) } / 1e6)
        case .retries: rounded(point.medianValue { Double($0.retries) })
        case .failed: rounded(point.medianValue { Double($0.failed) })
        // The number of slots of an adaptive loader is not known.
        case .limit: point.setting.adaptsFrom == nil ? limitingFactor(of: point).displayName : ""
        }
    }

    private func label(_ index: Int) -> String { points[index].setting.label(among: points.map(\.setting)) }
}

extension LoaderSetting {
    /// The name in exported results, independent of the sweep; comparisons match points by it.
    var name: String {
        let hosts = perHost.map { "\($0) a host" } ?? "any a host"
        let made = thumbnails.map { "thumbnails \($0) by \(workers)" } ?? "no thumbnails"
        let width = adaptsFrom.map { "auto from \($0) to \(concurrency)" } ?? "\(concurrency)"
        return "\(width) at once, \(hosts), HTTP \(http), \(made)\(hasFaults ? ", faults" : "")"
    }
}

extension OriginProfile {
    var sentence: String {
        let total = bandwidth.map { "\(rounded(Double($0) / 1e6)) MB/s in total" } ?? "unlimited total bandwidth"
        let own = perConnection.map { "\(rounded(Double($0) / 1e6)) MB/s per connection" } ?? "unlimited per connection"
        let faultList = faults.map { "\(percent($0.share)) \($0.kind.rawValue)" }.joined(separator: ", ")
        return """
            \(images) images of \(bytes) bytes, network \(network.rawValue): \(rounded(latency.milliseconds)) ms of latency, up to \
            \(rounded(jitter.milliseconds)) ms of jitter, \(total), \(own), \(percent(loss)) of packets lost, faults: \
            \(faults.isEmpty ? "none" : faultList), seed \(seed).
            """
    }
}

extension BenchMachine {
    var sentence: String { "\(cores) cores\(processor.map { " of \($0)" } ?? ""), \(system)." }

    func write(to json: inout JSONWriter) {
        json.member("cores", cores)
        json.member("processor", processor)
        json.member("system", system)
    }
}

extension SampleStatistics {
    /// Writes the members that every point has, which comparisons read.
    func write(to json: inout JSONWriter) {
        json.array("rates") { list in for sample in samples { list.value(decimal: sample) } }
        json.object("rate") { json in
            json.member("median", decimal: median)
            json.member("low", decimal: low)
            json.member("high", decimal: high)
            json.member("noise_percent", decimal: noise * 100)
            json.member("verdict", verdict.rawValue)
            json.array("outliers") { list in for index in outliers { list.value(index + 1) } }
        }
    }
}
