// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceCLI

@Suite("Help") struct HelpTests {
    private var commands: [Command?] { Command.all + [nil] }

    @Test("Help fits in 80 columns and ends its lines", arguments: [HelpLength.short, .long])
    func width(_ length: HelpLength) {
        for command in commands {
            let text = helpText(of: command, length)
            for line in text.split(separator: "\n") { #expect(columnCount(String(line)) <= 80, "\(line)") }
            #expect(text.hasSuffix("\n") && !text.contains("\n\n\n"))
        }
    }

    @Test("Every option stands in its commands' help, short and long, and in no other's")
    func completeness() {
        for command in Command.all {
            for flag in Flag.all {
                // Two commands may each have an option of that name and value.
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
        #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143, 129])
    }

    @Test("No two options of one command share a name or a letter")
    func names() {
        for command in Command.all {
            let flags = Flag.of(command.name)
            let names = flags.flatMap { [$0.long, $0.undo].compactMap(\.self) }
            #expect(Set(names).count == names.count)
            let letters = flags.compactMap(\.short)
            #expect(Set(letters).count == letters.count)
        }
    }

    @Test("Short help is one line without a full stop, long help whole sentences")
    func manner() {
        for flag in Flag.all {
            #expect(!flag.help.hasSuffix(".") && !flag.help.contains("\n"), "--\(flag.long)")
            #expect(flag.longHelp.hasSuffix(".") || flag.longHelp.hasSuffix("..."), "--\(flag.long)")
        }
    }

    @Test("Every example is a command line that the parser takes")
    func examples() throws {
        for example in Command.all.flatMap(\.examples) {
            let line = example.line.prefix { $0 != "|" }
            let words = line.split(separator: " ").map(String.init)
            #expect(words.first == "sluice")
            #expect(throws: Never.self) { try Parser.parse(Array(words.dropFirst())) }
        }
    }

    /// The README's list is what `sluice manual --markdown` prints.
    @Test(
        "The README lists the options as they are",
        .enabled(if: readmeList() != nil, "README.md has no option list yet"))
    func readme() throws {
        let list = try #require(readmeList())
        let wanted = markdownOptions().trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(list == wanted, "put the output of `sluice manual --markdown` between the markers")
    }

    @Test("The Markdown list has every option and every command in a whole table")
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

/// What stands in README.md between `<!-- options -->` and `<!-- /options -->`.
private func readmeList() -> String? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    guard let readme = try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8),
        let start = readme.firstRange(of: "<!-- options -->"),
        let end = readme[start.upperBound...].firstRange(of: "<!-- /options -->")
    else { return nil }
    return readme[start.upperBound..<end.lowerBound].trimmingCharacters(in: .whitespacesAndNewlines)
}
