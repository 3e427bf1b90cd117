// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceCLI

/// Drives the shells: each completes a line with the script of `sluice completions`, which runs the built command.
@Suite("Completions", .timeLimit(.minutes(5))) struct CompletionTests {
    /// A line, and the only word that completes it.
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let offer: String
        var testDescription: String { line }

        init(_ line: String, _ offer: String) { (self.line, self.offer) = (line, offer) }
    }

    /// Lines that every shell completes in the same way, in the folder that ``files()`` makes.
    static let cases = [
        Case("sluice mi", "mirror"), Case("sluice mirror demo --pag", "--pages"),
        Case("sluice mirror demo --fit co", "cover"), Case("sluice mirror --fit=cover demo --no-gal", "--no-gallery"),
        Case("sluice completions f", "fish"), Case("sluice --ver", "--version"), Case("sluice help do", "doctor"),
        // Sources: services, their listings, recipes, lists and folders.
        Case("sluice mirror uns", "unsplash"), Case("sluice plan uns", "unsplash"),
        Case("sluice mirror unsplash:sea", "unsplash:search/"), Case("sluice mirror museum.", "museum.json"),
        Case("sluice mirror lis", "list.csv"), Case("sluice adopt down", "downloads/"),
        Case("sluice adopt downloads uns", "unsplash"),
        // Recipes.
        Case("sluice feeds ch", "check"), Case("sluice feeds show uns", "unsplash"),
        Case("sluice feeds check museum.", "museum.json"),
        // Folders of mirrors and plans, which other folders contain or resemble.
        Case("sluice verify ph", "photos/"), Case("sluice diff --color never ph", "photos/"),
        Case("sluice verify oth", "other/"), Case("sluice verify other/", "other/lakes/"),
        Case("sluice work pl", "plan/"), Case("sluice merge plan pl", "plan/"),
        Case("sluice plan --leftovers pl", "plan/"),
        Case("sluice plan --leftovers plan --mirror ph", "photos/"),
        // Values in the same word.
        Case("sluice mirror demo --fit=co", "--fit=cover"), Case("sluice mirror demo --out=down", "--out=downloads/"),
    ]

    /// The folder of the built command, which is that of the test executable.
    private static let build = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    /// Makes a folder with mirrors, plans, recipes and other things whose names begin alike.
    private func files() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        for name in [
            "photos/.sluice", "phones", "other/lakes/.sluice", "other/leaves", "plan", "plants", "downloads/a",
        ] {
            try folder.makeFolder(name)
        }
        for name in ["plan/plan.json", "museum.json", "list.csv"] {
            try folder.write([], to: name)
        }
        return folder
    }

    @Test(
        "bash offers matching completions", .enabled(if: program("bash") != nil, "bash is not installed"),
        arguments: cases + [Case("sluice mirror demo --pages 3 --no-g", "--no-gallery")])
    func bash(_ one: Case) throws {
        let folder = try files()
        // bash splits words at these characters, and then completes only the last part.
        let words = one.line.split(separator: " ").flatMap { word in
            word.split(separator: "=").map(String.init).joined(separator: " = ").split(separator: " ")
        }.flatMap { word in
            word.split(separator: ":", maxSplits: 1).map(String.init).joined(separator: " : ").split(separator: " ")
        }
        let script =
            Shell.bash.script + """

                cd '\(folder.path)'
                PATH='\(Self.build)':$PATH
                COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _sluice sluice
                printf '%s\\n' "${COMPREPLY[@]}"
                """
        let result = try runProgram(try #require(program("bash")), ["--norc"], input: script)
        let offer = one.offer.split { ":=".contains($0) }.last.map(String.init) ?? ""
        // bash itself adds the slash of a folder.
        #expect(result.text == (offer.hasSuffix("/") && offer != "search/" ? String(offer.dropLast()) : offer) + "\n")
    }

    @Test("bash offers nothing for a number", .enabled(if: program("bash") != nil, "bash is not installed"))
    func bashNumber() throws {
        let script =
            Shell.bash.script + """

                PATH='\(Self.build)':$PATH
                COMP_WORDS=(sluice mirror demo --pages ''); COMP_CWORD=4
                _sluice sluice
                printf '%s' "${COMPREPLY[*]}"
                """
        #expect(try runProgram(try #require(program("bash")), ["--norc"], input: script).text == "")
    }

    @Test(
        "fish loads its completion script silently, and offers matching completions",
        .enabled(if: program("fish") != nil, "fish is not installed"), arguments: cases)
    func fish(_ one: Case) throws {
        let folder = try files()
        let script =
            Shell.fish.script + "cd '\(folder.path)'\nset PATH '\(Self.build)' $PATH\ncomplete -C '\(one.line)'\n"
        let result = try runProgram(try #require(program("fish")), ["--no-config"], input: script)
        let offers = result.text.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
        #expect(offers == [one.offer[...]], "\(result.text)")
    }

    /// A user types the line, the Tab key and the Return key; a function with the command's name prints its words.
    @Test(
        "zsh completes a line that a user types",
        .enabled(if: program("zsh") != nil && program("timeout") != nil, "zsh is not installed"), arguments: cases)
    func zsh(_ one: Case) throws {
        let folder = try files()
        let functions = folder.url.appending(path: ".functions")
        try FileManager.default.createDirectory(at: functions, withIntermediateDirectories: true)
        try Data(Shell.zsh.script.utf8).write(to: functions.appending(path: "_sluice"))
        let result = try runProgram(
            try #require(program("timeout")), ["200", try #require(program("zsh")), "-f"],
            input: """
                zmodload zsh/zpty
                cd '\(folder.path)'
                PATH='\(Self.build)':$PATH
                zpty shell zsh -f -i
                zpty -w shell "fpath=('\(functions.path)' \\$fpath); autoload -Uz compinit && compinit -D -u"
                zpty -w shell 'unsetopt beep; PS1=; sluice() { print -r -- "<<$@>>"; exit }'
                zpty -n -w shell $'\(one.line)\\t\\n'
                zpty -r shell output '*<<[^$]*>>*' && print -r -- "$output"
                """)
        // zsh removes the slash of a folder if the line ends there.
        let words = one.line.split(separator: " ").dropFirst().dropLast() + [one.offer[...]]
        let line = words.joined(separator: " ")
        #expect(["\(line)", "\(line.dropLast())"].contains { result.text.contains("<<\($0)>>") }, "\(result.text)")
    }
}
