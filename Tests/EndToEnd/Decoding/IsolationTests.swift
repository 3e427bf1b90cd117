// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Runs whose decoders crash, hang or try to escape.
@Suite("Isolation", .timeLimit(.minutes(10)), .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
struct IsolationTests {
    private let folder: TemporaryFolder
    private let codec: BadCodec

    init() throws {
        folder = try TemporaryFolder()
        codec = try #require(BadCodec.shared)
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
    }

    private func add(_ name: String, width: Int = 96) throws {
        let shade = folder.names().count
        try BadCodec.picture(width: width, shade: shade).write(to: folder.url.appending(path: "in/\(name).jpg"))
    }

    private var hasOriginal: Bool { folder.names().contains("m/originals/00001-crashes.jpg") }

    private func start(_ more: [String], by command: String = "mirror") throws -> Running {
        let words = [command, "in", "--out", "m", "--sizes", "32", "--json"] + more
        return try Running(words, environment: codec.environment, folder: folder.url)
    }

    private func run(_ more: String...) throws -> (code: Int32, ends: [String: String]) {
        let result = try start(more).end()
        return (result.code, try Self.ends(in: RunEvent.all(in: result.out)))
    }

    /// How each photo ended: `done`, or its cause and the evidence.
    private static func ends(in events: [RunEvent]) -> [String: String] {
        let ended = events.filter { $0.name == "item-ended" }
        return Dictionary(
            uniqueKeysWithValues: ended.map { event in
                let name = (event[text: "id"] ?? "").split(separator: "/").last.map(String.init) ?? ""
                let detail = event[text: "detail"].map { ": \($0)" } ?? ""
                return (name, event[text: "cause"].map { $0 + detail } ?? event[text: "end"] ?? "")
            })
    }

    @Test("A decoder that dies fails only its photo, and the detail says how it died")
    func deaths() throws {
        for act in [BadCodec.Act.crashes, .aborts, .takesAllMemory, .exits, .garblesReply] {
            try add("\(act)", width: act.rawValue)
        }
        for number in 0..<12 { try add("fine\(number)") }
        // The deadline is tested below; here even a busy machine must not reach it.
        let (code, ends) = try run("--decode-timeout", "10m", "--memory", "64M")
        #expect(code == 3)
        #expect(ends["crashes.jpg"] == "decoder-crashed: signal 11")
        #expect(ends["aborts.jpg"] == "decoder-crashed: signal 6")
        #expect(ends["takesAllMemory.jpg"] == "decoder-crashed: signal 6")
        #expect(ends["exits.jpg"] == "decoder-crashed: exit code 9")
        #expect(ends["garblesReply.jpg"] == "decoder-crashed: invalid reply")
        #expect(ends.values.count { $0 == "done" } == 12, "\(ends)")
    }

    @Test("A decoder that loops is killed at its deadline") func endless() throws {
        try add("loops", width: BadCodec.Act.loops.rawValue)
        let (code, ends) = try run("--decode-timeout", "2s")
        #expect(code == 3)
        #expect(ends == ["loops.jpg": "decode-limit: longer than 2.0 s"])
    }

    @Test("A decoder cannot open files, connect, start processes or change its picture's file")
    func confinement() throws {
        for act in BadCodec.Act.escapes { try add("\(act)", width: act.rawValue) }
        let (code, ends) = try run()
        #expect(
            code == 0 && ends.count == BadCodec.Act.escapes.count && ends.values.allSatisfy { $0 == "done" }, "\(ends)")
    }

    @Test(
        "Control: without isolation every escape succeeds", arguments: BadCodec.Act.escapes)
    func openness(act: BadCodec.Act) throws {
        try add("\(act)", width: act.rawValue)
        // 134 is the exit code of the shell that replaced the run.
        let code = try start(["--no-isolate"]).end().code
        #expect(code == (act == .startsPrograms ? 134 : -SIGABRT))
    }

    @Test("A photo that crashed its decoder twice is skipped until --retry-quarantined; its original stays")
    func quarantine() throws {
        try add("crashes", width: BadCodec.Act.crashes.rawValue)
        try add("fine")
        for number in 1...5 {
            let (code, ends) = try run()
            #expect(code == 3 && ends["fine.jpg"] == (number == 1 ? "done" : "kept"))
            let expected = number < 3 ? "decoder-crashed: signal 11" : "quarantined: crashed the decoder 2 times"
            #expect(ends["crashes.jpg"]?.hasPrefix(expected) == true, "run \(number): \(ends)")
            #expect(hasOriginal)
        }
        let verdict = try Binary.run(["verify", "m"], folder: folder.url)
        #expect(verdict.code == 0, "\(verdict)")
        #expect(try run("--retry-quarantined").ends["crashes.jpg"] == "decoder-crashed: signal 11")
    }

    @Test("explain prints commands that retry crashed and quarantined photos")
    func advice() throws {
        try add("crashes", width: BadCodec.Act.crashes.rawValue)
        for (runs, cause) in [(1, "decoder-crashed"), (2, "decoder-crashed"), (3, "quarantined")] {
            for _ in 0..<runs { _ = try run() }
            let told = try Binary.run(["explain", "m", "--json"], folder: folder.url)
            let event = try RunEvent(try #require(told.out.split(separator: "\n").first))
            let commands = try #require(event.members["commands"] as? [String])
            #expect(commands.count == 1)
            let command = try #require(commands.first)
            #expect(command.hasSuffix(" --retry=\(cause) --retry-quarantined"), "\(command)")
            // With a correct codec.
            let again = try Binary.shell("\(command) --json", folder: folder.url)
            #expect(again.code == 0, "\(again)")
            #expect(try RunEvent.all(in: again.out).ended("done") == [1])
            try FileManager.default.removeItem(atPath: folder.path("m"))
        }
    }

    @Test(
        "Without isolation, a photo crashes at most two runs",
        arguments: [("mirror", BadCodec.Act.crashes), ("thumbs", .aborts), ("thumbs", .overflows)])
    func inProcess(command: String, act: BadCodec.Act) throws {
        try add("crashes", width: act.rawValue)
        try add("fine")
        let signal = act == .aborts ? SIGABRT : SIGSEGV
        for _ in 0..<2 { #expect(try start(["--no-isolate"], by: command).end().code == -signal) }
        for _ in 0..<3 {
            let result = try start(["--no-isolate"], by: command).end()
            let ends = try Self.ends(in: RunEvent.all(in: result.out))
            #expect(result.code == 3 && ends.values.count { $0.hasPrefix("quarantined") } == 1, "\(result)")
            // The other photo is done although it was being decoded when the run crashed.
            #expect(ends.values.contains { $0 == "done" || $0 == "kept" })
        }
        #expect(command == "thumbs" || hasOriginal)
    }

    @Test("Without isolation, a crash that cannot be recorded does not count")
    func unrecordedCrash() throws {
        try add("crashes", width: BadCodec.Act.crashes.rawValue)
        try FileManager.default.createDirectory(
            atPath: folder.path("m/.sluice/crashed-decodes"), withIntermediateDirectories: true)
        for _ in 0..<4 { #expect(try start(["--no-isolate"]).end().code == -SIGSEGV) }
    }

    /// Two kills during its decode put a photo into quarantine.
    @Test(
        "However often a run is killed while it decodes a photo, the next run finishes it",
        arguments: ["mirror", "thumbs"])
    func kills(command: String) throws {
        try add("loops", width: BadCodec.Act.loops.rawValue)
        #expect(unsafe mkfifo(folder.path("decoding"), 0o600) == 0)
        for _ in 0..<4 {
            let run = try start(["--no-isolate", "--decode-timeout", "1h"], by: command)
            // Opens once the decoder has opened the other end.
            let gate = try FileHandle(forReadingFrom: folder.url.appending(path: "decoding"))
            run.send(SIGKILL)
            #expect(try run.end().code == -SIGKILL)
            try gate.close()
        }
        let result = try Binary.run([command, "in", "--out", "m", "--sizes", "32"], folder: folder.url)
        #expect(result.code == 0, "\(result)")
    }

    @Test("verify --deep reports a picture that crashes its decoder, and checks the others")
    func verification() throws {
        try add("crashes", width: BadCodec.Act.crashes.rawValue)
        for number in 10..<13 { try add("\(number)") }
        let made = try Binary.run(["mirror", "in", "--out", "m", "--sizes", "32"], folder: folder.url)
        try #require(made.code == 0, "\(made.err)")
        let verify = { (more: [String]) in
            try Running(["verify", "m", "--deep"] + more, environment: codec.environment, folder: folder.url).end()
        }
        let found = try verify([])
        #expect(found.code == 7, "\(found)")
        #expect(found.out.hasPrefix("damaged     originals/") && found.out.hasSuffix(": decoder-crashed: signal 11\n"))
        #expect(found.out.split(separator: "\n").count == 1, "\(found)")
        // Without isolation the command itself crashes.
        #expect(try verify(["--no-isolate"]).code < 0)
    }

    /// Row G7 of the fault table.
    @Test("A run whose decoders crash leaves no zombies, and stops immediately although one decoder loops")
    func leftovers() throws {
        for number in 10..<40 { try add("\(number)", width: BadCodec.Act.crashes.rawValue) }
        try add("zz-loops", width: BadCodec.Act.loops.rawValue)
        let run = try start(["--decode-timeout", "1h"])
        try run.wait(for: "item-ended", count: 30)
        let workers = ChildProcess.all(of: run.identifier)
        #expect(!workers.isEmpty && workers.allSatisfy { $0.state != "Z" }, "\(workers)")
        let sockets = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(run.identifier)/fd").count
        #expect(sockets < 40)
        run.send(SIGINT)
        let result = try run.end()
        #expect(result.code == 130, "\(result)")
        #expect(
            workers.allSatisfy { worker in
                ["Z", nil].contains(ChildProcess(worker.number)?.state)
            })
    }
}
