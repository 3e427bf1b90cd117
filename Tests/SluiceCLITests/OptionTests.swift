// SPDX-License-Identifier: MIT

import Foundation
import SluiceEngine
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
        "header": "it may be a secret", "user-agent": "it may name the user", "contact": "it names the user",
        "s3-endpoint": "it may be a private address", "s3-profile": "it names the user's profile",
        "s3-lease": "it concerns the machine", "state": "it is a folder of the machine",
        "sources": "the report has the sources", "if-changed": "it concerns messages",
    ]

    /// The options of `mirror` that a plan does not have, with the reason.
    private static let notInPlan = [
        "out": "the plan has its own", "dry-run": "nothing is processed", "forecast": "nothing is processed",
        "header": "it may be a secret",
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

    @Test("One entry adds an imaginary option to everything that lists options")
    func imaginary() throws {
        let entry = Flag(
            long: "imaginary", value: ValuePlaceholder("N"), category: .selection, commands: [.mirror],
            others: .anyoneUpTo(5), essential: [.mirror], help: "Imagine N photos", longHelp: "Imagines N photos.",
            apply: { $0.mirror.pages = try $1.count() })
        try Flag.$all.withValue(Flag.all + [entry]) {
            let options = try Parser.parse(["mirror", "demo", "--imaginary", "3"]).options
            #expect(options.mirror.pages == 3)
            #expect(try MirrorRequest(options).options.commandLine == ["mirror", "demo", "--imaginary=3"])
            let texts = [
                helpText(of: .mirror, .short), helpText(of: .mirror, .long), helpText(of: .plan, .long), manualPage(),
                markdownOptions(), settingsSchema(),
            ]
            for text in texts + Shell.allCases.map({ $0.script() }) { #expect(text.contains("imaginary")) }
            let variable = Environment.Variable(name: "SLUICE_IMAGINARY", text: "4")
            let resolved = try SettingsResolver(Environment(settings: [variable])).resolve(
                Parser.parse(["mirror", "demo"]))
            #expect(resolved.options.mirror.pages == 4)
            for (number, isHarmless) in [("5", true), ("6", false)] {
                let recorded = try Parser.parse(["mirror", "demo", "--imaginary", number], from: .lastCommand)
                #expect(recorded.options.settings.harmful(unlessIn: []).isEmpty == isHarmless)
            }
            #expect(entry.isOption(of: .plan) && entry.isOption(of: .work) && !entry.isOption(of: .thumbs))
        }
    }
}
