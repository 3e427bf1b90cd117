// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceCLI

@Suite("Help", .timeLimit(.minutes(10))) struct HelpTests {
    private var commands: [Command?] { Command.all + [nil] }

    @Test(
        "Help fits on the terminal and ends its lines",
        arguments: [(HelpLength.short, 80), (.long, 80), (.short, 40), (.long, 40)])
    func width(_ length: HelpLength, columns: Int) {
        for command in commands {
            let text = helpText(of: command, length, width: columns)
            for line in text.split(separator: "\n") { #expect(columnCount(String(line)) <= columns, "\(line)") }
            #expect(text.hasSuffix("\n") && !text.contains("\n\n\n"))
        }
    }

    @Test("At 40 columns, no word is broken except after its punctuation")
    func words() {
        for command in commands {
            let wide = Set(helpText(of: command, .long).split { " \n".contains($0) })
            for word in helpText(of: command, .long, width: 40).split(whereSeparator: { " \n".contains($0) }) {
                let isWhole = wide.contains(word) || wide.contains { $0.contains(word) && $0.utf8.count > 30 }
                #expect(isWhole, "\(word)")
            }
        }
    }

    /// `sluice mirror -h` listed 94 options.
    @Test("The short help of mirror lists the ten options that people need, the folder first")
    func essentialOptions() {
        let lines = helpText(of: .mirror, .short).split(separator: "\n")
        let options = lines.filter { $0.contains(" --") && !$0.contains("`") }
        #expect(options.count == 10 && options[0].contains("--out DIR"), "\(options)")
        #expect(lines.last?.hasPrefix("`sluice mirror --help` lists all") == true)
    }

    @Test("Rare options are in the long help only")
    func rareOptions() {
        for command in Command.all {
            let text = helpText(of: command, .short)
            for flag in Flag.of(command.name) where flag.isRare {
                #expect(!text.contains("--\(flag.long) "), "--\(flag.long) in the short help of \(command.name)")
            }
        }
    }

    @Test("The help of a command lists exactly its options")
    func completeness() {
        for command in Command.all {
            for flag in Flag.all {
                // Two commands may have options with the same name and value.
                let isTaken = Flag.of(command.name).contains { $0.usage == flag.usage }
                let lines = helpText(of: command, .long).split(separator: "\n")
                let isListed = lines.contains { $0 == "  \(flag.usage)" || $0.hasPrefix("  \(flag.usage)  ") }
                #expect(isListed == isTaken, "--\(flag.long) in the help of \(command.name)")
            }
        }
    }

    @Test("The overview lists every command, and every exit code once")
    func overview() {
        let text = helpText(of: nil, .long)
        for command in Command.all { #expect(text.contains("\n  \(command.name) ")) }
        let numbers = ExitCode.meanings.flatMap { $0.numbers.split(separator: ", ") }.compactMap { Int($0) }
        #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 75, 130, 143, 129])
    }

    @Test("The short overview has six examples that the parser accepts, and all commands in groups")
    func firstPage() throws {
        let text = helpText(of: nil, .short)
        #expect(Command.firstExamples.count == 6)
        for example in Command.firstExamples {
            #expect(text.contains("\n  \(example.line) "))
            _ = try Parser.parse(example.line.split(separator: " ").dropFirst().map(String.init))
        }
        for group in Command.Group.allCases { #expect(text.contains("\n\(group.rawValue):\n")) }
        for command in Command.all { #expect(text.contains("\n  \(command.name) ")) }
    }

    @Test("No two options of one command share a name or a letter")
    func names() {
        for command in Command.all {
            let flags = Flag.of(command.name)
            let names = flags.flatMap(\.names)
            #expect(Set(names).count == names.count)
            let letters = flags.compactMap(\.short)
            #expect(Set(letters).count == letters.count)
        }
    }

    @Test("Short help is one line of at most 60 characters without a full stop, long help is sentences")
    func form() {
        for flag in Flag.all {
            #expect(!flag.help.hasSuffix(".") && !flag.help.contains("\n"), "--\(flag.long)")
            #expect(flag.shortHelp.count <= 60, "--\(flag.long): \(flag.shortHelp.count)")
            #expect(flag.fullHelp.hasSuffix(".") || flag.fullHelp.hasSuffix("..."), "--\(flag.long)")
        }
    }

    @Test("The parser accepts every example")
    func examples() throws {
        for example in Command.all.flatMap(\.examples) {
            let line = example.line.prefix { $0 != "|" }
            let words = line.split(separator: " ").map(String.init)
            #expect(words.first == "sluice")
            #expect(throws: Never.self) { try Parser.parse(Array(words.dropFirst())) }
        }
    }

    @Test("Documentation/options.md matches the options")
    func optionTables() throws {
        let list = try #require(try documentedOptions())
        let wanted = markdownOptions().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(list == wanted, "replace the text between the markers with the output of `sluice manual --markdown`")
    }

    @Test("The Markdown tables contain every option and every command")
    func markdown() {
        let text = markdownOptions()
        for flag in Flag.all { #expect(text.contains("--\(flag.long)")) }
        for command in Command.all { #expect(text.contains("`sluice \(command.name.rawValue)")) }
        for line in text.split(separator: "\n") where line.contains("`") {
            let bars = line.replacing("\\|", with: "").count { $0 == "|" }
            #expect(bars == (line.hasPrefix("| `sluice ") ? 3 : 4), "\(line)")
        }
    }
}

/// Returns the text between `<!-- options -->` and `<!-- /options -->` in Documentation/options.md.
private func documentedOptions() throws -> String? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    let page = try String(contentsOf: root.appending(path: "Documentation/options.md"), encoding: .utf8)
    guard let start = page.firstRange(of: "<!-- options -->"),
        let end = page[start.upperBound...].firstRange(of: "<!-- /options -->")
    else { return nil }
    return page[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
}

/// Parses the commands of the documentation; the tests of the command run those that need no network.
@Suite("Commands in the documentation", .timeLimit(.minutes(5))) struct DocumentedCommandTests {
    /// Words that stand for a value.
    private static let placeholders = [
        "COMMAND": "mirror", "CAUSES": "timeout", "SHELL": "bash", "N": "1", "I": "0", "{}": "0",
    ]

    /// Parses a command line; one of a sentence may lack its last argument, as in `sluice verify --deep`.
    private func check(_ command: DocumentedCommand) throws {
        for call in command.calls {
            let words = call.map { Self.placeholders[$0] ?? $0 }
            let endings = command.isBlock ? [] : ["demo", "bash", "loader"]
            guard !endings.contains(where: { (try? check(words + [$0])) != nil }) else { continue }
            try check(words)
        }
    }

    private func check(_ words: [String]) throws {
        let line = try Parser.parse(words)
        guard line.command?.name == .mirror, !line.options.positionals.isEmpty else { return }
        _ = try MirrorRequest(line.options)
    }

    @Test("Every command in README and documentation is valid")
    func pages() throws {
        // The list of commands in options.md states which arguments are optional.
        let commands = try DocumentedCommand.all().filter { !$0.line.contains("[options]") }
        for page in ["README.md", "Documentation/cluster.md", "Documentation/upkeep.md"] {
            #expect(commands.contains { $0.place.hasPrefix(page) && $0.isBlock })
        }
        for command in commands {
            #expect(throws: Never.self, "\(command)") { try check(command) }
        }
    }

    @Test("Every script that a page runs exists")
    func scripts() throws {
        var count = 0
        for page in try DocumentedCommand.pages() {
            let text = try String(contentsOf: DocumentedCommand.repository.appending(path: page), encoding: .utf8)
            for found in text.matches(of: /(?:^|\n) {4}((?:Scripts|Integrations|Benchmarks)\/[a-z\/-]+)/) {
                let script = DocumentedCommand.repository.appending(path: String(found.1))
                #expect(FileManager.default.fileExists(atPath: script.path), "\(page): \(found.1)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test(
        "An invalid command on a page is found",
        arguments: [
            "    sluice mirror demo --pgaes 3", "    sluice thumbs      # check", "Use `sluice export DIR --lay out`.",
            "```sh\nsluice mirror demo --prune --pages 2\n```", "    seq 9 | parallel sluice work plan --shrad {}",
            "    true && sluice reflect demo",
        ])
    func invalid(page: String) throws {
        let commands = DocumentedCommand.all(in: page, named: "page.md")
        #expect(commands.count == 1)
        for command in commands { #expect(throws: UsageError.self, "\(command)") { try check(command) } }
    }

    @Test("A line is split into words as a shell does")
    func words() throws {
        let page = #"""
            Text `sluice feeds` and `Sluice`.

                A=1 sluice mirror - --filter 'width>=9 && license~"CC"' --name "{id} #1" > a.txt  # a comment
                gallery-dl -g x | sluice mirror a\ b.csv && sluice lock photos >x.lock
                sudo install sluice-1.deb
            """#
        let commands = DocumentedCommand.all(in: page, named: "page.md")
        #expect(commands.map(\.place) == ["page.md:1", "page.md:3", "page.md:4"])
        #expect(
            commands.map(\.calls) == [
                [["feeds"]], [["mirror", "-", "--filter", "width>=9 && license~\"CC\"", "--name", "{id} #1"]],
                [["mirror", "a b.csv"], ["lock", "photos"]],
            ])
        #expect(commands[1].line.hasSuffix("> a.txt"))
    }
}
