// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

@Suite("Quoting") struct QuotingTests {
    private static let words = [
        "", "plain", "--sizes=64,x200", "a b", "it's", "$HOME `id` \"x\"", "*", "~", "a\\b", "-rf", "!x", "#", "&&",
        "é日本",
        "tab\there", "line\nbreak", "\u{1B}[31m", "\u{202E}gpj", "'\u{7}'\\", "=", "a=b c", "\u{9B}2J",
    ]

    @Test("A shell reads the word that was meant, and a terminal sees no control", arguments: words)
    func roundTrip(word: String) throws {
        let quoted = shellQuoted(word)
        #expect(!quoted.unicodeScalars.contains(where: isHarmful))
        guard let bash = program("bash") else { return }
        // A dot behind it, lest the shell's own handling of a last line end tell.
        #expect(try runProgram(bash, ["-c", "printf '%s' \(quoted)."]).text == word + ".")
    }

    @Test("What needs no quotes has none")
    func plain() {
        #expect(shellQuoted("--filter=width>=9") == "'--filter=width>=9'")
        #expect(shellQuoted("/photos/a-b_c.jpg") == "/photos/a-b_c.jpg")
    }
}
