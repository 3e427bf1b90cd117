// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("RunLogs", .serialized, .timeLimit(.minutes(10))) struct RunLogsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ change: (inout MirrorOptions) -> Void) async throws -> Summary {
        try await PhotoMirror(of: "demo", into: folder.path("mirror"), options: .small(change)).run()
    }

    @Test("Each photo in the trace has a lane without overlaps, and its phases are inside its time span") func trace()
        async throws
    {
        _ = try await run { $0.trace = folder.path("trace.json") }
        let events = try #require(try JSON(parsing: folder.bytes(of: "trace.json")).elements)
        let slices = events.filter { $0["ph"]?.text == "X" }
        let photos = slices.filter { $0["cat"]?.text == "done" }
        #expect(photos.count == 12)
        #expect(events.contains { $0["ph"]?.text == "C" && $0["name"]?.text == "in flight" })
        #expect(events.filter { $0["name"]?.text == "process_name" }.count == 1)
        for photo in photos {
            let track = try #require(photo["tid"]?.integer)
            let time = try span(of: photo)
            let others = try photos.filter { $0 != photo && $0["tid"]?.integer == track }.map(span(of:))
            #expect(others.allSatisfy { $0.upperBound <= time.lowerBound || $0.lowerBound >= time.upperBound })
            let phases = try slices.filter { $0["cat"]?.text == "phase" && $0["tid"]?.integer == track }
                .filter { try time.contains(span(of: $0).lowerBound) }
            let names = phases.compactMap { $0["name"]?.text }
            #expect(Set(names).isSuperset(of: ["first-byte", "decode", "resample", "encode", "write"]))
            // Each start may be rounded down by a microsecond.
            for phase in phases { #expect(try span(of: phase).upperBound <= time.upperBound + 20) }
        }
    }

    private func span(of slice: JSON) throws -> Range<Int> {
        let begin = try #require(slice["ts"]?.integer)
        return begin..<(begin + max(1, try #require(slice["dur"]?.integer)))
    }

    @Test("A trace is valid JSON after every written piece") func pieces() throws {
        let path = folder.path("trace.json")
        let start = ContinuousClock.now
        let trace = try TraceFile(path, source: "a \"feed\"\n", since: start)
        for count in 0..<5 {
            let events = try #require(try JSON(parsing: folder.bytes(of: "trace.json")).elements)
            #expect(events.count == count + 1)
            trace.write { $0.add(pauseOf: "h\(count)", for: .seconds(1), now: start) }
        }
        #expect(trace.writeError == nil)
    }

    @Test("The buffer of unwritten output is bounded for any number of events") func bounded() throws {
        let trace = try TraceFile(folder.path("trace.json"), source: "x", since: .now)
        for number in 0..<5000 { trace.add { $0.add(pauseOf: "h\(number)", for: .seconds(1), now: .now) } }
        let written = try folder.bytes(of: "trace.json").count
        trace.write()
        let whole = try folder.bytes(of: "trace.json").count
        #expect(written > 300_000 && whole - written < 70_000)
    }

    @Test("Metrics are written at the end with help, type and correct values") func metrics() async throws {
        let summary = try await run { $0.metrics = folder.path("sluice.prom") }
        let text = try String(decoding: folder.bytes(of: "sluice.prom"), as: UTF8.self)
        let metrics = try Metrics(text)
        #expect(metrics.value(#"sluice_photos_total{end="done"}"#) == 12)
        #expect(metrics.value("sluice_thumbnails_total") == 12)
        #expect(metrics.value("sluice_received_bytes_total").map { $0 > Double(summary.bytesReceived) } == true)
        #expect(metrics.value(#"sluice_phase_seconds_count{phase="decode"}"#) == 12)
        #expect(metrics.value(#"sluice_phase_seconds_bucket{phase="decode",le="+Inf"}"#) == 12)
        #expect(metrics.types.keys.allSatisfy { $0.hasPrefix("sluice_") })
        for (name, type) in metrics.types { #expect(name.hasSuffix("_total") == (type == "counter"), "\(name)") }
        var last = 0.0
        for bound in ["0.001", "0.0025", "0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10"]
        {
            let count = try #require(metrics.value(#"sluice_phase_seconds_bucket{phase="decode",le="\#(bound)"}"#))
            #expect(count >= last)
            last = count
        }
    }

    @Test("Any text in a label's value is escaped") func labels() throws {
        var text = MetricsText()
        text.add("sluice_info", "What it is.", .gauge, 1, ["feed": "a\"b\\c\nd"])
        #expect(text.text.split(separator: "\n").last == #"sluice_info{feed="a\"b\\c\nd"} 1"#)
        _ = try Metrics(text.text)
    }

    @Test("A run over local files writes the trace and the metrics as well") func files() async throws {
        try Data(onePixel).write(to: folder.url.appending(path: "one.png"))
        var options = ThumbnailRunOptions()
        (options.trace, options.metrics) = (folder.path("trace.json"), folder.path("metrics.prom"))
        _ = try await ThumbnailRun(of: [folder.path("one.png")], into: folder.path("out"), options: options).run()
        let events = try #require(try JSON(parsing: folder.bytes(of: "trace.json")).elements)
        #expect(events.count { $0["cat"]?.text == "done" } == 1)
        let metrics = String(decoding: try folder.bytes(of: "metrics.prom"), as: UTF8.self)
        #expect(metrics.contains("sluice_photos_total{end=\"done\"} 1\n"))
    }

    @Test("A file that cannot be written is reported before the run begins", arguments: [true, false])
    func refused(isTrace: Bool) async throws {
        let path = folder.path("no/such/folder")
        let error = await #expect(throws: MirrorError.self) {
            _ = try await run { options in
                if isTrace { options.trace = path } else { options.metrics = path }
            }
        }
        #expect(error?.code == .local && error?.hint == (isTrace ? .chooseTraceFile : .chooseMetricsFile))
        #expect(try PhotoMirror.runs(in: folder.path("mirror")).isEmpty, "what never began is no run")
        // The mirror's lock was released.
        #expect(try await run { _ in }.done == 12)
    }
}

/// A strict parser of Prometheus' text format.
private struct Metrics {
    private var values: [String: Double] = [:]
    private(set) var types: [String: String] = [:]

    init(_ text: String) throws {
        var helped: Set<Substring> = []
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# HELP ([a-z_]+) (.+)/) {
                #expect(helped.insert(match.1).inserted, "\(line)")
            } else if let match = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
                #expect(helped.contains(match.1) && types[String(match.1)] == nil, "\(line)")
                types[String(match.1)] = String(match.2)
            } else {
                let sample = /([a-z_]+)(\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})? ([-+0-9.eInf]+)/
                let match = try #require(line.wholeMatch(of: sample), "\(line)")
                let family = match.1.replacing(/_(bucket|sum|count)$/, with: "")
                #expect(types[String(match.1)] != nil || types[String(family)] == "histogram", "\(line)")
                let name = "\(match.1)\(match.2 ?? "")"
                #expect(values[name] == nil, "\(line)")
                let value: Double = try #require(Double(match.3))
                values[name] = value
            }
        }
    }

    func value(_ name: String) -> Double? { values[name] }
}
