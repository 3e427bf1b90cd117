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
