// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

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
