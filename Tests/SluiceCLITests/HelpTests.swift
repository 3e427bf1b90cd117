// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceCLI

@Suite("Help", .timeLimit(.minutes(10))) struct HelpTests {
    private var commands: [Command?] { Command.all + [nil] }

    @Test("Help fits in 80 columns and ends its lines", arguments: [HelpLength.short, .long])
    func width(_ length: HelpLength) {
        for command in commands {
            let text = helpText(of: command, length)
            for line in text.split(separator: "\n") { #expect(columnCount(String(line)) <= 80, "\(line)") }
            #expect(text.hasSuffix("\n") && !text.contains("\n\n\n"))
        }
    }

    @Test("The help of a command lists exactly its options")
    func completeness() {
        for command in Command.all {
            for flag in Flag.all {
                // Two commands may have options with the same name and value.
                let isTaken = Flag.of(command.name).contains { $0.usage == flag.usage }
                for length in [HelpLength.short, .long] {
                    let lines = helpText(of: command, length).split(separator: "\n")
                    let isListed = lines.contains { $0 == "  \(flag.usage)" || $0.hasPrefix("  \(flag.usage)  ") }
                    #expect(isListed == isTaken, "--\(flag.long) in the help of \(command.name)")
                }
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
            #expect(flag.help.count <= 60, "--\(flag.long): \(flag.help.count)")
            #expect(flag.longHelp.hasSuffix(".") || flag.longHelp.hasSuffix("..."), "--\(flag.long)")
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
