// SPDX-License-Identifier: MIT

import Foundation
import SluiceOrigin
import TestSupport
import Testing

extension CommandTests {
    @Suite("Interruptions") struct InterruptionTests {
        @Test(
            "A signal stops the run cleanly, and the next run finishes the same mirror",
            arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143)), (SIGHUP, Int32(129))])
        func stopped(by signal: Int32, code: Int32) throws {
            let mirror = try DemoMirror()
            let running = try mirror.startSlowly()
            try running.wait(for: "item-ended", count: 5)
            running.send(signal)
            let result = try running.end()
            #expect(result.code == code && result.isPlain)
            let events = try RunEvent.all(in: result.out)
            let done = events.ended("done")
            #expect(done.count >= 5 && done.count < 90)
            #expect(
                result.err == """
                    finishing photos in flight; press Ctrl-C again to stop now
                    stopped: \(done.count) done, \(90 - done.count) remaining; run again to continue

                    """)
            #expect(events.count { $0.name == "stopping" } == 1 && events.last?.name == "run-finished")
            #expect(events.started.isSubset(of: events.filter { $0.name == "item-ended" }.map(\.seq)))
            #expect(try mirror.unfinished() == [])
            let next = try mirror.finish()
            #expect(next.ended("kept") == done && next.ended("done") == Set(1...90).subtracting(done))
        }

        @Test(
            "After one or two signals at any moment the ledger is correct and the next run finishes the mirror",
            .enabled(if: LongTests.areWanted, "\(LongTests.advice)"),
            arguments: [
                ("run-started", 1), ("page-requested", 1), ("page-loaded", 1), ("item-started", 1),
                ("item-started", 20),
                ("item-ended", 1), ("item-ended", 30), ("page-loaded", 3), ("item-ended", 60), ("item-ended", 89),
            ], [1, 2])
        func anytime(_ moment: (event: String, count: Int), signals: Int) throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: moment.event, count: moment.count)
            for _ in 0..<signals { running.send(SIGINT) }
            let result = try running.end()
            // A signal may arrive too late to stop anything.
            #expect([130, 0].contains(result.code) && result.isPlain, "\(result.err)")
            let whole = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "\n")
            let done = try RunEvent.all(in: whole).ended("done")
            let next = try mirror.finish()
            #expect(done.isSubset(of: next.ended("kept")) && next.started.isDisjoint(with: done))
        }

        @Test("A stopped run's gallery and manifest show its progress") func halfway() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended", count: 5)
            running.send(SIGINT)
            let done = try RunEvent.all(in: running.end().out).ended("done")
            let tree = try mirror.tree()
            let lines = try RunEvent.all(in: tree.text("manifest.jsonl"))
            #expect(Set(lines.filter { $0[text: "state"] == "done" }.map(\.seq)) == done)
            let rest = lines.filter { $0[text: "state"] != "done" }
            #expect(rest.allSatisfy { $0[text: "state"] == "skipped" && $0[text: "cause"] == "deferred" })
            #expect(tree.files["index.html"] != nil)
        }

        @Test(
            "The trace of a stopped or killed run is valid JSON, and a stopped run has a report",
            arguments: [SIGINT, SIGKILL])
        func logs(signal: Int32) throws {
            let mirror = try DemoMirror()
            let trace = mirror.parent.appending(path: "trace.json")
            let running = try mirror.startSlowly("--trace", trace.path)
            // Enough items for some samples, which flush the trace.
            try running.wait(for: "item-ended", count: 30)
            running.send(signal)
            _ = try running.end()
            let events = try JSONSerialization.jsonObject(with: Data(contentsOf: trace)) as? [[String: Any]]
            #expect(events?.first?["name"] as? String == "process_name")
            if signal == SIGINT { #expect(events?.contains { $0["cat"] as? String == "done" } == true) }
            #expect(try (mirror.tree().files["report.json"] != nil) == (signal == SIGINT))
        }

        @Test("The next run finishes a killed run and fetches no finished photo again") func killed() throws {
            let mirror = try DemoMirror()
            let running = try mirror.startSlowly()
            try running.wait(for: "item-ended", count: 5)
            running.send(SIGKILL)
            let result = try running.end().expect(-SIGKILL)
            // The last line may be incomplete.
            let whole = result.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast().joined(
                separator: "\n")
            let done = try RunEvent.all(in: whole).ended("done")
            #expect(done.count >= 5 && done.count < 90)
            let next = try mirror.finish()
            #expect(done.isSubset(of: next.ended("kept")) && next.started.isDisjoint(with: done))
        }

        @Test("Repeatedly killed runs leave nothing but the mirror") func killedOften() throws {
            let mirror = try DemoMirror()
            for count in [1, 1, 2, 3, 5] {
                let running = try mirror.start()
                try running.wait(for: "item-started", count: count)
                running.send(SIGKILL)
                _ = try running.end()
            }
            _ = try mirror.finish()
        }

        @Test("A second signal ends the run immediately, and the next run finishes the mirror") func twice() throws {
            let mirror = try DemoMirror()
            // The events of 64 photos in flight do not fit into the pipe, so the run cannot exit before they are read.
            let running = try Running(mirror.arguments + ["--json", "--concurrency", "64"])
            running.narrowOutput()
            try running.wait(for: "item-ended")
            running.send(SIGINT)
            try running.wait(for: "stopping")
            running.send(SIGINT)
            let result = try running.endUnread()
            #expect(result.code == 130 && result.err.hasSuffix("stopped immediately; run again to continue\n"))
            _ = try mirror.finish()
        }
    }
}

extension CommandTests {
    /// Rows F7, F8 and G2 of the fault table: file size limits, a moved folder, and concurrent runs.
    @Suite("Outside interference") struct InterferenceTests {
        /// SIGXFSZ used to end the process without a message.
        @Test("A file size limit stops the run, and the next run finishes the mirror")
        func fileSize() throws {
            let mirror = try DemoMirror()
            let words = mirror.arguments.map { "'\($0)'" }.joined(separator: " ")
            let result = try Binary.shell("ulimit -f 40; sluice \(words)")
            #expect(result.code == 5 && result.isPlain, "\(result)")
            _ = try mirror.finish()
        }

        @Test("A folder that is moved away during the run is not created again, and can be moved back")
        func moved() throws {
            let mirror = try DemoMirror()
            let running = try mirror.start()
            try running.wait(for: "item-ended", count: 1)
            running.stop()
            let away = mirror.parent.appending(path: "away").path
            try FileManager.default.moveItem(atPath: mirror.path, toPath: away)
            running.send(SIGCONT)
            let result = try running.end()
            #expect([0, 5].contains(result.code) && result.isPlain, "\(result)")
            #expect(!FileManager.default.fileExists(atPath: mirror.path))
            let done = try RunEvent.all(in: result.out).ended("done")
            try FileManager.default.moveItem(atPath: away, toPath: mirror.path)
            #expect(done.isSubset(of: try mirror.finish().ended("kept")))
        }

        @Test("Of several runs that start together one gets the mirror, and the others are refused")
        func together() throws {
            let mirror = try DemoMirror()
            let all = try (0..<8).map { _ in try mirror.start() }
            let codes = try all.map { try $0.end().code }
            // A late run may find the mirror free again and everything done.
            #expect(Set(codes) == [0, 6] || Set(codes) == [0], "\(codes)")
            _ = try mirror.finish()
        }
    }
}

extension CommandTests {
    @Suite("Resuming downloads", .timeLimit(.minutes(10))) struct ResumeTests {
        /// Serves one photo with a strong ETag.
        private struct Service: OriginService {
            let photo: [UInt8]

            func reply(to request: OriginRequest) -> OriginReply {
                OriginReply(type: "image/jpeg", photo, headers: [OriginHeader("ETag", "\"v1\"")]).applyingConditions(
                    of: request)
            }
        }

        /// One of the demo's photos, made longer by comments.
        private static func photo() throws -> [UInt8] {
            let files = try DemoMirror.undisturbed.get().tree.files
            let name = try #require(files.keys.sorted().first { $0.hasPrefix("originals/") && $0.hasSuffix(".jpg") })
            let bytes = try [UInt8](#require(files[name]))
            let comment = [0xFF, 0xFE, 0xEA, 0x62] + [UInt8](repeating: 0x78, count: 60_000)
            return bytes.prefix(2) + Array(repeatElement(comment, count: 4).joined()) + bytes.dropFirst(2)
        }

        @Test("The next run resumes a killed run's partial file and does not request its bytes again")
        func killed() async throws {
            let folder = TemporaryFolder()
            let photo = try Self.photo()
            var options = OriginOptions()
            // Slow enough that a note is written before the download is complete.
            options.faults = [OriginFaultRule(.drip(bytes: 2000, every: .milliseconds(50)), .first(1))]
            let origin = try OriginServer(Service(photo: photo), options: options)
            let address = "\(origin.address)/photo.jpg"
            try folder.write("\(address)\n", to: "list.txt")
            let arguments = [
                "mirror", "list.txt", "--out", "out", "--sizes", "none", "--allow-private", "--no-robots", "--json",
                "--allow-port", "\(origin.port)",
            ]
            let running = try Running(arguments, folder: folder.url)
            let note = folder.path("out/.sluice/partial/1.note")
            try await wait(for: "the note") { FileManager.default.fileExists(atPath: note) }
            running.send(SIGKILL)
            #expect(try running.end().code == -SIGKILL)
            let left = try folder.bytes(of: "out/.sluice/partial/1").count
            try Binary.run(arguments, folder: folder.url).expect()
            let requests = origin.requests
            let range = try #require(requests.last?.header("Range"))
            let from = try #require(Int(range.dropFirst("bytes=".count).dropLast()))
            #expect(requests.count == 2 && requests[0].header("Range") == nil)
            #expect(from >= 32 << 10 && from <= left && requests[1].header("If-Range") == "\"v1\"")
            let tree = try Tree(of: folder.path("out"))
            #expect(tree.files.filter { $0.key.hasPrefix("originals/") }.map(\.value) == [Data(photo)])
            #expect(!tree.names.contains { $0.hasPrefix(".sluice/partial/") })
        }
    }
}
