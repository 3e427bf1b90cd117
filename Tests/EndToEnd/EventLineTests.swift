// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceModel
import TestSupport
import Testing

extension CommandTests {
    @Suite("Events") struct EventLineTests {
        @Test("--json prints every event in order, and nothing else") func order() throws {
            let mirror = try DemoMirror()
            let result = try mirror.run("--json")
            #expect(result.code == 0 && result.isPlain)
            #expect(result.err.split(separator: "\n").count == 1 && result.err.hasPrefix("90 photos: 90 done, in "))
            let events = try RunEvent.all(in: result.out)
            let schema = try Schema("events")
            for line in result.out.split(separator: "\n") {
                #expect(schema.allows(try JSON(parsing: Array(line.utf8))), "\(line)")
            }
            let times = events.compactMap { $0.members["time"] as? Double }
            #expect(times.count == events.count && times == times.sorted())
            #expect(events.first?.name == "run-started" && events.last?.name == "run-finished")
            #expect(events.count { $0.name.hasPrefix("run-") } == 2)
            expectItemOrder(events)
            expectSameFacts(events, manifest: try RunEvent.all(in: mirror.tree().text("manifest.jsonl")))
        }

        private func expectItemOrder(_ events: [RunEvent]) {
            var loaded = 0
            var started: Set<Int> = []
            var ended: [Int] = []
            for event in events {
                switch event.name {
                case "page-loaded": loaded = event[number: "page"] ?? 0
                case "item-started":
                    #expect((event[number: "page"] ?? .max) <= loaded && !ended.contains(event.seq))
                    #expect(started.insert(event.seq).inserted)
                case "item-ended":
                    #expect(started.contains(event.seq))
                    ended.append(event.seq)
                default: break
                }
            }
            #expect(ended.sorted() == Array(1...90))
        }

        /// An item's event and its manifest line hold the same values.
        private func expectSameFacts(_ events: [RunEvent], manifest: [RunEvent]) {
            let ends = Dictionary(
                uniqueKeysWithValues: events.filter { $0.name == "item-ended" }.map { ($0.seq, $0.members) })
            for line in manifest {
                let end = ends[line.seq] ?? [:]
                for name in [
                    "id", "url", "file", "bytes", "sha256", "format", "width", "height", "orientation", "thumbs",
                ] {
                    #expect(end[name] as? NSObject == line.members[name] as? NSObject, "\(name) of \(line.seq)")
                }
            }
        }

        @Test("A closed pipe ends the run without a message, and the next run finishes the mirror") func head() throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try Binary.shell("{ sluice \(words) --json; echo $? >&2; } | head -n 1")
            #expect(result.err == "141\n" && result.code == 0)
            #expect(try RunEvent.all(in: result.out).map(\.name) == ["run-started"])
            #expect(try mirror.unfinished() == [])
            _ = try mirror.finish()
        }
    }
}

/// Runs that a timer starts.
@Suite("Scheduled runs", .timeLimit(.minutes(10))) struct ScheduledRunTests {
    private let folder = TemporaryFolder()

    private static let verifier = "/usr/bin/systemd-analyze"

    @Test(
        "systemd accepts the documented units",
        .enabled(if: FileManager.default.isExecutableFile(atPath: verifier), "systemd-analyze is missing"))
    func units() throws {
        let document = DocumentedCommand.repository.appending(path: "Documentation/upkeep.md")
        let text = try String(contentsOf: document, encoding: .utf8)
        let start = try #require(text.range(of: "    # photos.service\n"))
        let units = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.isEmpty || $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
            .replacing("=sluice ", with: "=\(Binary.path) ").split(separator: "# photos.timer\n")
        try #require(units.count == 2)
        for (unit, name) in zip(units, ["photos.service", "photos.timer"]) {
            try folder.write(String(unit), to: name)
        }
        let result = try Running(
            ["--user", "verify", "photos.service", "photos.timer"], program: Self.verifier,
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], folder: folder.url
        ).end()
        #expect(result.code == 0 && result.err.isEmpty, "\(result.err)")
    }
}
