// SPDX-License-Identifier: MIT

import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import SluiceBench

@Suite("Results", .timeLimit(.minutes(10))) struct ResultTests {
    @Test("The JSON matches its schema, and a comparison can read it")
    func json() throws {
        let bytes = Samples.report().exported(as: .json)
        let json = try JSON(parsing: bytes)
        let schema = try Schema("bench")
        #expect(schema.allows(json))
        let file = try BenchResultFile(bytes, from: "a.json")
        #expect(file.kind == "loader" && file.points.count == 6)
        #expect(file.points.first?.name == "1 at once, any a host, HTTP auto, no thumbnails")
        #expect(file.points.first?.rates == [10, 11, 9, 10, 10])
        // The second rate is 95% of the third, below the limit of 97%.
        #expect(json["best"]?.text == "4 at once, any a host, HTTP auto, no thumbnails")
    }

    @Test("Profiles and samples survive a JSON round trip")
    func roundTrip() throws {
        var profile = OriginProfile(.mobile)
        profile.faults.append(BenchFault(share: 0.125, kind: .unavailable))
        profile.bandwidth = nil
        var json = JSONWriter()
        json.object { profile.write(to: &$0) }
        #expect(try OriginProfile(JSON(parsing: json.bytes)) == profile)
        let sample = try #require(Samples.report([[10], [20], [40]]).points.first?.samples.first)
        #expect(try LoaderSample(JSON(parsing: sample.json)) == sample)
    }

    @Test("A comparison reports faster, slower and unchanged points")
    func comparison() throws {
        func file(_ rates: [[Double]]) throws -> BenchResultFile {
            try BenchResultFile(Samples.report(rates).exported(as: .json), from: "")
        }
        let before = try file([[10, 11, 9, 10, 10], [20, 20, 21, 19, 20], [40, 41, 42, 39, 40]])
        let after = try file([[10, 9, 11, 10, 10], [15, 15, 16, 14, 15], [60, 61, 62, 59, 60]])
        let comparison = try BenchComparison(before, after)
        #expect(comparison.lines.map(\.comparison.verdict) == [.same, .slower, .faster, .same, .slower, .faster])
        #expect(comparison.count(.slower) == 2)
        #expect(try BenchComparison(before, before).verdict == "no significant difference")
        #expect(comparison.warnings.isEmpty)
    }

    @Test("Files without results, and results without common settings, are refused")
    func refusals() throws {
        #expect(throws: BenchError.self) { try BenchResultFile(Array("{}".utf8), from: "a.json") }
        #expect(throws: BenchError.self) { try BenchResultFile(Array("[".utf8), from: "a.json") }
        #expect(throws: BenchError.self) { try BenchResultFile("/nowhere/a.json") }
        let one = try BenchResultFile(Samples.report().exported(as: .json), from: "")
        let other = try BenchResultFile(
            Array(#"{"schema":1,"kind":"loader","points":[{"name":"x","rates":[1]}]}"#.utf8), from: "")
        #expect(throws: BenchError.self) { try BenchComparison(one, other) }
    }

    @Test("CSV and Markdown have one row per point, and cells stay in their columns")
    func tables() {
        let report = Samples.report()
        let csv = String(decoding: report.exported(as: .csv), as: UTF8.self).split(separator: "\r\n")
        #expect(csv.count == 7)
        #expect(csv[1].hasPrefix("\"1, no thumbnails\",10.0,"))
        let markdown = String(decoding: report.exported(as: .markdown), as: UTF8.self)
        #expect(markdown.contains("| 1, no thumbnails | 10.0 |"))
        #expect(
            markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.allSatisfy { $0.count { $0 == "|" } == 12 })
    }

    @Test(
        "Numbers are rounded by magnitude",
        arguments: [(0, "0.0"), (0.051, "0.05"), (1.25, "1.3"), (-3.14, "-3.1"), (99.96, "100"), (1234.5, "1235")])
    func numbers(number: Double, text: String) {
        #expect(rounded(number) == text)
    }
}

@Suite("Photo set", .timeLimit(.minutes(10))) struct PhotoSetTests {
    @Test("Files have the exact size, are unique and decodable, and are reproducible from the seed")
    func files() throws {
        let set = try PhotoSet(count: 20, bytes: 3000, seed: 5)
        let files = (0..<20).compactMap { set.file($0) }
        #expect(files.allSatisfy { $0.count == 3000 })
        #expect(Set(files).count == 20)
        let made = try Thumbnailer().thumbnails(of: files[13])
        #expect(made.info.format == .jpeg && made.thumbnails.count == 1)
        #expect(try PhotoSet(count: 20, bytes: 3000, seed: 5).file(13) == files[13])
        #expect(try PhotoSet(count: 20, bytes: 3000, seed: 6).file(13) != files[13])
        #expect(set.file(20) == nil && set.file(-1) == nil)
    }

    @Test("A size too small for a photo is refused")
    func tooSmall() {
        #expect(throws: BenchError.self) { try PhotoSet(count: 1, bytes: 100, seed: 1) }
    }

    @Test(
        "Comments pad a file to the exact size, with one comment or several",
        arguments: [12, 13, 65_535, 65_536, 65_546, 200_000])
    func comments(missing: Int) {
        let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let padded = JPEGPadding.padding(file, to: 4 + missing, with: 3)
        #expect(padded.count == 4 + missing)
        // Skip all comments; the next marker is the one that followed the first marker of the original.
        var at = 2
        while padded[at + 1] == 0xFE { at += 2 + Int(padded[at + 2]) << 8 + Int(padded[at + 3]) }
        #expect(Array(padded[at...]) == [0xFF, 0xD9])
    }
}

@Suite("Limiting factor", .timeLimit(.minutes(10))) struct LimitingFactorTests {
    private func utilization(
        slots: Double = 1, decoders: Double = 0, loader: Double = 0.1, origin: Double = 0.1, bandwidth: Double = 0.1
    ) -> Utilization {
        Utilization(slots: slots, decoders: decoders, loaderCPU: loader, originCPU: origin, bandwidth: bandwidth)
    }

    @Test("The scarcest exhausted resource is the limiting factor")
    func limits() {
        func factor(
            _ utilization: Utilization, latency: Double = 0.1, alone: Double? = 0.1, lost: Double = 0
        ) -> LimitingFactor {
            LimitingFactor(utilization, latency: latency, alone: alone, lost: lost)
        }
        #expect(factor(utilization()) == .slots)
        #expect(factor(utilization(), latency: 0.2) == .hosts)
        #expect(factor(utilization(), alone: nil) == .hosts)
        #expect(factor(utilization(bandwidth: 0.9)) == .bandwidth)
        #expect(factor(utilization(decoders: 0.95)) == .decoding)
        #expect(factor(utilization(loader: 0.5, origin: 0.4)) == .processors)
        #expect(factor(utilization(), lost: 0.5) == .faults)
        #expect(factor(utilization(slots: 0.5)) == .ends)
    }
}

@Suite("Origin profile", .timeLimit(.minutes(10))) struct OriginProfileTests {
    /// 100,000 bytes are 70 packets, the last three of which cost 200 ms each if they are lost.
    @Test("Latency, half of the jitter, transfer and lost packets are a load's time")
    func time() {
        var origin = OriginProfile()
        origin.latency = .milliseconds(60)
        origin.jitter = .milliseconds(20)
        origin.bytes = 100_000
        origin.perConnection = 1_000_000
        #expect(abs(origin.secondsPerImage - 0.17) < 1e-9)
        origin.loss = 0.01
        #expect(abs(origin.secondsPerImage - 0.17 - 0.01 * (67 * 0.06 + 3 * 0.2)) < 1e-9)
    }
}

@Suite("Statistics", .timeLimit(.minutes(10))) struct StatisticsTests {
    @Test("Quantiles are interpolated linearly")
    func quantiles() {
        #expect(median([]) == 0)
        #expect(median([3]) == 3)
        #expect(median([4, 1]) == 2.5)
        #expect(quantile(0.9, of: (0...10).map(Double.init)) == 9)
        #expect(quantile(0.25, of: [0, 2]) == 0.5)
        #expect(quantile(2, of: [1, 5]) == 5)
    }

    @Test("The deviation equals the standard deviation of a normal distribution and ignores an outlier")
    func deviations() {
        var random = SplitMix64(seed: 7)
        // The sum of twelve uniform values is approximately normal.
        var values = (0..<4000).map { _ in (0..<12).map { _ in Double.random(in: 0..<1, using: &random) }.reduce(0, +) }
        #expect(abs(deviation(values) - 1) < 0.05)
        values[0] = 1e9
        #expect(abs(deviation(values) - 1) < 0.05)
    }

    @Test("Outliers are detected, but not small deviations among similar samples")
    func outliers() {
        #expect(SampleStatistics([100, 101, 99, 100, 55]).outliers == [4])
        #expect(SampleStatistics([100, 100, 100, 100, 102]).outliers == [])
        #expect(SampleStatistics([100, 120, 80, 110, 90]).outliers == [])
    }

    @Test(
        "The verdict depends on the noise",
        arguments: [
            ([100, 101, 99, 100, 102], SampleStatistics.Verdict.quiet), ([100, 105, 95, 103, 98], .noisy),
            ([100, 130, 70, 110, 85], .unreliable), ([5], .quiet),
        ])
    func verdicts(samples: [Double], verdict: SampleStatistics.Verdict) {
        #expect(SampleStatistics(samples).verdict == verdict)
    }

    @Test("The interval contains the true median in at least 85% of 300 trials")
    func intervals() {
        var random = SplitMix64(seed: 3)
        let contained = (0..<300).count { _ in
            let statistics = SampleStatistics(seeded(count: 15, around: 100, within: 10, &random))
            return statistics.low <= 100 && 100 <= statistics.high
        }
        #expect(contained >= 255)
    }

    @Test("The p-values of small sets equal those found by enumeration")
    func ranks() {
        #expect(RankSum.pValue(of: [1, 2, 3, 4, 5], and: [6, 7, 8, 9, 10]) == 2.0 / 252)
        #expect(RankSum.pValue(of: [1, 2], and: [3, 4]) == 2.0 / 6)
        #expect(RankSum.pValue(of: [1, 2, 3], and: [1, 2, 3]) == 1)
        #expect(RankSum.pValue(of: [], and: [1]) == 1)
    }

    @Test("Samples of the same distribution rarely differ, and a real difference is detected")
    func agreement() {
        var random = SplitMix64(seed: 11)
        let same = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &random), seeded(count: 5, around: 100, within: 5, &random)
            )
            return Comparison(first, second).verdict == .same
        }
        #expect(same >= 980)
        let detected = (0..<1000).count { _ in
            let (first, second) = (
                seeded(count: 5, around: 100, within: 5, &random), seeded(count: 5, around: 88, within: 5, &random)
            )
            return Comparison(first, second).verdict == .slower
        }
        #expect(detected >= 950)
    }

    @Test("Fewer than five samples or a difference below 2% are not significant")
    func smallDifferences() {
        #expect(Comparison([1, 2, 3, 4], [50, 60, 70, 80]).verdict == .same)
        #expect(Comparison([100, 100, 100, 100, 100], [101, 101, 101, 101, 101]).verdict == .same)
        #expect(Comparison([10, 11, 12, 13, 14], [20, 21, 22, 23, 24]).verdict == .faster)
    }

    private func seeded(
        count: Int, around middle: Double, within reach: Double, _ random: inout SplitMix64
    ) -> [Double] {
        (0..<count).map { _ in Double.random(in: middle - reach...middle + reach, using: &random) }
    }
}

@Suite("Knee", .timeLimit(.minutes(10))) struct KneeTests {
    @Test("The knee is the first rate with 90% of the best")
    func knee() {
        #expect(Knee.index(of: [10, 20, 40, 79, 91, 100, 98]) == 4)
        #expect(Knee.index(of: [100, 100, 100]) == 0)
        #expect(Knee.index(of: [1, 2, 4, 8]) == 3)
        #expect(Knee.index(of: []) == nil)
        #expect(Knee.index(of: [0, 0]) == nil)
    }

    @Test("The best setting is the first not measurably slower than the fastest")
    func best() {
        let statistics = [[50, 51, 52], [97, 99, 101], [98, 100, 102], [80, 81, 82]].map { SampleStatistics($0) }
        #expect(Knee.best(of: statistics) == 1)
        #expect(Knee.best(of: []) == nil)
    }
}

enum Samples {
    /// Returns a sweep with two curves; `rates` are the samples for 1, 2 and 4 concurrent loads.
    static func report(_ rates: [[Double]] = [[10, 11, 9, 10, 10], [19, 20, 21, 20, 20], [21, 20, 22, 21, 21]])
        -> LoaderReport
    {
        let curves: [Int?] = [nil, 256]
        let points = curves.flatMap { side in
            zip([1, 2, 4], rates).map { concurrency, rates in
                LoaderPoint(
                    setting: LoaderSetting(
                        concurrency: concurrency, perHost: nil, http: "auto", thumbnails: side, workers: 2),
                    samples: rates.map { sample(rate: $0, width: concurrency) })
            }
        }
        return LoaderReport(
            host: BenchMachine(cores: 2, processor: "A <processor> & more", system: "Linux"), origin: OriginProfile(),
            addresses: nil, points: points)
    }

    private static func sample(rate: Double, width: Int) -> LoaderSample {
        var sample = LoaderSample()
        sample.seconds = 100 / rate
        sample.done = 100
        sample.bytes = 13_000_000
        sample.slotSeconds = sample.seconds * Double(width)
        sample.cpuSeconds = 0.5
        sample.peakMemory = 30_000_000
        sample.latency = LoaderSample.Latency(p50: 80, p90: 120, p99: 900, maximum: 2100)
        sample.origin = LoaderSample.OriginCost(requests: 100, connections: width, faults: 0, cpuSeconds: 0.2)
        return sample
    }
}
