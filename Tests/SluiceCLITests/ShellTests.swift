// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceCLI

@Suite("Completions and manual", .timeLimit(.minutes(10))) struct ShellTests {
    @Test("Every command, and every option of each command, is offered with its help")
    func completeness() {
        #expect(Completions(of: [""]).words.map(\.word) == CommandName.allCases.map(\.rawValue))
        for command in Command.all {
            let offers = Completions(of: [command.name.rawValue, "-"]).words
            #expect(offers.allSatisfy { !$0.help.isEmpty })
            let names = Flag.of(command.name).flatMap(\.shownNames).map { "--\($0)" }
            #expect(offers.map(\.word).filter { $0.hasPrefix("--") } == names, "\(command.name)")
        }
    }

    @Test(
        "Completions depend on the position of the cursor",
        arguments: [
            ("mirror demo --pages ", "none", []), ("nothing ", "none", []), ("doctor ", "none", []),
            ("bench compare a b c ", "none", []), ("mirror --out ", "folder", []), ("mirror --out=x", "folder", []),
            ("verify ", "folder .sluice", []), ("thumbs a b c ", "file", []), ("mirror -j ", "none", []),
            ("--color ", "none", ["auto", "always", "never"]),
            ("mirror --color=a", "none", ["--color=auto", "--color=always", "--color=never"]),
            ("completions ", "none", ["bash", "zsh", "fish"]),
        ])
    func places(line: String, paths: String, words: [String]) {
        let offers = Completions(of: line.split(separator: " ", omittingEmptySubsequences: false).map(String.init))
        #expect(offers.paths == paths && offers.words.map(\.word) == words, "\(offers)")
    }

    @Test("bash accepts its completion script", .enabled(if: program("bash") != nil, "bash is not installed"))
    func bashSyntax() throws {
        let result = try runProgram(try #require(program("bash")), ["-n"], input: Shell.bash.script)
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test("zsh accepts its completion script", .enabled(if: program("zsh") != nil, "zsh is not installed"))
    func zshSyntax() throws {
        let result = try runProgram(try #require(program("zsh")), ["-n"], input: Shell.zsh.script)
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test("fish accepts its completion script", .enabled(if: program("fish") != nil, "fish is not installed"))
    func fishSyntax() throws {
        let result = try runProgram(try #require(program("fish")), ["--no-execute"], input: Shell.fish.script)
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test("The manual contains every command and option, and only known macros")
    func manualCompleteness() {
        let page = manualPage()
        for command in Command.all { #expect(page.contains(".SH \"\(command.name.rawValue.uppercased())\"")) }
        for flag in Flag.all {
            let name = flag.long.split(separator: "-").joined(separator: "\\-")
            #expect(page.contains("\\-\\-\(name)"), "--\(flag.long)")
        }
        for line in page.split(separator: "\n") where line.hasPrefix(".") {
            #expect([".TH", ".SH", ".PP", ".TP", ".B", ".br"].contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }

    @Test("groff formats the manual without warnings", .enabled(if: program("groff") != nil, "groff is not installed"))
    func manualSyntax() throws {
        let arguments = ["-man", "-Tutf8", "-ww", "-z", "-"]
        let result = try runProgram(try #require(program("groff")), arguments, input: manualPage())
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }
}

@Suite("Quoting", .timeLimit(.minutes(10))) struct QuotingTests {
    private static let words = [
        "", "plain", "--sizes=64,x200", "a b", "it's", "$HOME `id` \"x\"", "*", "~", "a\\b", "-rf", "!x", "#", "&&",
        "é日本",
        "tab\there", "line\nbreak", "\u{1B}[31m", "\u{202E}gpj", "'\u{7}'\\", "=", "a=b c", "\u{9B}2J",
    ]

    @Test("A shell decodes the original word, and the quoted word contains no control characters", arguments: words)
    func roundTrip(word: String) throws {
        let quoted = shellQuoted(word)
        #expect(!quoted.unicodeScalars.contains(where: isHarmful))
        guard let bash = program("bash") else { return }
        // The dot protects a trailing line feed from the shell.
        #expect(try runProgram(bash, ["-c", "printf '%s' \(quoted)."]).text == word + ".")
    }

    @Test("Plain words are not quoted")
    func plain() {
        #expect(shellQuoted("--filter=width>=9") == "'--filter=width>=9'")
        #expect(shellQuoted("/photos/a-b_c.jpg") == "/photos/a-b_c.jpg")
    }
}

@Suite("Escaping", .timeLimit(.minutes(10))) struct EscapingTests {
    @Test(
        "Control characters and text reordering are escaped",
        arguments: [
            ("\u{1B}[31mred", #"\u{1b}[31mred"#), ("a\nb\rc\td", #"a\u{a}b\u{d}c\u{9}d"#), ("\u{9B}2J", #"\u{9b}2J"#),
            ("\u{7F}", #"\u{7f}"#), ("\u{202E}gpj.exe", #"\u{202e}gpj.exe"#),
            ("\u{2066}x\u{2069}", #"\u{2066}x\u{2069}"#),
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("plain, Ünïcödé 日本 👨‍👩‍👧", "plain, Ünïcödé 日本 👨‍👩‍👧"), ("", ""),
        ])
    func table(_ text: String, shown: String) {
        #expect(escaped(text) == shown)
    }

    @Test("Any text becomes printable, on one line and at most 200 columns wide")
    func property() {
        var random = SystemRandomNumberGenerator()
        let hostile: [ClosedRange<UInt32>] = [
            0...0x9F, 0x2000...0x206F, 0x300...0x36F, 0x1F300...0x1FAFF, 0xE0000...0xE007F,
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...400, using: &random) {
                let any = Bool.random(using: &random) ? 0...0x10FFFF : hostile[Int.random(in: 0..<5, using: &random)]
                if let scalar = Unicode.Scalar(UInt32.random(in: any, using: &random)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let shown = escaped(text)
            #expect(columnCount(shown) <= 200)
            #expect(shown.unicodeScalars.count <= 2000)
            for scalar in shown.unicodeScalars {
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: Issue.record("U+\(scalar.value) is not escaped")
                default: break
                }
                let isBidi = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                #expect(!isBidi)
            }
        }
    }

    @Test("A long text is truncated with an ellipsis")
    func length() {
        let shown = escaped(String(repeating: "x", count: 300))
        #expect(columnCount(shown) == 200 && shown.hasSuffix("x…"))
        #expect(escaped(String(repeating: "x", count: 200)) == String(repeating: "x", count: 200))
        #expect(escaped("日本日本", columns: 5) == "日本…")
    }
}
