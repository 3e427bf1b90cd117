// SPDX-License-Identifier: MIT

/// Untrusted strings that have broken programs before.
enum HostileText {
    static let strings: [String] = [
        "' OR 1=1; DROP TABLE items; --", "\"); DELETE FROM receipts; --", "?1", "\0", "a\0b", "../../etc/passwd",
        "..\\..\\windows", "/etc/passwd", "C:\\x", "con", "NUL", "com1", "lpt9.jpg", ".htaccess", "-rf", "~root",
        "$(reboot)",
        "`reboot`", "%2e%2e%2f", "\u{202E}gpj.exe", "\u{1B}[31mred\u{7}", "\u{9B}2J", "line\nbreak\r\n", "\t", " ",
        "   .  ", "<script>alert(1)</script>", "=1+1", "+1", "-1", "@SUM(A1)", "\u{FEFF}bom", "\u{FFFF}", "😀👩‍👩‍👧‍👦🇦🇶",
        "e\u{301}", "é", "Ⅷ", "ﬁ", "日本語の写真", "Ω≈ç√∫", "a\u{300}\u{301}\u{302}", String(repeating: "a", count: 5000),
        String(repeating: "word ", count: 1000), String(repeating: "\u{301}", count: 500), "a/b", "a\u{2028}b",
        "NULL", "undefined", "{\"a\":[1", "\\", "\\u0000", "\"", "'", ",", ";", "\u{10FFFF}",
    ]
}
