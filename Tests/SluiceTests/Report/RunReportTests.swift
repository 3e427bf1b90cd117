// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("RunReport", .serialized, .timeLimit(.minutes(10))) struct RunReportTests {
    private let folder: TemporaryFolder
    private var out: String { folder.path("mirror") }

    init() throws { folder = try TemporaryFolder() }

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
        let page = try String(decoding: folder.bytes(of: "mirror/report.html"), as: UTF8.self)
        #expect(page.contains("12 photos: 12 done"))
        #expect(page.contains("<a href=\"index.html\">Gallery</a>"))
    }

    @Test("The report of a run without a gallery does not link to one") func withoutGallery() async throws {
        _ = try await mirror { $0.writesGallery = false }.run()
        let page = try String(decoding: folder.bytes(of: "mirror/report.html"), as: UTF8.self)
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
        func page() throws -> String { try String(decoding: folder.bytes(of: "mirror/report.html"), as: UTF8.self) }
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
                !String(decoding: try folder.bytes(of: "mirror/\(name)"), as: UTF8.self).contains("hush"), "\(name)")
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
