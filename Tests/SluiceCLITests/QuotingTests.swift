// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

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
