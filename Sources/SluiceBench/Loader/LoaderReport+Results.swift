// SPDX-License-Identifier: MIT

public import SluiceModel

extension LoaderReport: BenchReport {
    /// `loader` or `replay`.
    public var kind: String { recorded == nil ? "loader" : "replay" }

    /// What was measured.
    public var title: String { recorded == nil ? "How the loader behaves" : "A recorded run, with other settings" }

    /// The machine and the origin.
    public var conditions: [String] {
        let rounds = points.map(\.samples.count).max() ?? 0
        return [
            host.sentence,
            origin?.sentence ?? recorded?.sentence(bandwidth: replayedBandwidth)
                ?? "\(addresses ?? 0) addresses of real hosts.",
            "\(rounds) samples each.",
        ]
    }

    /// The figures, a row for each setting.
    public var table: ResultTable {
        let shown = recorded.map { [$0.point] + points } ?? points
        let most = shown.map(\.rate.median).max() ?? 0
        return ResultTable(
            head: [
                "at once", "images/s", "±", "MB/s", "p50 ms", "p99 ms", "CPU %", "memory MB", "retries", "failed",
                "limited by",
            ],
            rows: (recorded.map { [row(of: $0)] } ?? []) + points.map(row),
            shares: shown.map { most > 0 ? $0.rate.median / most : 0 }, barred: 1,
            words: [0, 10])
    }

    /// The knees and the best setting.
    public var findings: [String] {
        let knees = curves.compactMap { knee(of: $0) }.map {
            "knee: \(label($0)), the first with nine tenths of the best rate"
        }
        guard let best, points.count > 1 else { return knees + fidelity }
        let found = "best: \(label(best)), the narrowest that cannot be told from the fastest"
        return knees + [found] + autos + fidelity
    }

    /// In less time than this a loader hardly finds how many loads should be under way.
    private static let settling = 10.0

    /// How near loaders that find the number by themselves come to the best one that stays.
    private var autos: [String] {
        adapting.compactMap { point, fastest in
            guard let fastest, points[fastest].rate.median > 0 else { return nil }
            let share = Int((point.rate.median / points[fastest].rate.median * 100).rounded())
            let time = point.middle(\.seconds)
            let hint = " in \(rounded(time)) s, in which it hardly settles: take more --images and a longer --longest"
            return
                "\(point.setting.label(among: points.map(\.setting))): \(share)% of the fastest's rate (\(label(fastest)))"
                + (time < Self.settling ? hint : "")
        }
    }

    /// How near the replay comes to the run that it plays, where it has its setting.
    private var fidelity: [String] {
        guard let recorded, recorded.sample.rate > 0,
            let same = points.first(where: { $0.setting.loads(as: recorded.setting) })
        else { return [] }
        let share = rounded(same.rate.median / recorded.sample.rate)
        return ["as recorded: replayed with its own setting, the run comes to \(share) of its rate"]
    }

    /// Throughput with its spread in one, then latencies and what was in use for each curve.
    public var charts: [LineChart] {
        let throughput = chart(
            "Throughput", "images a second",
            curves.map { curve in
                LineChart.Series(
                    name: name(of: curve), values: values(of: curve, \.rate.median),
                    spread: points(of: curve).map { $0.map(\.rate).map { $0.low...$0.high } })
            }
                + adapting.map { point, _ in
                    LineChart.Series(
                        name: point.setting.label(among: points.map(\.setting)),
                        values: steps.map { _ in point.rate.median }, isLevel: true)
                })
        return [throughput] + curves.flatMap { [latencies(of: $0), uses(of: $0)] }
    }

    private func latencies(of curve: [Int]) -> LineChart {
        let series = [
            LineChart.Series(name: "half took at most", values: values(of: curve) { $0.middle(\.latency.p50) }),
            LineChart.Series(name: "90 of 100", values: values(of: curve) { $0.middle(\.latency.p90) }),
            LineChart.Series(name: "99 of 100", values: values(of: curve) { $0.middle(\.latency.p99) }),
        ]
        return chart("Latency\(suffix(of: curve))", "ms", series, isLogarithmic: true)
    }

    private func uses(of curve: [Int]) -> LineChart {
        let parts: [(String, KeyPath<Use, Double>)] = [
            ("slots", \.slots), ("decoders", \.decoders), ("processors, loader", \.loaderCPU),
            ("processors, origin", \.originCPU), ("bandwidth", \.line),
        ]
        let series = parts.map { part in
            LineChart.Series(name: part.0, values: values(of: curve) { use(of: $0)[keyPath: part.1] * 100 })
        }
        return chart(
            "What was in use\(suffix(of: curve))", "% of what there is",
            series.filter { $0.values.contains { $0 ?? 0 > 0 } })
    }

    private func chart(
        _ title: String, _ unit: String, _ series: [LineChart.Series], isLogarithmic: Bool = false
    ) -> LineChart {
        LineChart(
            title: title, across: "loads at once", steps: steps.map(String.init), unit: unit, series: series,
            isLogarithmic: isLogarithmic)
    }

    private var steps: [Int] { Set(curves.joined().map { points[$0].setting.concurrency }).sorted() }

    /// A curve's point for each step of all curves.
    private func points(of curve: [Int]) -> [LoaderPoint?] {
        steps.map { step in curve.first { points[$0].setting.concurrency == step }.map { points[$0] } }
    }

    private func values(of curve: [Int], _ figure: (LoaderPoint) -> Double) -> [Double?] {
        points(of: curve).map { $0.map(figure) }
    }

    /// The conditions and the points.
    public func write(to json: inout JSONWriter) {
        json.member("host", object: { host.write(to: &$0) })
        if let origin { json.member("origin", object: { origin.write(to: &$0) }) }
        if let recorded {
            json.member("recording", object: { recorded.write(to: &$0, bandwidth: replayedBandwidth) })
        }
        json.member("addresses", addresses)
        json.member("best", best.map { points[$0].setting.name })
        json.member(
            "knees",
            array: { list in for knee in curves.compactMap({ knee(of: $0) }) { list.value(points[knee].setting.name) } }
        )
        json.member("points", array: { list in for point in points { list.object { write(point, to: &$0) } } })
    }

    private func write(_ point: LoaderPoint, to json: inout JSONWriter) {
        json.member("name", point.setting.name)
        json.member("setting", object: { point.setting.write(to: &$0) })
        if point.setting.adaptsFrom == nil { json.member("limit", limit(of: point).rawValue) }
        point.rate.write(to: &json)
        json.member("samples", array: { list in for sample in point.samples { list.object { sample.write(to: &$0) } } })
    }

    /// The recorded run's row; of what was not recorded there is nothing.
    private func row(of course: RecordedCourse) -> [String] {
        var cells = row(course.point)
        cells[0] = "recorded: \(course.setting.concurrency)"
        for column in [2, cells.count - 1] { cells[column] = "" }
        if course.sample.cpu == 0 { cells[6] = "" }
        if course.sample.memory == 0 { for column in [7, 8] { cells[column] = "" } }
        return cells
    }

    private func row(_ point: LoaderPoint) -> [String] {
        let rate = point.rate
        return [
            point.setting.label(among: points.map(\.setting)), rounded(rate.median),
            rounded((rate.high - rate.low) / 2), rounded(point.megabytes.median), rounded(point.middle(\.latency.p50)),
            rounded(point.middle(\.latency.p99)), rounded(use(of: point).loaderCPU * Double(host.cores) * 100),
            rounded(point.middle { Double($0.memory) } / 1e6), rounded(point.middle { Double($0.retries) }),
            rounded(point.middle { Double($0.failed) }),
            // Of how many slots there were is not known.
            point.setting.adaptsFrom == nil ? limit(of: point).words : "",
        ]
    }

    private func label(_ place: Int) -> String { points[place].setting.label(among: points.map(\.setting)) }

    /// What sets a curve off from others, without its concurrency.
    private func name(of curve: [Int]) -> String {
        let words = curve.first.map { label($0) }?.split(separator: ",", maxSplits: 1).dropFirst().first
        return words.map { String($0.drop { $0 == " " }) } ?? "images a second"
    }

    private func suffix(of curve: [Int]) -> String { curves.count > 1 ? ", \(name(of: curve))" : "" }
}

extension LoaderSetting {
    /// All of it in words, the same in every sweep.
    var name: String {
        let hosts = perHost.map { "\($0) a host" } ?? "any a host"
        let made = thumbnails.map { "thumbnails \($0) by \(workers)" } ?? "no thumbnails"
        let width = adaptsFrom.map { "auto from \($0) to \(concurrency)" } ?? "\(concurrency)"
        return "\(width) at once, \(hosts), HTTP \(http), \(made)"
    }
}

extension OriginModel {
    /// What it is, as a sentence.
    var sentence: String {
        let line = bandwidth.map { "\(rounded(Double($0) / 1e6)) MB/s in all" } ?? "no bound in all"
        let own = perConnection.map { "\(rounded(Double($0) / 1e6)) MB/s a connection" } ?? "no bound a connection"
        let wrong = faults.map { "\(rounded($0.share * 100))% \($0.kind.rawValue)" }.joined(separator: ", ")
        return """
            \(images) images of \(bytes) bytes from an origin with \(rounded(latency.milliseconds)) ms of latency, up to \
            \(rounded(jitter.milliseconds)) ms of jitter, \(line), \(own), \(rounded(loss * 100))% of packets lost, faults: \
            \(faults.isEmpty ? "none" : wrong), seed \(seed).
            """
    }
}

extension Host {
    /// What it is, as a sentence.
    var sentence: String { "\(cores) cores\(processor.map { " of \($0)" } ?? ""), \(system)." }

    func write(to json: inout JSONWriter) {
        json.member("cores", cores)
        json.member("processor", processor)
        json.member("system", system)
    }
}

extension Spread {
    /// The members that every point has, whatever it measures: what a comparison reads.
    func write(to json: inout JSONWriter) {
        json.member("rates", array: { list in for sample in samples { list.value(decimal: sample) } })
        json.member(
            "rate",
            object: { json in
                json.member("median", decimal: median)
                json.member("low", decimal: low)
                json.member("high", decimal: high)
                json.member("noise_percent", decimal: noise * 100)
                json.member("verdict", verdict.rawValue)
                json.member("outliers", array: { list in for place in outliers { list.value(place + 1) } })
            })
    }
}
