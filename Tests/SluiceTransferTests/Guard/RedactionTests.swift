// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// Secrets are found in any spelling that a reply may have.
@Suite("Redaction", .timeLimit(.minutes(5))) struct RedactionTests {
    private static let word = "c/na+ry&K=1\"%7"
    private let redaction: Redaction

    init() throws {
        var redaction = Redaction()
        redaction.add(words: [Self.word, "short"])
        self.redaction = redaction
    }

    /// The spellings of one byte.
    private static func spellings(of byte: UInt8) -> [String] {
        let (plain, hex) = (String(UnicodeScalar(byte)), String(byte, radix: 16))
        return [
            plain, "\\\(plain)", "\\\\\(plain)", "\\u00\(hex)", "\\u00\(hex.uppercased())", "\\\\x\(hex)", "%\(hex)",
            "%\(hex.uppercased())", "%25\(hex)", "%2525\(hex)", "&#\(byte);", "&#x\(hex);", "&amp;#\(byte);",
            "&amp;amp;#x\(hex);",
        ]
    }

    @Test("A word is replaced in any mixture of spellings of its bytes")
    func spellings() {
        var random = SplitMix64(seed: 51)
        for spelling in 0..<14 {
            let text = Self.word.utf8.map { Self.spellings(of: $0)[spelling] }.joined()
            #expect(redaction.redacted("a \(text) b") == "a *** b", "\(text)")
        }
        for _ in 0..<2000 {
            let text = Self.word.utf8.map { Self.spellings(of: $0).randomElement(using: &random) ?? "" }.joined()
            #expect(redaction.redacted("\(text),\(text)") == "***,***", "\(text)")
        }
    }

    @Test(
        "An encoded word is replaced wherever it is in the encoded text", arguments: ["", "u", "us", "user", "a:b:c"])
    func encodings(prefix: String) {
        for suffix in ["", "x", "yz", ":::"] {
            let data = Data((prefix + Self.word + suffix).utf8)
            let base64 = data.base64EncodedString()
            let other = base64.replacing("+", with: "-").replacing("/", with: "_")
            let hex = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            for text in [
                base64, other, base64.percentEncoded(), base64.replacing("/", with: "\\/"), hex, hex.uppercased(),
            ] {
                let shown = redaction.redacted("<\(text)>")
                // At most the characters that share a byte with the text around the word are left.
                #expect(shown.contains("***") && shown.utf8.count <= 2 * (prefix + suffix).utf8.count + 14, "\(shown)")
            }
        }
    }

    @Test(
        "Other texts stay",
        arguments: [
            "", "c/na+ry&K=1", "c/na+ry&K=2\"%7", "short", "%", "%2", "%25", "\\u", "\\u00", "&", "&#", "&#x;",
            "&amp;",
            "&amp;amp;", "c%2", "c&sol", "c\\u002",
        ])
    func others(text: String) {
        #expect(redaction.redacted(text) == text)
        #expect(redaction.redacted(text + Self.word + text) == "\(text)***\(text)")
        #expect(Redaction().redacted(text + Self.word) == text + Self.word)
    }

    @Test("Texts, names and numbers of JSON are redacted")
    func json() throws {
        var redaction = Redaction()
        redaction.add(words: ["1234567", "canary"])
        let json = try JSON(parsing: Array(#"{"\u0063anary":[1234567,12345678.5,7,"a canar\u0079",null,true]}"#.utf8))
        let wanted = #"{"***":["***","***8.5",7,"a ***",null,true]}"#
        #expect(redaction.redacted(json) == (try JSON(parsing: Array(wanted.utf8))))
    }

    @Test(
        "The words of a header are its tokens, and not its settings",
        arguments: [
            ("Authorization: Bearer abcdefgh", ["abcdefgh"]),
            ("Authorization: Basic dXNlcjpjYW5hcnk=", ["dXNlcjpjYW5hcnk="]),
            ("Cookie: lang=en; theme=deepblue; sid=abc=DEF12", ["abc=DEF12"]), ("X-Api-Key: abcdefgh", ["abcdefgh"]),
            ("X-Mode: abcdefgh", []), ("X-Mode: abcdefghijklmnop", ["abcdefghijklmnop"]),
            ("Accept: application/json", []),
            ("Referer: https://a.test/album", []), ("X-Page: https://a.test/album", []), ("X-Empty:", []),
        ] as [(String, [String])])
    func headers(line: String, words: [String]) {
        let found = SecretWords.ofHeader(line)
        #expect(words.allSatisfy(found.contains) && found.isEmpty == words.isEmpty, "\(found)")
    }

    @Test("The passwords of a .netrc are known, also in quotes")
    func netrc() throws {
        let folder = TemporaryFolder()
        let text =
            "machine a.test login u password one-word\n\ndefault login \"u v\" password \"two \\\"words\" # end\n"
        try folder.write(text, to: "netrc")
        #expect(SecretWords.ofNetrc(folder.path("netrc")) == ["one-word", "two \"words"])
        #expect(SecretWords.ofNetrc(folder.path("none")) == [])
    }

    @Test("A password like a plain word stays in addresses, where it may be a folder")
    func plainPassword() throws {
        var redaction = Redaction()
        let named = try #require(WebAddress("http://photos:lakesandpiers@a.test/"))
        redaction.add([named.password].compactMap(\.self))
        #expect(redaction.redacted("http://a.test/lakesandpiers/1.jpg") == "http://a.test/lakesandpiers/1.jpg")
        #expect(redaction.redacted("by photos:lakesandpiers") == "by ***")
    }
}
