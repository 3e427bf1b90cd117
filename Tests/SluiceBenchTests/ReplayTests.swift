// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceBench

/// Replays with real processes: the origin and each sample run the built command.
@Suite("Replay", .timeLimit(.minutes(10)), .serialized) struct ReplayTests {
    private let folder = TemporaryFolder()

    private var executable: String {
        let tests = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().appending(path: "sluice").path
    }

    /// Returns a photo's slice and phases as `--trace` writes them; times are in milliseconds.
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
        // The photo holds its slot for 5 ms after the transfer.
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
        try folder.write(text, to: name)
        return folder.path(name)
    }

    @Test("A trace gives each photo's host, bytes, wait and body time, in the order of their slots")
    func trace() throws {
        let path = try write(
            photo(1, host: "b.test", begin: 40, wait: 30, body: 10, bytes: 5000)
                + photo(2, host: "a.test", begin: 0, wait: 20, body: 40, bytes: 9000)
                + photo(3, host: "b.test", begin: 60, wait: 90, body: 0, bytes: 0, end: "failed")
                + [
                    #"{"ph":"X","name":"photo 4","pid":1,"tid":9,"cat":"kept","ts":1,"dur":2,"args":{"url":"https://a.test/"}}"#,
                    // Such a time was added to the length, which overflowed.
                    #"{"ph":"X","name":"photo 5","pid":1,"tid":9,"cat":"done","ts":9223372036854775807,"dur":2,"args":{}}"#,
                ])
        let recording = try Recording(path)
        #expect(
            recording.photos == [
                .init(host: 0, bytes: 9000, wait: 20_000, body: 40_000, isDone: true),
                .init(host: 1, bytes: 5000, wait: 30_000, body: 10_000, isDone: true),
                .init(host: 1, bytes: 0, wait: 90_000, body: 0, isDone: false),
            ])
        // The first two photos hold their slots until 65 ms; the third starts before.
        #expect(recording.run.setting.concurrency == 3 && recording.run.hosts == 2)
        let sample = recording.run.sample
        #expect(sample.done == 2 && sample.failed == 1 && sample.bytes == 14_000)
        #expect(sample.seconds == 0.155 && sample.latency.maximum == 60 && abs(sample.slotSeconds - 0.19) < 1e-9)
    }

    /// Checks lower bounds of the time.
    ///
    /// A photo takes 60 ms + 40 ms = 100 ms. So 12 photos take at least 1.2 s one at a time, at least 0.2 s six at a
    /// time, and at least 0.4 s with a limit of three per host.
    @Test("A replay takes the expected time for each setting and also lists the recorded run")
    func arithmetic() throws {
        let path = try write(
            (0..<12).flatMap { photo($0, host: "a.test", begin: $0 * 105, wait: 60, body: 40, bytes: 8000) })
        let recording = try Recording(path)
        #expect(recording.run.setting.concurrency == 1)
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

    @Test("Failed photos fail again without a retry, hosts stay separate, and thumbnails can be made")
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
        #expect(sample.done == 3 && sample.failed == 1 && sample.retries == 0 && sample.decodingSeconds > 0)
        // Each host has at least one connection of its own, because the loader sees two host names.
        #expect(sample.origin?.requests == 4 && (sample.origin?.connections ?? 0) >= 2)
    }

    @Test("A report names its trace and the run's setting")
    func report() throws {
        let trace = try write(photo(0, host: "a.test", begin: 0, wait: 5, body: 2, bytes: 4000))
        let report = try write(
            text: """
                {"schema":1,"width":16,"options":{"per-host":"6","trace":"\(trace)"},
                "cost":{"cpu_seconds":1.5,"cores":2,"peak_memory":4096},"hosts":[{"retried":2},{"retried":1}]}
                """, to: "report.json")
        let run = try Recording(report).run
        #expect(run.setting.concurrency == 16 && run.setting.perHost == 6)
        var options = LoaderBenchOptions()
        options.replay(try Recording(report))
        #expect(options.concurrency == [8, 16, 32] && options.perHost == [6, 12])
        #expect(run.sample.cpuSeconds == 1.5 && run.sample.peakMemory == 4096 && run.sample.retries == 3)
        #expect(try Recording(report, trace: trace).run == run)
    }

    @Test(
        "Unsuitable files are refused with a message and a hint",
        arguments: [
            ("{\"schema\":1,\"width\":4,\"options\":{}}", "the run recorded no trace", .recordTrace),
            (
                "{\"schema\":1,\"width\":4,\"options\":{\"trace\":\"/nowhere/t.json\"}}",
                "cannot find the trace '/nowhere/t.json'", nil
            ),
            ("{\"schema\":1,\"kind\":\"loader\"}", "neither a mirror's report nor a trace", .recordTrace),
            ("\u{89}PNG", "neither a mirror's report nor a trace", .recordTrace),
            ("{\"a\"", "neither a mirror's report nor a trace", .recordTrace),
            ("[\n\n]\n", "records no downloaded photo", nil), ("[1,2]", "records no downloaded photo", nil),
        ] as [(String, String, Hint?)])
    func refusals(text: String, words: String, hint: Hint?) throws {
        let wrong = try write(text: text, to: "wrong")
        let error = #expect(throws: BenchError.self) { try Recording(wrong) }
        #expect(error?.code == .usage && (hint == nil || error?.hint == hint))
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("A second trace and a missing file are refused")
    func second() throws {
        let trace = try write(photo(0, host: "a.test", begin: 0, wait: 5, body: 2, bytes: 4000))
        #expect(throws: BenchError.self) { try Recording(trace, trace: trace) }
        #expect(throws: BenchError.self) { try Recording(folder.path("none.json")) }
    }
}
