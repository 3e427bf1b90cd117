// SPDX-License-Identifier: MIT

import SluiceModel

/// Texts that an attacker could put into a caption, a name or a URL.
enum HostileText {
    /// Well-known injection attempts.
    static let all = [
        "<script>window.pwned=1;alert(1)</script>",
        "</script><script>window.pwned=1</script>",
        "<img src=x onerror=\"window.pwned=1\">",
        "\"><svg onload=window.pwned=1>",
        "' onmouseover='window.pwned=1' x='",
        "\" autofocus onfocus=\"window.pwned=1",
        "<!--", "-->", "]]>", "<![CDATA[", "</title><script>window.pwned=1</script>",
        "</noscript><script>window.pwned=1</script>", "</figcaption></figure><iframe src=javascript:window.pwned=1>",
        "javascript:window.pwned=1", "&lt;script&gt;", "&#60;b&#62;", "{{title}}", "{{figures}}", "${pwned}", "`",
        "line\u{2028}separator\u{2029}here", "\u{202E}desrever\u{202C}", "\u{2066}isolated", "a\u{0}b\u{1B}[31mred",
        "\\\"],alert(1)];//", "\\u003cscript\\u003e", "\u{FEFF}\u{FFFE}", "__proto__", "🏔️👩‍👩‍👧‍👧", "Z̷̡̛a̴l̸g̵o̶",
        "<a href=\"javascript:window.pwned=1\">x</a>", "<style>*{display:none}</style>", "<base href=//evil.test/>",
        "<meta http-equiv=refresh content='0;url=http://evil.test/'>", "<link rel=stylesheet href=//evil.test/a.css>",
        "%3Cscript%3E", "<ScRiPt>window.pwned=1</sCrIpT>", "<script/src=//evil.test/a.js>", "\u{3C}\u{0}script>",
    ]

    /// Pseudo-random texts, the same in every run.
    static func random(_ count: Int) -> [String] {
        var random = SplitMix64(seed: 1)
        let parts = [
            "<", ">", "\"", "'", "&", "/", "=", " ", "\n", "`", "script", "img", "src", "onerror", "x", "-->", "<!--",
            "{{", "}}", "\u{2028}", "\\", "]]>", "javascript:", "title", "\u{0}", "é", "</",
        ]
        return (0..<count).map { _ in
            (0...Int.random(in: 0..<12, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
                .joined()
        }
    }
}
