// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import TestSupport
import Testing

/// Runs whose decoders crash, hang or try to escape.
@Suite("Isolation", .timeLimit(.minutes(10)), .enabled(if: BadCodec.shared != nil, "\(BadCodec.lack)"))
struct IsolationTests {
    private let folder = TemporaryFolder()
    private let codec: BadCodec

    init() throws {
        codec = try #require(BadCodec.shared)
        try folder.makeFolder("in")
    }

    private func add(_ name: String, width: Int = 96) throws {
        let shade = folder.names().count
        try folder.write(BadCodec.picture(width: width, shade: shade), to: "in/\(name).jpg")
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
        try Binary.run(["verify", "m"], folder: folder.url).expect()
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
            let again = try Binary.shell("\(command) --json", folder: folder.url).expect()
            #expect(try RunEvent.all(in: again.out).ended("done") == [1])
            try folder.remove("m")
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
        try folder.makeFolder("m/.sluice/crashed-decodes")
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
        try Binary.run([command, "in", "--out", "m", "--sizes", "32"], folder: folder.url).expect()
    }

    @Test("verify --deep reports a picture that crashes its decoder, and checks the others")
    func verification() throws {
        try add("crashes", width: BadCodec.Act.crashes.rawValue)
        for number in 10..<13 { try add("\(number)") }
        try Binary.run(["mirror", "in", "--out", "m", "--sizes", "32"], folder: folder.url).require()
        let verify = { (more: [String]) in
            try Running(["verify", "m", "--deep"] + more, environment: codec.environment, folder: folder.url).end()
        }
        let found = try verify([]).expect(7)
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
        try run.end().expect(130)
        #expect(
            workers.allSatisfy { worker in
                ["Z", nil].contains(ChildProcess(worker.number)?.state)
            })
    }
}

/// Runs with HEIC, TIFF and JPEG XL, which only sandboxed processes read.
@Suite("Restricted formats", .timeLimit(.minutes(10))) struct RestrictedFormatTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.makeFolder("in")
        let sample = URL(filePath: #filePath)
            .appending(path: "../../../SluiceImagingTests/Fixtures/Foreign/hevc-grid.heic").standardized
        try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("in/photo.heic"))
    }

    /// Runs a command over the photo; returns the exit code, and the failure or `done`.
    private func run(_ words: String...) throws -> (code: Int32, end: String?) {
        let arguments = words + ["in", "--out", "m", "--sizes", "32", "--json"]
        let result = try Binary.run(arguments, folder: folder.url)
        let ended = try RunEvent.all(in: result.out).first { $0.name == "item-ended" }
        return (result.code, ended?[text: "detail"] ?? ended?[text: "end"])
    }

    /// The formats whose libraries workers on this machine find.
    private static let readable: [ImageFormat] = {
        ImageFormat.loadLibraries(of: ImageFormat.loadable)
        return CodecCheck.runAll().filter { $0.missingPackage == nil }.map(\.format)
    }()
    private static let readsHEIC = readable.contains(.heic)
    private static let refusal = "HEIC needs a sandboxed process with libde265 (Debian package libde265-0)"

    @Test("mirror keeps HEIC and names the option, with which a sandboxed process reads it")
    func mirror() throws {
        let refused = try Binary.run(["mirror", "in", "--out", "m", "--sizes", "32"], folder: folder.url)
        let text = "unsupported: HEIC is read only if it is allowed with --allow-format heic"
        #expect(refused.code == 0 && refused.err.contains(text), "\(refused)")
        #expect(folder.names().contains("m/originals/00001-photo.heic"))
        let allowed = try run("mirror", "--allow-format", "heic")
        #expect(allowed.end == (Self.readsHEIC ? "done" : Self.refusal))
        try Binary.run(
            ["mirror", "in", "--out", "n", "--sizes", "32", "--only-decodable"], folder: folder.url
        ).expect(3, err: text)
        let explained = try Binary.run(["explain", "n"], folder: folder.url)
        #expect(explained.out.contains("--allow-format heic"), "\(explained)")
        guard Self.readsHEIC else { return }
        #expect(folder.names().contains("m/originals/00001-photo.heic"))
        #expect(try Binary.run(["verify", "m", "--deep"], folder: folder.url).code == 0)
    }

    @Test("thumbs reads HEIC in a sandboxed process, and never in its own")
    func thumbs() throws {
        #expect(try run("thumbs", "--no-isolate").end == Self.refusal)
        #expect(try run("thumbs").end == (Self.readsHEIC ? "done" : Self.refusal))
    }

    /// Puts a file of the foreign fixtures in place of the HEIC.
    private func replacePhoto(with name: String) throws {
        try folder.remove("in/photo.heic")
        let sample = URL(filePath: #filePath)
            .appending(path: "../../../SluiceImagingTests/Fixtures/Foreign/\(name)").standardized
        try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("in/photo.\(sample.pathExtension)"))
    }

    @Test("thumbs reads TIFF in a sandboxed process, and never in its own")
    func tiff() throws {
        try replacePhoto(with: "tiles.tiff")
        let refusal = "TIFF needs a sandboxed process with libtiff (Debian package libtiff6)"
        #expect(try run("thumbs", "--no-isolate").end == refusal)
        #expect(try run("thumbs").end == (Self.readable.contains(.tiff) ? "done" : refusal))
    }

    @Test("thumbs reads JPEG XL in a sandboxed process, and never in its own")
    func jpegXL() throws {
        try replacePhoto(with: "progressive.jxl")
        let refusal = "JPEG XL needs a sandboxed process with libjxl (Debian package libjxl0."
        #expect(try run("thumbs", "--no-isolate").end?.hasPrefix(refusal) == true)
        let end = try run("thumbs").end
        #expect(Self.readable.contains(.jxl) ? end == "done" : end?.hasPrefix(refusal) == true)
    }

    @Test("Only restricted formats can be allowed")
    func unknownFormat() throws {
        try Binary.run(["mirror", "in", "--out", "m", "--allow-format", "jpeg"], folder: folder.url).expect(
            2, err: "heic")
    }
}
