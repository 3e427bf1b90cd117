// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

@testable import SluiceCLI

/// Options from files, variables and the last command.
@Suite("Settings resolver", .timeLimit(.minutes(10))) struct SettingsResolverTests {
    private let folder = TemporaryFolder()

    private func options(_ line: String, _ variables: [String: String] = [:]) throws -> RawOptions {
        let environment = Environment(
            settingsFolder: folder.path,
            settings: variables.map { Environment.Variable(name: $0, text: $1) }.sorted { $0.name < $1.name })
        let words = line.split(separator: " ").map(String.init)
        return try SettingsResolver(environment).resolve(Parser.parse(words)).options
    }

    private func printed(_ line: String, _ variables: [String: String] = [:]) async throws -> String {
        let out = Pipe()
        let err = Pipe()
        SettingsPrinter(
            options: try options(line, variables),
            console: Console(arguments: .success([]), out: out.output, err: err.output, environment: Environment())
        ).print()
        _ = try err.text()
        return try out.text()
    }

    @Test("The mirror's file overrides the user's, then follow --config, variables and arguments")
    func precedence() throws {
        let user = "{\"retries\": 1, \"per-host\": 1, \"pages\": 1, \"per-page\": 1, \"max-items\": 1}"
        try folder.write(user, to: "sluice/sluice.json")
        try folder.write(
            "{\"per-host\": 2, \"pages\": 2, \"per-page\": 2, \"max-items\": 2}", to: "photos/sluice.json")
        let named = try folder.write("{\"pages\": 3, \"per-page\": 3, \"max-items\": 3}", to: "named.json")
        let mirror = try options(
            "mirror demo --out \(folder.path)/photos --config \(named) --max-items 5",
            ["SLUICE_PER_PAGE": "4", "SLUICE_MAX_ITEMS": "4"]
        ).mirror
        #expect(mirror.retries == 1 && mirror.perHost == 2)
        #expect(mirror.pages == 3 && mirror.perPage == 4 && mirror.maxItems == 5)
    }

    @Test("The user's file can set the folder, whose own file then applies")
    func outElsewhere() throws {
        try folder.write("{\"out\": \"\(folder.path)/photos\"}", to: "sluice/sluice.json")
        try folder.write("{\"per-host\": 2}", to: "photos/sluice.json")
        let options = try options("mirror demo")
        #expect(options.output.folder == "\(folder.path)/photos" && options.mirror.perHost == 2)
    }

    @Test("Strings, numbers, arrays and booleans set options; options of other commands are ignored")
    func kinds() throws {
        let file = """
            {"$schema": "x", "timeout": "500ms", "retries": 0, "sizes": [64, "x200"], "header": ["A: 1", "B: 2"],
             "quiet": true, "no-gallery": true, "originals": false, "jobs": 3}
            """
        let options = try options("mirror demo --config \(try folder.write(file, to: "a.json")) --header C:3")
        #expect(options.mirror.timeout == .milliseconds(500) && options.mirror.retries == 0)
        #expect(options.mirror.thumbnails.sizes.map(\.description) == ["64", "x200"])
        #expect(options.mirror.headers == ["A: 1", "B: 2", "C:3"])
        #expect(options.output.isQuiet && !options.mirror.writesGallery && !options.mirror.keepsOriginals)
        #expect(options.decoding.jobs == nil)
    }

    @Test("A variable sets an option without a value with 1 or 0, and a later source can reverse it")
    func booleans() throws {
        let file = try folder.write("{\"quiet\": true, \"gallery\": false}", to: "a.json")
        let options = try options("mirror demo --config \(file)", ["SLUICE_QUIET": "off", "SLUICE_GALLERY": "1"])
        #expect(!options.output.isQuiet && options.mirror.writesGallery)
        #expect(try !self.options("mirror demo", ["SLUICE_NO_GALLERY": "true"]).mirror.writesGallery)
        #expect(try self.options("mirror demo", ["SLUICE_CONFIG": file]).output.isQuiet)
    }

    @Test("--config none reads no files")
    func none() throws {
        try folder.write("{", to: "sluice/sluice.json")
        try folder.write("{", to: "photos/sluice.json")
        #expect(try options("mirror demo --out \(folder.path)/photos --config none").config == "none")
        #expect(throws: MirrorError.self) { try options("mirror demo") }
    }

    @Test("Help ignores invalid files")
    func help() throws {
        try folder.write("{", to: "sluice/sluice.json")
        #expect(try options("mirror --help").request == .help(.long))
        #expect(try options("manual").positionals == [])
    }

    @Test(
        "An invalid file gives a message with its path, the key and a suggestion",
        arguments: [
            ("{\"page\": 3}", "unknown option 'page' (did you mean pages?)"),
            ("{\"frobnicate\": 3}", "unknown option 'frobnicate'"),
            ("{\"help\": true}", "help cannot be set in a file"),
            ("{\"config\": \"b.json\"}", "config cannot be set in a file"),
            ("{\"pages\": 0}", "invalid value '0' for pages: expected a whole number, 1 or more"),
            ("{\"pages\": true}", "invalid value for pages: expected text or a number (N), or an array of them"),
            ("{\"quiet\": 1}", "invalid value for quiet: expected true or false"),
            (
                "{\"header\": \"secret\"}",
                "invalid value '***' for header: expected a header, e.g. 'Accept-Language: en'"
            ),
            ("{\"jobs\": true}", "invalid value for jobs: expected text or a number (N), or an array of them"),
            ("{\"pages\": 3,}", "line 1, column 13: expected a member's name in quotes"),
            ("[]", "expected an object of options, such as {\"per-host\": 3}"),
        ])
    func wrongFile(_ text: String, message: String) throws {
        let path = try folder.write(text, to: "a.json")
        var printed = ""
        do { _ = try options("mirror demo --config \(path)") } catch let error as UsageError {
            printed = error.message
        } catch let error as MirrorError {
            printed = error.message
            #expect(error.code == .usage)
        }
        #expect(printed == "\(path): \(message)")
    }

    @Test("The file of --config must exist")
    func missingFile() throws {
        let missing = MirrorError(.usage, "cannot read settings 'nowhere.json': No such file or directory")
        #expect(throws: missing) { try options("mirror demo --config nowhere.json") }
    }

    /// A mirror from a stranger overwrote files (trace, metrics), published files (style) and reached private
    /// addresses.
    @Test(
        "A mirror's own file cannot set options that could do harm, for any command",
        arguments: [
            "out", "trace", "metrics", "style", "ca-file", "netrc", "proxy", "resolve", "dns-server", "header",
            "user-agent", "contact", "allow-private", "allow-address", "allow-port", "i-have-permission",
            "allow-format",
            "ignore-opt-out", "no-robots", "isolate", "no-isolate", "max-bytes", "max-pixels", "max-transfer", "memory",
            "decode-timeout", "durability", "force", "prune", "prune-limit", "rebuild", "repair", "merge", "public",
            "host", "export-json", "keep",
        ])
    func harmfulMirrorFile(name: String) throws {
        let flag = try #require(Flag.named(name, of: .mirror))
        let own = try folder.write("{\"\(name)\": \(flag.value == nil ? "true" : "\"1\"")}", to: "photos/sluice.json")
        let message =
            "\(own): \(flag.long) cannot be set in the folder of a mirror; "
            + "use an argument, --config or your own sluice.json"
        for line in ["mirror demo --out", "verify", "gallery", "serve", "explain"] {
            #expect(throws: UsageError(message)) { try options("\(line) \(folder.path)/photos") }
            _ = try options("\(line) \(folder.path)/photos --config none")
        }
    }

    @Test("A mirror's own file can lower the concurrency and not raise it", arguments: ["per-host", "concurrency"])
    func concurrencyInMirrorFile(name: String) throws {
        for (value, isAllowed) in [("1", true), ("6", true), ("17", false), ("\"auto\"", false)] {
            try folder.write("{\"\(name)\": \(value)}", to: "photos/sluice.json")
            let result = Result { try options("mirror demo --out \(folder.path)/photos") }
            #expect(((try? result.get()) != nil) == isAllowed, "\(value)")
        }
    }

    @Test("No option that a mirror's own file can set names a file or is a secret")
    func mirrorFileRules() {
        let paths: Set<ValuePlaceholder.Completion> = [.file, .folder, .mirror, .plan]
        for flag in Flag.all {
            switch flag.others {
            case .none, .anyCommand, .anyCommandIf: continue
            case .anyone, .anyoneUpTo:
                #expect(!flag.isSecret && flag.settableFrom == .all, "\(flag.long)")
                #expect(flag.value.map { !paths.contains($0.completion) } ?? true, "\(flag.long)")
            }
        }
    }

    /// A ledger from a stranger overwrote files (trace), published files (style) and weakened the isolation.
    @Test(
        "A recorded command sets only harmless options, unless the user sets the others",
        arguments: [
            "--trace=/x", "--metrics=/x", "--style=/x", "--allow-private", "--no-isolate", "--config=/x",
            "--max-bytes=1G", "--durability=none", "--prune", "--help", "--print-config", "--concurrency=17",
        ])
    func harmfulCommand(option: String) async throws {
        try await mirror(recording: ["mirror", "demo", "--pages=7", "--isolate", "--config=none", option])
        let message =
            "the mirror's last command has options that Sluice does not take from a mirror: \(option); "
            + "use arguments, --config or your own sluice.json"
        for line in ["mirror --out", "adopt \(folder.path) --out"] {
            let error = #expect(throws: UsageError.self) { try options("\(line) \(folder.path)/photos") }
            #expect(error?.message == message)
            guard let hint = error?.hint, option != "--config=/x" else { continue }
            let words = line.split(separator: " ").dropLast().joined(separator: " ")
            #expect(hint == "to use these options, run: sluice \(words) --out=\(folder.path)/photos \(option)")
            // The command can be pasted: the user then gives the options.
            #expect(throws: Never.self) {
                try options(String(hint.dropFirst("to use these options, run: sluice ".count)))
            }
        }
        // The user's own value replaces the recorded one.
        guard option == "--max-bytes=1G" else { return }
        let line = "mirror --out \(folder.path)/photos"
        let own = try folder.write("{\"max-bytes\": \"1M\"}", to: "own.json")
        #expect(try options("\(line) --max-bytes 2M").decoding.maxBytes == 2 << 20)
        #expect(try options(line, ["SLUICE_MAX_BYTES": "3M"]).decoding.maxBytes == 3 << 20)
        let repeated = try options("\(line) --config \(own)")
        #expect(
            repeated.decoding.maxBytes == 1 << 20 && repeated.mirror.pages == 7 && repeated.decoding.isolates == true)
    }

    /// A command that repeats recorded options without a check of its own could obey them all.
    @Test(
        "A run refuses recorded options that nothing else has refused", arguments: [SettingSource.lastCommand, .plan])
    func unchecked(source: SettingSource) throws {
        let recorded = try Parser.parse(["mirror", "demo", "--pages=7", "--trace=/x"], from: source).options
        let error = #expect(throws: UsageError.self) { try MirrorRequest(recorded) }
        #expect(error?.message.hasSuffix("may not set --trace=/x") == true)
        var permitted = try RawOptions(recorded.settings.filter(\.isPermitted))
        permitted.positionals = ["demo"]
        #expect(try MirrorRequest(permitted).options.pages == 7)
    }

    @Test("A plan takes its options from the arguments only, because it records no files")
    func planSettings() throws {
        try folder.write("{\"pages\": 3}", to: "sluice/sluice.json")
        let options = try options("plan demo --shards 1 --out plan", ["SLUICE_RETRIES": "9"])
        #expect(options.mirror.pages == nil && options.mirror.retries == 3)
        #expect(throws: UsageError.self) { try self.options("plan demo --shards 1 --config none") }
    }

    @Test("A recorded command without a SOURCE is not repeated", arguments: [["mirror"], ["mirror", "--help"]])
    func noSource(words: [String]) async throws {
        try await mirror(recording: words)
        #expect(throws: UsageError.self) { try options("mirror --out \(folder.path)/photos") }
    }

    /// A ledger from a stranger could name any file, of which messages would show a line.
    @Test("The file of --sources in a recorded command is not read")
    func recordedSources() async throws {
        let file = try folder.write("no such source\n", to: "secret.txt")
        let recorded = try RecordedCommand(["mirror", "demo", "--sources=\(file)"], from: .lastCommand)
        let error = #expect(throws: UsageError.self) {
            try recorded.options(repeatedBy: .drift, in: folder.path, given: RawOptions(), Environment())
        }
        #expect(error?.message.contains("does not take from a mirror: --sources=") == true, "\(error?.message ?? "")")
        #expect(throws: MirrorError.self) { try options("mirror demo --sources \(file)") }
    }

    /// Makes a mirror whose ledger records this command.
    private func mirror(recording words: [String]) async throws {
        // A run that reads no photo leaves no mirror; this one is refused without a connection.
        let list = try folder.write("http://127.0.0.1/1.jpg\n", to: "list.txt")
        var mirrorOptions = MirrorOptions()
        mirrorOptions.run.commandLine = words
        _ = try await PhotoMirror(of: list, into: "\(folder.path)/photos", options: mirrorOptions).run()
    }

    @Test(
        "An invalid variable gives a message, and an unrelated variable is ignored",
        arguments: [
            ("SLUICE_PAGES", "0", "invalid value '0' for SLUICE_PAGES: expected a whole number, 1 or more"),
            (
                "SLUICE_PER_HOSTS", "3",
                "unknown environment variable 'SLUICE_PER_HOSTS' (did you mean SLUICE_PER_HOST?)"
            ),
            ("SLUICE_QUIET", "maybe", "invalid value 'maybe' for SLUICE_QUIET: expected 1 or 0"),
            ("SLUICE_RELEASE_NOTES", "3", nil), ("SLUICE_JOBS", "3", nil),
        ])
    func variables(_ name: String, _ text: String, message: String?) throws {
        if let message {
            #expect(throws: UsageError(message)) { try options("mirror demo", [name: text]) }
        } else {
            _ = try options("mirror demo", [name: text])
        }
    }

    @Test("--print-config prints the options in effect with their sources, and hides secrets")
    func printing() async throws {
        let file = try folder.write("{\"per-host\": 3, \"header\": \"Authorization: Bearer hush\"}", to: "a.json")
        let line = "mirror demo --config \(file) --proxy http://me:hush@proxy:1 --pages 2 --print-config"
        let text = try await printed(line, ["SLUICE_PER_HOST": "4", "SLUICE_NO_GALLERY": "1"])
        let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == [
                "pages 2 argument", "per-host 4 SLUICE_PER_HOST", "header *** \(file)", "proxy *** argument",
                "no-gallery on SLUICE_NO_GALLERY", "config \(file) argument",
            ])
    }

    @Test("--print-config --json prints one JSON object per option")
    func printingJSON() async throws {
        let text = try await printed("mirror demo --config none --print-config --json", ["SLUICE_PER_HOST": "4"])
        #expect(
            text == """
                {"schema":1,"event":"option","option":"per-host","value":"4","origin":"variable","place":"SLUICE_PER_HOST"}
                {"schema":1,"event":"option","option":"json","value":true,"origin":"argument"}
                {"schema":1,"event":"option","option":"config","value":"none","origin":"argument"}

                """)
    }

    @Test("The ledger records arguments and variables, but not the contents of files")
    func words() throws {
        let file = try folder.write("{\"per-host\": 3}", to: "a.json")
        let request = try MirrorRequest(options("mirror demo --config \(file) --pages 2", ["SLUICE_RETRIES": "1"]))
        #expect(
            request.options.commandLine == [
                "mirror", "demo", "--retries=1", "--config=\(absolutePath(file))", "--pages=2",
            ])
    }

    @Test("Documentation/sluice.schema.json matches the options")
    func schema() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation")
            .standardized
        let text = try String(contentsOf: root.appending(path: "sluice.schema.json"), encoding: .utf8)
        #expect(text == settingsSchema(), "replace it with the output of `sluice manual --schema`")
        let schema = try JSON(parsing: Array(text.utf8))
        guard case .object(let properties)? = schema["properties"] else { return #expect(Bool(false)) }
        let names = properties.map(\.name).filter { $0 != "$schema" }
        #expect(
            Set(names) == Set(Flag.all.filter { $0.settableFrom == .all }.flatMap(\.names))
                && Set(names).count == names.count)
    }
}
