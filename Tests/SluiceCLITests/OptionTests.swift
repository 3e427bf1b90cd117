// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceBench
import SluiceEngine
import SluiceImaging
import SluiceModel
import Testing

@testable import SluiceCLI

/// One entry describes an option, and every list of options is derived from it.
@Suite("Options", .timeLimit(.minutes(10))) struct OptionTests {
    /// The options of `mirror` that a report leaves out, with the reason.
    private static let notInReport = [
        "out": "the report is in this folder", "dry-run": "there is no report", "forecast": "there is no report",
        "blocklist": "it is a file of the user",
        "accept": "it decides on the exit code only", "quiet": "it concerns messages",
        "verbose": "it concerns messages",
        "json": "it concerns messages", "color": "it concerns messages", "help": "there is no run",
        "version": "there is no run", "print-config": "there is no run", "config": "the options in the file are listed",
        "header": "it may be a secret", "cookies": "it names a file", "cookies-from-browser": "it names a profile",
        "browser": "it names a program", "browser-profile": "it names a profile",
        "user-agent": "it may name the user", "contact": "it names the user",
        "s3-endpoint": "it may be a private address", "s3-profile": "it names the user's profile",
        "s3-lease": "it concerns the machine", "state": "it is a folder of the machine",
        "sources": "the report has the sources", "if-changed": "it concerns messages",
    ]

    /// The options of `mirror` that a plan does not have, with the reason.
    private static let notInPlan = [
        "out": "the plan has its own", "dry-run": "nothing is processed", "forecast": "nothing is processed",
        "explain": "no page is read again",
        "header": "it may be a secret", "cookies": "it may be a secret", "cookies-from-browser": "it may be a secret",
        "browser": "it names a program", "browser-profile": "it may be a secret",
        "refresh": "shards have no earlier photos", "retry": "shards have no failed photos",
        "retry-quarantined": "shards have no earlier crashes", "prune": "shards have no earlier photos",
        "prune-limit": "shards have no earlier photos", "accept": "it decides on the exit code of mirror",
        "title": "the mirror stores it", "theme": "the mirror stores it", "style": "the mirror stores it",
        "trace": "it is the file of one run", "metrics": "it is the file of one run",
        "s3-unsafe-commits": "shards need safe commits", "state": "it is a folder of one machine",
        "quiet": "it concerns messages", "verbose": "it concerns messages", "json": "it concerns messages",
        "color": "it concerns messages", "help": "there is no run", "version": "there is no run",
        "print-config": "there is no run", "config": "shards do not see the user's files",
        "sources": "a plan has one source", "if-changed": "it concerns messages", "wait": "shards have no lock",
        "warc": "it is the file of one run",
    ]

    /// The options of `mirror` that no file of options sets, with the reason.
    private static let notInSchema = [
        "config": "a file names no other file", "print-config": "there is no run", "help": "there is no run",
        "version": "there is no run", "sources": "sources are arguments",
    ]

    @Test("No option of mirror is missing from report, plan or schema without a reason")
    func complete() {
        for flag in Flag.of(.mirror) {
            let isReported = flag.effects.map { !$0.contains(.confidential) } ?? false
            #expect(isReported == (Self.notInReport[flag.long] == nil), "--\(flag.long) in the report")
            let isPlanned = flag.isRecorded && flag.isOption(of: .plan)
            #expect(isPlanned == (Self.notInPlan[flag.long] == nil), "--\(flag.long) in a plan")
            let isInSchema = settingsSchema().contains("\"\(flag.long)\":")
            #expect(isInSchema == (Self.notInSchema[flag.long] == nil), "--\(flag.long) in the schema")
        }
    }

    @Test("Every value of a run has an option, and the other way round")
    func fields() {
        let names = Set(MirrorOptions.fields.compactMap(\.name) + ThumbnailRunOptions.fields.compactMap(\.name))
        let flags = Set((Flag.of(.mirror) + Flag.of(.thumbs)).filter { $0.effects != nil }.map(\.long))
        // --quality sets two values: a quality or a score.
        #expect(names == flags.union(["target-score"]))
    }

    /// The kernel, linear light, sharpening, the encoder's speed and lossless files were missing.
    @Test("The report has every option that was set, from arguments, variables and files alike")
    func reported() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-options-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.json")
        try Data("{\"sharpen\": 50, \"quiet\": true, \"header\": \"A: secret\"}".utf8).write(to: file)
        let environment = Environment(settings: [Environment.Variable(name: "SLUICE_SPEED", text: "0")])
        let line =
            "mirror demo --config \(file.path) --kernel nearest --linear --lossless --format webp --filter width>9 "
            + "--bandwidth 25M"
        let resolved = try SettingsResolver(environment).resolve(
            Parser.parse(line.split(separator: " ").map(String.init)))
        let settings = try MirrorRequest(resolved.options).options.settings(width: 16)
        #expect(
            settings.map { "\($0.name)=\($0.value)" } == [
                "concurrency=16", "per-host=6", "filter=width>9", "format=webp", "kernel=nearest", "linear=yes",
                "sharpen=50", "speed=0", "lossless=yes", "bandwidth=25000000",
            ])
    }

    /// Defaults that stand for several values, or for the absence of one.
    private static let unparsed: Set<String> = ["allow-port", "prune-limit", "theme", "proxy", "wait", "lock-wait"]

    @Test("The default that the help states is the value without the option")
    func defaults() throws {
        for flag in Flag.all {
            guard let text = flag.default, !Self.unparsed.contains(flag.long) else { continue }
            var options = RawOptions()
            let argument = Argument(spelling: flag.long, text: text)
            try options.apply(Setting(flag: flag, argument: argument, source: .argument))
            #expect(options.bench.loader == BenchArguments().loader, "--\(flag.long)")
            // They keep that they were set.
            (options.bench, options.settings) = (BenchArguments(), [])
            let properties = zip(Mirror(reflecting: options).children, Mirror(reflecting: RawOptions()).children)
            for (actual, plain) in properties where actual.label != "bench" {
                #expect(String(reflecting: actual.value) == String(reflecting: plain.value), "--\(flag.long)")
            }
        }
    }

    @Test("One entry adds an imaginary option to everything that lists options")
    func imaginary() throws {
        let entry = Flag(
            "imaginary", .count(\.mirror.pages), [.mirror], under: .selection, others: .anyoneUpTo(5),
            essential: [.mirror],
            "Imagine N photos", "Imagines N photos.")
        try Flag.$all.withValue(Flag.all + [entry]) {
            let options = try Parser.parse(["mirror", "demo", "--imaginary", "3"]).options
            #expect(options.mirror.pages == 3)
            #expect(try MirrorRequest(options).options.commandLine == ["mirror", "demo", "--imaginary=3"])
            let texts = [
                helpText(of: .mirror, .short), helpText(of: .mirror, .long), helpText(of: .plan, .long), manualPage(),
                markdownOptions(), settingsSchema(), Completions(of: ["mirror", "-"]).text,
            ]
            for text in texts { #expect(text.contains("imaginary")) }
            let variable = Environment.Variable(name: "SLUICE_IMAGINARY", text: "4")
            let resolved = try SettingsResolver(Environment(settings: [variable])).resolve(
                Parser.parse(["mirror", "demo"]))
            #expect(resolved.options.mirror.pages == 4)
            for (number, isHarmless) in [("5", true), ("6", false)] {
                let recorded = try Parser.parse(["mirror", "demo", "--imaginary", number], from: .lastCommand)
                #expect(recorded.options.settings.harmful(unlessIn: []).isEmpty == isHarmless)
            }
            #expect([.plan, .work].allSatisfy(entry.isOption) && !entry.isOption(of: .thumbs))
        }
    }
}

@Suite("Bench arguments", .timeLimit(.minutes(10))) struct BenchArgumentTests {
    private func arguments(_ line: String) throws -> BenchArguments {
        try Parser.parse(line.split(separator: " ").map(String.init)).options.bench
    }

    @Test("The options set the sweep")
    func sweep() throws {
        let sweep = try arguments(
            "bench loader -j 8,1,8 --per-host 2 --thumbnails none,256 --workers 1,2 --latency 5ms --jitter none "
                + "--bandwidth none --per-connection 1M --loss 0.5% --images 9 --bytes 4k --seed 7 --repeat 3"
        ).loader
        #expect(sweep.concurrency == [1, 8] && sweep.perHost == [2])
        #expect(sweep.thumbnails == [nil, 256] && sweep.workers == [1, 2])
        #expect(sweep.origin.latency == .milliseconds(5) && sweep.origin.jitter == .zero)
        #expect(sweep.origin.bandwidth == nil && sweep.origin.perConnection == 1 << 20)
        #expect(sweep.origin.loss == 0.005 && sweep.origin.images == 9 && sweep.origin.bytes == 4096)
        #expect(sweep.origin.seed == 7 && sweep.repeats == 3)
        // The number of workers varies only for settings with thumbnails.
        #expect(sweep.settings.count == 2 + 4)
    }

    @Test("Every encoder can write thumbnails")
    func formats() throws {
        let names = ImageFormat.encodable.map(\.name) + ["auto"]
        let flag = try #require(Flag.all.first { $0.long == "format" && $0.commands.contains(.thumbs) })
        #expect(flag.value?.completion == .words(names))
        for name in names {
            let options = try Parser.parse(["thumbs", "photos", "--format", name]).options
            #expect(options.mirror.thumbnails.format.rawValue == name)
        }
    }

    @Test("auto is measured by default, and next to numbers if it is listed")
    func auto() throws {
        #expect(try arguments("bench loader").loader.auto == 16...256)
        #expect(try arguments("bench loader -j 1,4").loader.auto == nil)
        let both = try arguments("bench loader -j 4,auto,1").loader
        #expect(both.auto == 16...256 && both.concurrency == [1, 4])
        #expect(both.settings.map(\.adaptsFrom) == [nil, nil, 16])
        let alone = try arguments("bench loader -j auto").loader
        #expect(alone.settings.map(\.concurrency) == [256])
    }

    @Test("The first --fault replaces the preset's faults, and further ones accumulate")
    func faults() throws {
        #expect(try arguments("bench loader").loader.origin.faults == [])
        #expect(try arguments("bench loader --network faulty").loader.origin.faults.map(\.share) == [0.02, 0.02, 0.01])
        #expect(try arguments("bench loader --network faulty --fault none").loader.origin.faults == [])
        let one = try arguments("bench loader --network faulty --fault 3%:cut").loader.origin.faults
        #expect(one == [BenchFault(share: 0.03, kind: .cut)])
        let two = try arguments("bench loader --fault 10%:503 --fault 1%:cut").loader.origin.faults
        #expect(two == [BenchFault(share: 0.1, kind: .unavailable), BenchFault(share: 0.01, kind: .cut)])
    }

    @Test(
        "An option replaces its part of the network's preset, before and after --network",
        arguments: [
            "--network mobile --latency 7ms --bandwidth none --loss 0%",
            "--latency 7ms --bandwidth none --loss 0% --network mobile",
        ])
    func networks(words: String) throws {
        let origin = try arguments("bench loader \(words)").loader.origin
        let mobile = OriginProfile(.mobile)
        #expect(origin.network == .mobile && origin.latency == .milliseconds(7))
        #expect(origin.bandwidth == nil && origin.loss == 0)
        #expect(origin.jitter == mobile.jitter && origin.perConnection == mobile.perConnection)
    }

    @Test("The default network loses nothing and fails nowhere, and each preset differs from it")
    func presets() throws {
        #expect(try arguments("bench loader").loader.origin == OriginProfile(.clean))
        #expect(OriginProfile(.clean).loss == 0 && OriginProfile(.clean).faults.isEmpty)
        #expect(Set(NetworkPreset.allCases.map { OriginProfile($0) }).count == NetworkPreset.allCases.count)
    }

    @Test("Results are exported to every named file")
    func exports() throws {
        let exports = try arguments("bench loader --export-json a --export-markdown b --export-csv -").exports
        #expect(exports.map(\.format) == [.json, .markdown, .csv])
        #expect(exports.map(\.file) == ["a", "b", "-"])
    }

    @Test("A slower result exits with 3, and the exit codes in help say so")
    func slower() throws {
        #expect(ExitCode.slower.number == 3)
        let meaning = try #require(ExitCode.meanings.first { $0.numbers == "3" }?.meaning)
        #expect(meaning.contains("photos failed") && meaning.contains("`bench compare`"))
    }

    @Test(
        "Invalid arguments are rejected with a specific message",
        arguments: [
            ("bench", "bench needs a loader|compare, for example: sluice bench loader"),
            (
                "bench loadr",
                "invalid argument 'loadr' for bench: expected loader or compare (did you mean loader?)"
            ),
            (
                "bench loader -j 0",
                "invalid value '0' for -j: expected comma-separated whole numbers from 1 to 4096, e.g. 1,4,16"
            ),
            (
                "bench loader --fault 5%:tmeout",
                "invalid value '5%:tmeout' for --fault: expected none, or a percentage and a fault, e.g. 5%:timeout "
                    + "(faults: timeout, stall, cut, close, 503, 429, 404)"
            ),
            ("bench loader --http 3", "invalid value '3' for --http: expected auto, 1.1 or 2"),
        ])
    func usageErrors(line: String, message: String) throws {
        let error = #expect(throws: UsageError.self) { try arguments(line) }
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }
}
