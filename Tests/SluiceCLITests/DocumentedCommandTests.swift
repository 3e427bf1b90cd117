// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceCLI

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
