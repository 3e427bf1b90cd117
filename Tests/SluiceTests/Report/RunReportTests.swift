// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("RunReport", .serialized, .timeLimit(.minutes(10))) struct RunReportTests {
    private let folder = TemporaryFolder()
    private var out: String { folder.path("mirror") }

    private func mirror(_ change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        PhotoMirror(of: "demo", into: out, options: .small(change))
    }

    private func report() throws -> JSON { try JSON(parsing: folder.bytes(of: "mirror/report.json")) }

    @Test("A run writes a report that matches its schema and counts all its work") func whole() async throws {
        let words = ["mirror", "demo", "--pages=2"]
        let summary = try await mirror { $0.commandLine = words }.run()
        let report = try report()
        #expect(try Schema("report").allows(report))
        #expect(report["done"]?.integer == 12 && report["thumbs"]?.integer == 12)
        #expect(report["bytes_received"]?.integer == summary.bytesReceived)
        #expect(report["command"]?.elements?.compactMap(\.text) == words)
        #expect(report["hosts"]?.elements?.first?["done"]?.integer == 12)
        let phases = report["phases"]?.elements ?? []
        #expect(phases.compactMap { $0["phase"]?.text } == ItemPhase.allCases.map(\.name) + ["item"])
        #expect(phases.first { $0["phase"]?.text == "decode" }?["count"]?.integer == 12)
        #expect(report["over_time"]?.elements?.reduce(0) { $0 + ($1["done"]?.integer ?? 0) } == 12)
        #expect(report["cost"]?["memory_budget"]?.integer == 512 << 20)
        #expect(report["versions"]?["Sluice"]?.text == Version.number)
        let page = try folder.text("mirror/report.html")
        #expect(page.contains("12 photos: 12 done"))
        #expect(page.contains("<a href=\"index.html\">Gallery</a>"))
    }

    @Test("The report of a run without a gallery does not link to one") func withoutGallery() async throws {
        _ = try await mirror { $0.writesGallery = false }.run()
        let page = try folder.text("mirror/report.html")
        #expect(page.contains("12 photos: 12 done") && !page.contains("index.html"))
    }

    @Test("A stopped run and a run without work write a report as well") func stopped() async throws {
        let stopped = mirror()
        _ = try await stopped.run { event in
            if case .itemEnded = event { stopped.stop(.requested) }
        }
        #expect(try report()["stopped"] == .bool(true))
        _ = try await mirror().run()
        _ = try await mirror().run()
        let report = try report()
        #expect(try Schema("report").allows(report))
        #expect(report["kept"]?.integer == 12 && report["stopped"] == .bool(false))
    }

    @Test("The report compares the run with up to four earlier ones") func compares() async throws {
        func page() throws -> String { try folder.text("mirror/report.html") }
        func figures() throws -> [RunFigures] {
            try RunFigures.all(inReport: folder.bytes(of: "mirror/report.json"))
        }
        _ = try await mirror().run()
        #expect(try !page().contains("Compared with earlier runs"))
        let first = try #require(try figures().first)
        #expect(first.done == 12 && first.thumbs == 12 && first.bytesReceived > 0 && first.peakMemory > 0)
        #expect(first.seconds > 0 && first.medianTime ?? 0 > 0 && first.longTime ?? 0 >= first.medianTime ?? 0)
        for run in 2...6 {
            _ = try await mirror().run()
            let figures = try figures()
            // Five at most: this run and four earlier ones.
            #expect(figures.count == min(run, 5) && figures.prefix(figures.count - 1).allSatisfy { $0.kept == 12 })
            if run < 6 { #expect(figures.last == first) }
        }
        #expect(try page().contains("Compared with earlier runs"))
        #expect(try Schema("report").allows(report()))
    }

    @Test(
        "A report that is damaged or of another version is not compared",
        arguments: [
            "", "{}", "[1]", "{\"schema\":3,\"started_at\":1,\"duration\":1}", "{\"schema\":1}",
            "{\"schema\":1,\"started_at\":1,\"duration\":-1}", "{\"schema\":1,\"started_at\":1,\"duration\":1e999}",
            // It was formatted as a date, which overflowed.
            "{\"schema\":1,\"started_at\":-9223372036854775808,\"duration\":1}",
        ])
    func ignoresOthers(text: String) { #expect(RunFigures.all(inReport: Array(text.utf8)) == []) }

    @Test("The figures of reports of schema 1 are compared", arguments: [1, 2]) func earlierSchemas(schema: Int) {
        let text = #"{"schema":\#(schema),"started_at":9,"duration":2.5,"held_up":{},"course":[]}"#
        #expect(RunFigures.all(inReport: Array(text.utf8)) == [RunFigures(startedAt: 9, seconds: 2.5)])
    }

    @Test("Wrong members of a report count as missing") func wrongMembers() throws {
        let text = """
            {"schema":1,"started_at":9,"duration":2.5,"done":-4,"failed":"x","cost":[],"phases":[{"phase":"item","p50_ms":-1}],
            "bottleneck":{"limited_by":"<b>"}}
            """
        #expect(RunFigures.all(inReport: Array(text.utf8)) == [RunFigures(startedAt: 9, seconds: 2.5)])
    }

    @Test("If the report cannot be written, the run succeeds with a note") func hindered() async throws {
        _ = try await mirror().run()
        try FileManager.default.removeItem(atPath: out + "/report.json")
        try FileManager.default.createDirectory(atPath: out + "/report.json", withIntermediateDirectories: false)
        let notes = Locked<[String]>([])
        let summary = try await mirror().run { event in
            if case .note(let words, _) = event { notes.withLock { $0.append(words) } }
        }
        #expect(summary.kept == 12 && summary.stop == nil)
        #expect(notes.withLock { $0 }.contains { $0.hasPrefix("cannot write the run's report") })
    }

    @Test("The report contains no headers and no passwords, with any options") func secrets() async throws {
        _ = try await mirror {
            $0.headers = ["Authorization: Client-ID hush"]
            $0.network.proxy = nil
            $0.contact = "hush@example.org"
        }.run()
        for name in ["report.json", "report.html"] {
            #expect(
                try !folder.text("mirror/\(name)").contains("hush"), "\(name)")
        }
    }

    @Test("The bottleneck sentence names the bottleneck, its share of the time, and the flag that may help")
    func sentences() {
        func finding(
            _ bottleneck: Bottleneck, pauses: Int = 0, isMemoryBound: Bool = false,
            _ change: (inout TuningContext) -> Void = { _ in }
        ) -> RunReport.Finding {
            var tuning = TuningContext(slots: 16, perHost: 6, decoders: 2, memory: 512)
            change(&tuning)
            return RunReport.Finding(
                bottleneck, share: 0.714, tuning: tuning, pauses: pauses, isMemoryBound: isMemoryBound)
        }
        #expect(
            finding(.network).sentence
                == "The network limited the run for 71 % of the time: transfers used all 16 slots; --concurrency 32 "
                + "may be faster if the network has spare capacity.")
        // With automatic concurrency there is no advice to set it.
        let found = finding(.network) { $0.adaptsSlots = true }
        #expect(found.flag == nil && found.sentence.hasSuffix("are useful."))
        #expect(
            finding(.decode) { ($0.decoders, $0.cores) = (1, 4) }.sentence.contains(
                "the only decoder, and --memory 512M"))
        #expect(finding(.bandwidth).flag == "--bandwidth")
        #expect(finding(.hosts).sentence.contains("--per-host 12"))
        #expect(finding(.hosts) { $0.hasRate = true }.flag == "--rate")
        #expect(finding(.hosts, pauses: 3).sentence.contains("paused 3 times; a lower --per-host than 6"))
        #expect(finding(.decode).flag == "--quality-mode")
        #expect(finding(.decode, isMemoryBound: true).sentence.contains("--memory 1024M"))
        #expect(finding(.disk).flag == "--durability")
        #expect(finding(.disk) { $0.durability = .none }.flag == nil)
        #expect(finding(.feed) { $0.perPage = 30 }.sentence.contains("--per-page 60"))
        // Twice the number overflowed.
        #expect(finding(.feed) { $0.perPage = .max }.sentence.contains("--per-page with a larger number"))
        for bottleneck in Bottleneck.allCases {
            let finding = finding(bottleneck)
            #expect(finding.flag.map { finding.sentence.contains($0) } ?? true, "\(finding)")
        }
    }
}

@Suite("RunLogs", .serialized, .timeLimit(.minutes(10))) struct RunLogsTests {
    private let folder = TemporaryFolder()

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
        let text = try folder.text("sluice.prom")
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
        try folder.write(onePixel, to: "one.png")
        var options = ThumbnailRunOptions()
        (options.trace, options.metrics) = (folder.path("trace.json"), folder.path("metrics.prom"))
        _ = try await ThumbnailRun(of: [folder.path("one.png")], into: folder.path("out"), options: options).run()
        let events = try #require(try JSON(parsing: folder.bytes(of: "trace.json")).elements)
        #expect(events.count { $0["cat"]?.text == "done" } == 1)
        let metrics = try folder.text("metrics.prom")
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
