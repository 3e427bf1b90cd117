// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceCLI

@Suite("JSON event writer", .timeLimit(.minutes(10))) struct JSONEventWriterTests {
    static let events: [Event] =
        Samples.events + [
            .pageFailed(number: 3, Failure(.timeout, "30 s", status: 200, finalURL: "https://elsewhere.test/")),
            .sourceRead(share: 0.25), .note("a\u{1B}\n\u{202E}", hint: .confirmPermission),
            .itemEnded(Samples.item(9), .kept(Receipt(.done))),
            .itemEnded(Samples.item(10), .skipped(Receipt(.skipped, failure: Failure(.optedOut, "noai")))),
            .itemNoted(Samples.item(11), "EXIF ignored: \u{1B}"),
            .itemProgressed(Samples.item(12), bytes: 1000, total: 2000), .concurrencyChanged(32, reason: "doubling"),
            .itemEnded(Samples.item(11), Samples.salvaged(.truncated, "no end")),
            .stopping(.signal(2)), .stopping(.requested),
            .stopping(.limit("the time limit was reached", hint: .raisePruneLimit)),
            .stopping(.failing("31 of 100 photos failed", hint: .slowDown)),
            .hostPaused("a.test", .seconds(42), Failure(.httpTooManyRequests, "", status: 429)),
            .hostGivenUp("a.test\u{202E}", Failure(.connect, "refused")),
            .stopping(.local(Failure(.disk, "full"))), .stopping(.damaged(Failure(.disk, "torn"))),
            .fileFound(FoundFile("unknown\u{1B}.jpg")), .fileFound(foundFile), .runFinished(summary),
            partlyDownloaded, .photosRemoved(.duplicate, done: 3, kept: 1), .runFinished(partialSummary),
        ]

    private static let partlyDownloaded: Event = {
        var receipt = Receipt(.done)
        (receipt.part, receipt.bytesReceived, receipt.bytesUnneeded) = (.preview, 12_000, 900_000)
        return .itemEnded(Samples.item(14), .done(receipt))
    }()

    private static let partialSummary: Summary = {
        var summary = Summary()
        summary.count(partlyDownloaded)
        return summary
    }()

    private static let foundFile: FoundFile = {
        var file = FoundFile("of two.jpg")
        (file.verdict, file.basis, file.items) = (.ambiguous, .name, [3, 8])
        return file
    }()

    static let summary: Summary = {
        var summary = Summary()
        for event in Samples.events { summary.count(event) }
        summary.stop = .signal(2)
        summary.duration = .milliseconds(1500)
        summary.peakMemory = 61_000_000
        return summary
    }()

    @Test("Each event is one line of JSON with schema and event, without control characters", arguments: events)
    func line(_ event: Event) throws {
        let bytes = JSONEventWriter.line(event, at: .milliseconds(1234))
        let value = try JSON(parsing: bytes)
        #expect(value["schema"]?.integer == 1)
        #expect(value["time"] == .number("1.234"))
        #expect(value["event"]?.text?.isEmpty == false)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        #expect(
            text.dropLast().unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) })
    }

    @Test("item-ended has the members of the manifest")
    func end() throws {
        let value = try JSON(parsing: JSONEventWriter.line(.itemEnded(Samples.item(1), Samples.done()), at: .zero))
        #expect(value["event"]?.text == "item-ended" && value["end"]?.text == "done")
        #expect(value["seq"]?.integer == 1 && value["id"]?.text == "p1" && value["page"]?.integer == 1)
        #expect(value["file"]?.text == "originals/p1.jpg" && value["bytes"]?.integer == 100_000)
        #expect(value["thumbs"]?.elements?.first?["file"]?.text == "thumbs/256/p1.jpg")
        #expect(value["cause"] == nil && value["url"] == nil, "unknown members are absent")
    }

    @Test("run-finished has the counts and the stop reason")
    func finished() throws {
        let value = try JSON(parsing: JSONEventWriter.line(.runFinished(Self.summary), at: .zero))
        #expect(value["done"]?.integer == 2 && value["failed"]?.integer == 1 && value["pages"]?.integer == 2)
        #expect(value["causes"]?["http-404"]?.integer == 1)
        #expect(value["stop"]?["reason"]?.text == "signal" && value["stop"]?["signal"]?.integer == 2)
        #expect(value["duration"] == .number("1.500"))
    }

    @Test("Documentation/events.md lists every event and every member")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "Documentation/events.md"), encoding: .utf8)
        for event in Self.events {
            guard case .object(let members) = try JSON(parsing: JSONEventWriter.line(event, at: .zero)) else {
                continue
            }
            for member in members {
                #expect(page.contains("`\(member.name)`") || member.name == "schema", "\(member.name)")
                if member.name == "event", let name = member.value.text { #expect(page.contains("`\(name)`")) }
            }
        }
    }

    @Test("Documentation/events.schema.json allows every event, and every event has a sample")
    func schema() throws {
        let schema = try Schema("events")
        for event in Self.events {
            let line = try JSON(parsing: JSONEventWriter.line(event, at: .zero))
            #expect(schema.allows(line), "\(line)")
            let name = try #require(line["event"]?.text)
            // The rule must be that of the event itself, because another one could be weaker.
            let members = schema.members(of: name)
            if case .object(let all) = line { #expect(members.isSuperset(of: all.map(\.name)), "\(name)") }
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let source = try String(
            contentsOf: root.appending(path: "Sources/SluiceModel/Runs/Event.swift"), encoding: .utf8)
        let kinds = try #require(source.split(separator: "\n}\n").first).matches(
            of: /\n    (?:indirect )?case ([a-zA-Z]+)/)
        let sampled = Self.events.compactMap { Mirror(reflecting: $0).children.first?.label }
        #expect(Set(kinds.map { String($0.1) }) == Set(sampled))
    }

    @Test("A closed pipe ends the writing without an error message")
    func brokenPipe() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let lines = JSONEventWriter(to: pipe.output)
        #expect(lines.record(.note("first")))
        try pipe.closeReader()
        #expect(!lines.record(.note("second")))
        #expect(pipe.output.exitCode == .brokenPipe && pipe.output.problem == nil)
    }

    @Test(
        "A failed write is a local problem",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() throws {
        let file = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let output = Output(descriptor: file.fileDescriptor)
        #expect(!output.write("x") && output.exitCode == .local && output.problem == "No space left on device")
    }
}
