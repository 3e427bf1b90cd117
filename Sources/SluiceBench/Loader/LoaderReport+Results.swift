// SPDX-License-Identifier: MIT

package import SluiceModel

extension LoaderReport: BenchReport {
    /// `loader` or `replay`.
    package var kind: String { recorded == nil ? "loader" : "replay" }

    /// The title of the report.
    package var title: String { recorded == nil ? "Loader benchmark" : "Replay of a recorded run" }

    /// The machine, the source of the images and the number of samples.
    package var conditions: [String] {
        let rounds = points.map(\.samples.count).max() ?? 0
        return [
            host.sentence,
            origin?.sentence ?? recorded?.sentence(bandwidth: replayedBandwidth)
                ?? "\(addresses ?? 0) URLs of real hosts.",
            "\(rounds) \(rounds == 1 ? "sample" : "samples") per setting.",
        ]
    }

    /// The measurements, one row per setting.
    package var table: ResultTable {
        let shown = recorded.map { [$0.point] + points } ?? points
        let fastest = shown.map(\.rate.median).max() ?? 0
        return ResultTable(
            head: Column.allCases.map(\.rawValue),
            rows: (recorded.map { [row(of: $0)] } ?? []) + points.map(row),
            shares: shown.map { fastest > 0 ? $0.rate.median / fastest : 0 }, barColumn: 1,
            textColumns: Set(Column.allCases.indices.filter { Column.allCases[$0].isText }),
            optionalColumns: Set(Column.allCases.indices.filter { Column.allCases[$0].isOptional }))
    }

    /// The columns of the table.
    private enum Column: String, CaseIterable {
        case concurrency
        case rate = "images/s"
        case interval = "±"
        case predicted
        case ratio
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
        let shown = [.concurrency, .rate, .predicted, .ratio, .p50, .p99] + failures + [.limit]
        let width = points.indices.map { label($0).count }.max() ?? 0
        return ResultTable(
            head: shown.map { column in
                let gap = column == .concurrency ? max(0, width - column.rawValue.count) : 0
                return column.rawValue + String(repeating: " ", count: gap)
            },
            rows: [shown.map { cell(of: points[index], in: $0) }], shares: [], barColumn: 1,
            textColumns: Set(shown.indices.filter { shown[$0].isText }))
    }

    /// The model, the knees, the best setting, and how adaptive loaders, faults and replays compare.
    package var findings: [String] {
        let knees = curves.compactMap { knee(of: $0) }.map {
            "knee: \(label($0)), the lowest concurrency with 90% of the best rate"
        }
        let found = best.map { "best: \(label($0)), the lowest concurrency not measurably slower than the fastest" }
        let conclusions = points.count > 1 ? [found].compactMap(\.self) + adaptiveFindings : []
        return [modelSentence].compactMap(\.self) + knees + conclusions + faultCosts + fidelity
    }

    /// The formula of the predictions with the origin's values.
    private var modelSentence: String? {
        guard let origin, origin.secondsPerImage > 0 else { return nil }
        func milliseconds(_ seconds: Double) -> String { rounded(seconds * 1000) }
        let parts = [
            (origin.latency.seconds, "latency"), (origin.jitter.seconds / 2, "jitter"),
            (origin.lossSeconds, "lost packets"), (origin.transferSeconds, "transfer"),
        ]
        let sum = parts.filter { $0.0 > 0 }.map { "\(milliseconds($0.0)) ms \($0.1)" }.joined(separator: " + ")
        let limit = origin.bandwidth.map { ", at most \(rounded(Double($0) / Double(origin.bytes))) by the bandwidth" }
        return "predicted: concurrency / \(milliseconds(origin.secondsPerImage)) ms per load (\(sum))\(limit ?? "")"
    }

    /// The cost of the faults for each setting.
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

    /// Compares the replay that has the recorded run's setting with the recorded run.
    private var fidelity: [String] {
        guard let recorded, recorded.sample.rate > 0,
            let same = points.first(where: { $0.setting.hasSameLoad(as: recorded.setting) })
        else { return [] }
        let share = rounded(same.rate.median / recorded.sample.rate)
        return ["as recorded: with the recorded setting, the replay reaches \(share) times the recorded rate"]
    }

    /// A chart of throughput, then charts of latency and utilization for each curve.
    package var charts: [LineChart] {
        let throughput = chart(
            "Throughput", "images per second",
            curves.map { curve in
                LineChart.Series(
                    name: name(of: curve), values: values(of: curve, \.rate.median),
                    intervals: points(of: curve).map { $0.map(\.rate).map { $0.low...$0.high } })
            }
                + adaptivePoints.map { point, _ in
                    LineChart.Series(
                        name: point.setting.label(among: points.map(\.setting)),
                        values: steps.map { _ in point.rate.median }, isReference: true)
                })
        return [throughput] + curves.flatMap { [latencies(of: $0), utilizations(of: $0)] }
    }

    private func latencies(of curve: [Int]) -> LineChart {
        let series = [
            LineChart.Series(name: "median", values: values(of: curve) { $0.medianValue(of: \.latency.p50) }),
            LineChart.Series(name: "90th percentile", values: values(of: curve) { $0.medianValue(of: \.latency.p90) }),
            LineChart.Series(name: "99th percentile", values: values(of: curve) { $0.medianValue(of: \.latency.p99) }),
        ]
        return chart("Latency\(suffix(of: curve))", "ms", series, isLogarithmic: true)
    }

    private func utilizations(of curve: [Int]) -> LineChart {
        let parts: [(String, KeyPath<Utilization, Double>)] = [
            ("slots", \.slots), ("decoders", \.decoders), ("CPU, loader", \.loaderCPU), ("CPU, origin", \.originCPU),
            ("bandwidth", \.bandwidth),
        ]
        let series = parts.map { part in
            LineChart.Series(name: part.0, values: values(of: curve) { utilization(of: $0)[keyPath: part.1] * 100 })
        }
        return chart(
            "Utilization\(suffix(of: curve))", "% of capacity",
            series.filter { $0.values.contains { $0 ?? 0 > 0 } })
    }

    private func chart(
        _ title: String, _ unit: String, _ series: [LineChart.Series], isLogarithmic: Bool = false
    ) -> LineChart {
        LineChart(
            title: title, axisLabel: "concurrent loads", steps: steps.map(String.init), unit: unit, series: series,
            isLogarithmic: isLogarithmic)
    }

    private var steps: [Int] { Set(curves.joined().map { points[$0].setting.concurrency }).sorted() }

    /// Returns a curve's point for each concurrency of all curves; `nil` if it has none.
    private func points(of curve: [Int]) -> [LoaderPoint?] {
        steps.map { step in curve.first { points[$0].setting.concurrency == step }.map { points[$0] } }
    }

    private func values(of curve: [Int], _ figure: (LoaderPoint) -> Double) -> [Double?] {
        points(of: curve).map { $0.map(figure) }
    }

    /// Writes the conditions and the points.
    package func write(to json: inout JSONWriter) {
        json.object("host") { host.write(to: &$0) }
        if let origin { json.object("origin") { origin.write(to: &$0) } }
        if let recorded {
            json.object("recording") { recorded.write(to: &$0, bandwidth: replayedBandwidth) }
        }
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
        if let prediction = prediction(of: point) {
            json.object("predicted") { json in
                json.member("rate", decimal: prediction.rate)
                json.member("ratio", decimal: prediction.ratio)
                json.member("limit", prediction.limit.rawValue)
            }
        }
        point.rate.write(to: &json)
        json.array("samples") { list in for sample in point.samples { list.object { sample.write(to: &$0) } } }
    }

    /// The recorded run's row; cells without recorded values are empty.
    private func row(of run: RecordedRun) -> [String] {
        Column.allCases.map { column in
            switch column {
            case .concurrency: "recorded: \(run.setting.concurrency)"
            case .interval, .limit: ""
            case .processors where run.sample.cpuSeconds == 0: ""
            case .memory where run.sample.peakMemory == 0: ""
            case .retries where run.sample.peakMemory == 0: ""
            default: cell(of: run.point, in: column)
            }
        }
    }

    private func row(_ point: LoaderPoint) -> [String] { Column.allCases.map { cell(of: point, in: $0) } }

    private func cell(of point: LoaderPoint, in column: Column) -> String {
        switch column {
        case .concurrency: point.setting.label(among: points.map(\.setting))
        case .rate: rounded(point.rate.median)
        case .interval: rounded((point.rate.high - point.rate.low) / 2)
        case .predicted: prediction(of: point).map { rounded($0.rate) } ?? ""
        case .ratio: prediction(of: point).map { hundredths($0.ratio) } ?? ""
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

    /// Returns the options of a curve that vary in the sweep, without the concurrency.
    private func name(of curve: [Int]) -> String {
        let words = curve.first.map { label($0) }?.split(separator: ",", maxSplits: 1).dropFirst().first
        return words.map { String($0.drop { $0 == " " }) } ?? "images per second"
    }

    private func suffix(of curve: [Int]) -> String { curves.count > 1 ? ", \(name(of: curve))" : "" }
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
    /// The profile as a sentence.
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
    /// The machine as a sentence.
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
