// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceCLI

@Suite("Completions and manual", .timeLimit(.minutes(10))) struct ShellTests {
    @Test("The completions of each shell contain every command and option", arguments: Shell.allCases)
    func completeness(_ shell: Shell) {
        let script = shell.script()
        for command in Command.all { #expect(script.contains(command.name.rawValue)) }
        for flag in Flag.all {
            #expect(script.contains(shell == .fish ? "-l \(flag.long)" : "--\(flag.long)"), "--\(flag.long)")
            if let undo = flag.undo { #expect(script.contains(shell == .fish ? "-l \(undo)" : "--\(undo)")) }
        }
    }

    @Test("bash accepts its completion script", .enabled(if: program("bash") != nil, "bash is not installed"))
    func bashSyntax() throws {
        let result = try runProgram(try #require(program("bash")), ["-n"], input: Shell.bash.script())
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test(
        "bash offers matching completions",
        .enabled(if: program("bash") != nil, "bash is not installed"),
        arguments: [
            ("sluice mi", "mirror"), ("sluice mirror demo --pag", "--pages"), ("sluice mirror demo --fit co", "cover"),
            ("sluice completions f", "fish"), ("sluice mirror uns", "unsplash"), ("sluice --ver", "--version"),
            ("sluice help do", "doctor"),
            ("sluice mirror demo --pages 3 --no-g", "--no-gallery"), ("sluice mirror demo --pages ", ""),
        ])
    func bashCompletes(_ line: String, offer: String) throws {
        var words = line.split(separator: " ", omittingEmptySubsequences: true).map { "'\($0)'" }
        if line.hasSuffix(" ") { words.append("''") }
        let script =
            Shell.bash.script() + """

                COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _sluice
                printf '%s' "${COMPREPLY[*]}"
                """
        let result = try runProgram(try #require(program("bash")), ["--norc"], input: script)
        #expect(result.text == offer)
    }

    @Test("zsh accepts its completion script", .enabled(if: program("zsh") != nil, "zsh is not installed"))
    func zshSyntax() throws {
        let result = try runProgram(try #require(program("zsh")), ["-n"], input: Shell.zsh.script())
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test("fish accepts its completion script", .enabled(if: program("fish") != nil, "fish is not installed"))
    func fishSyntax() throws {
        let result = try runProgram(try #require(program("fish")), ["--no-execute"], input: Shell.fish.script())
        #expect(result.code == 0 && result.text.isEmpty, "\(result.text)")
    }

    @Test(
        "fish loads its completion script silently, and offers matching completions",
        .enabled(if: program("fish") != nil, "fish is not installed"),
        arguments: [
            ("sluice mi", "mirror"), ("sluice mirror --fit co", "cover"), ("sluice completions f", "fish"),
            ("sluice mirror uns", "unsplash"), ("sluice mirror demo --no-gal", "--no-gallery"),
        ])
    func fishCompletes(_ line: String, offer: String) throws {
        let script = Shell.fish.script() + "complete -C '\(line)'\n"
        let result = try runProgram(try #require(program("fish")), ["--no-config"], input: script)
        let offers = result.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(offers == [offer[...]], "\(result.text)")
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
