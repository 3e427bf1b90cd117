// SPDX-License-Identifier: MIT

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

    @Test("The imaging benchmark measures every setting, and its JSON matches the schema")
    func imaging() throws {
        var options = ImagingBenchOptions()
        options.widths = [64]
        options.workers = [1, 2]
        options.repeats = 2
        options.time = .milliseconds(1)
        options.side = 16
        let report = try ImagingBench(options).run()
        // Two numbers of workers, and three modes plus encoding alone.
        let formats = options.formats.count
        #expect(report.points.count == formats * 2 * 4)
        #expect(Set(report.points.map(\.setting.name)).count == report.points.count)
        #expect(report.points.allSatisfy { $0.samples.count == 2 && $0.rate.median > 0 })
        // Each part has its own rate, at least as high as the total rate. Encoding has only one part.
        for point in report.points {
            let isWhole = point.setting.work == .thumbnail
            #expect(point.floors.count == (isWhole ? 2 : 0))
            for sample in point.samples + point.floors {
                #expect((sample.decode != nil) == isWhole && sample.encode != nil)
                #expect(
                    [sample.decode, sample.resample, sample.encode].compactMap(\.self).allSatisfy { $0 >= sample.rate })
            }
            #expect(point.samples.allSatisfy { ($0.resample != nil) == isWhole })
            #expect(point.floors.allSatisfy { $0.resample == nil })
        }
        #expect(report.findings.count == formats * 3)
        #expect(report.findings.allSatisfy { $0.hasSuffix("% of the floor's rate") })
        #expect(report.charts.map(\.series.count) == Array(repeating: 3, count: formats))
        let json = report.exported(as: .json)
        #expect(try Schema("bench").allows(JSON(parsing: json)))
        #expect(try BenchResultFile(json, from: "").kind == "imaging")
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
            markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.allSatisfy { $0.count { $0 == "|" } == 14 })
    }

    @Test(
        "Numbers are rounded by magnitude",
        arguments: [(0, "0.0"), (0.051, "0.05"), (1.25, "1.3"), (-3.14, "-3.1"), (99.96, "100"), (1234.5, "1235")])
    func numbers(number: Double, text: String) {
        #expect(rounded(number) == text)
    }

    @Test("An axis ends at a round number, and decades approximate the logarithm")
    func axes() {
        #expect(ChartAxis.roundedUp(73, isLogarithmic: false) == 80)
        #expect(ChartAxis.roundedUp(18, isLogarithmic: false) == 20)
        #expect(ChartAxis.roundedUp(200, isLogarithmic: true) == 1000)
        #expect(ChartAxis.marks(from: 10, to: 1000, isLogarithmic: true) == [10, 100, 1000])
        #expect(abs(ChartAxis.decades(from: 10, to: 200) - 1.3010) < 0.001)
    }
}
