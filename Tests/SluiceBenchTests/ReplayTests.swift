// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceBench

/// Replays with real parts: the origin and each sample are processes of the built command.
@Suite("Replay", .serialized) struct ReplayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var executable: String {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }

    /// A photo's slice with its phases as `--trace` writes them, in milliseconds.
    private func photo(
        _ number: Int, host: String, begin: Int, wait: Int, body: Int, bytes: Int, end: String = "done"
    ) -> [String] {
        func slice(_ name: String, _ category: String, _ begin: Int, _ length: Int, _ arguments: String = "") -> String
        {
            """
            {"ph":"X","name":"\(name)","pid":1,"tid":\(number + 1),"cat":"\(category)","ts":\(begin * 1000),\
            "dur":\(length * 1000),"args":{\(arguments)}}
            """
        }
        let known = "\"id\":\"\(number)\",\"url\":\"https://\(host)/\(number).jpg\",\"bytes\":\(bytes)"
        // The slot is kept for 5 ms behind the transfer.
        return [
            slice("photo \(number)", end, begin, wait + body + 5, known),
            slice("connect", "phase", begin, wait / 2), slice("first-byte", "phase", begin + wait / 2, wait - wait / 2),
            slice("body", "phase", begin + wait, body), slice("decode", "phase", begin + wait + body, 3),
        ]
    }

    private func write(_ events: [String], to name: String = "trace.json") throws -> String {
        let head = #"{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"sluice x"}}"#
        return try write(text: "[\n" + ([head] + events).joined(separator: ",\n") + "\n]\n", to: name)
    }

    private func write(text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
        return folder.path(name)
    }

    @Test("A trace gives each photo's host, bytes, wait and body, in the order of their slots")
    func trace() throws {
        let path = try write(
            photo(1, host: "b.test", begin: 40, wait: 30, body: 10, bytes: 5000)
                + photo(2, host: "a.test", begin: 0, wait: 20, body: 40, bytes: 9000)
                + photo(3, host: "b.test", begin: 60, wait: 90, body: 0, bytes: 0, end: "failed")
                + [
                    #"{"ph":"X","name":"photo 4","pid":1,"tid":9,"cat":"kept","ts":1,"dur":2,"args":{"url":"https://a.test/"}}"#
                ])
        let recording = try Recording(path)
        #expect(
            recording.photos == [
                .init(host: 0, bytes: 9000, wait: 20_000, body: 40_000, isDone: true),
                .init(host: 1, bytes: 5000, wait: 30_000, body: 10_000, isDone: true),
                .init(host: 1, bytes: 0, wait: 90_000, body: 0, isDone: false),
            ])
        // Until 65 ms the second photo's slot and the first one's were taken; then the third came.
        #expect(recording.course.setting.concurrency == 3 && recording.course.hosts == 2)
        let sample = recording.course.sample
        #expect(sample.done == 2 && sample.failed == 1 && sample.bytes == 14_000)
        #expect(sample.seconds == 0.155 && sample.latency.most == 60 && abs(sample.busy - 0.19) < 1e-9)
    }

    /// The arithmetic of a replay.
    ///
    /// A photo takes 60 ms + 40 ms = 100 ms, so that 12 of them, one at a time, take 1.2 s and no less,
    /// and six at a time take 0.2 s and no less. With three a host, one host takes 0.4 s.
    @Test("A replay takes what arithmetic says for each setting, and shows the run beside them")
    func arithmetic() throws {
        let path = try write(
            (0..<12).flatMap { photo($0, host: "a.test", begin: $0 * 105, wait: 60, body: 40, bytes: 8000) })
        let recording = try Recording(path)
        #expect(recording.course.setting.concurrency == 1)
        var options = LoaderBenchOptions()
        options.replay(recording)
        #expect(options.concurrency == [1, 2])
        options.concurrency = [1, 6]
        options.repeats = 1
        let report = try LoaderBench(options, executable: executable).run()
        let (one, six) = (report.points[0].samples[0], report.points[1].samples[0])
        #expect(one.done == 12 && six.done == 12 && one.bytes == 12 * 8000)
        #expect(one.seconds >= 1.19 && six.seconds >= 0.19 && six.seconds < one.seconds)
        #expect(one.latency.p50 >= 99 && six.latency.p50 >= 99)
        options.perHost = [3]
        options.concurrency = [6]
        let bounded = try LoaderBench(options, executable: executable).run().points[0].samples[0]
        #expect(bounded.seconds >= 0.39)
        #expect(report.table.rows.map { $0[0] } == ["recorded: 1", "1", "6"])
        #expect(report.findings.last?.hasPrefix("as recorded: ") == true)
        let json = try JSON(parsing: report.exported(as: .json))
        #expect(try Schema("bench").allows(json))
        #expect(json["kind"]?.text == "replay" && json["recording"]?["sample"]?["done"]?.integer == 12)
    }

    @Test("What failed fails again without another attempt, hosts stay apart, and thumbnails can be made")
    func hosts() throws {
        let path = try write(
            (0..<4).flatMap {
                photo(
                    $0, host: "h\($0 % 2).test", begin: 0, wait: 5, body: 2, bytes: 4000,
                    end: $0 == 3 ? "failed" : "done")
            })
        var options = LoaderBenchOptions()
        options.replay(try Recording(path))
        options.concurrency = [4]
        options.perHost = [1]
        options.thumbnails = [16]
        options.repeats = 1
        let sample = try LoaderBench(options, executable: executable).run().points[0].samples[0]
        #expect(sample.done == 3 && sample.failed == 1 && sample.retries == 0 && sample.decoding > 0)
        // Each host has a connection at least of its own, for both are h0 and h1 to the loader.
        #expect(sample.origin?.requests == 4 && (sample.origin?.connections ?? 0) >= 2)
    }

    @Test("A report leads to its trace, and says how the run loaded")
    func report() throws {
        let trace = try write(photo(0, host: "a.test", begin: 0, wait: 5, body: 2, bytes: 4000))
        let report = try write(
            text: """
                {"schema":1,"width":16,"options":{"per-host":"6","trace":"\(trace)"},
                "cost":{"cpu_seconds":1.5,"cores":2,"peak_memory":4096},"hosts":[{"retried":2},{"retried":1}]}
                """, to: "report.json")
        let course = try Recording(report).course
        #expect(course.setting.concurrency == 16 && course.setting.perHost == 6)
        var options = LoaderBenchOptions()
        options.replay(try Recording(report))
        #expect(options.concurrency == [8, 16, 32] && options.perHost == [6, 12])
        #expect(course.sample.cpu == 1.5 && course.sample.memory == 4096 && course.sample.retries == 3)
        #expect(try Recording(report, trace: trace).course == course)
    }

    @Test(
        "Wrong files are refused in one sentence that says what is needed",
        arguments: [
            ("{\"schema\":1,\"width\":4,\"options\":{}}", "--trace FILE"),
            (
                "{\"schema\":1,\"width\":4,\"options\":{\"trace\":\"/nowhere/t.json\"}}",
                "/nowhere/t.json, which is not there"
            ),
            ("{\"schema\":1,\"kind\":\"loader\"}", "neither a mirror's report.json nor what"),
            ("\u{89}PNG", "neither a mirror's report.json nor what"),
            ("{\"a\"", "neither a mirror's report.json nor what"),
            ("[\n\n]\n", "no photo that a host was asked for"), ("[1,2]", "no photo that a host was asked for"),
        ])
    func refusals(text: String, words: String) throws {
        let wrong = try write(text: text, to: "wrong")
        let error = #expect(throws: BenchError.self) { try Recording(wrong) }
        #expect(error?.code == .usage)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("A second trace, and a file that is not there, are refused")
    func second() throws {
        let trace = try write(photo(0, host: "a.test", begin: 0, wait: 5, body: 2, bytes: 4000))
        #expect(throws: BenchError.self) { try Recording(trace, trace: trace) }
        #expect(throws: BenchError.self) { try Recording(folder.path("none.json")) }
    }
}
