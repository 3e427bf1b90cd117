// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("JSON", .timeLimit(.minutes(10))) struct JSONTests {
    @Test(
        "Valid texts are parsed",
        arguments: [
            (
                #"{"a":[1,-2.5e3,"x\n\u00e9\ud83d\ude00",true,null]}"#,
                JSON.object([
                    .init(
                        name: "a",
                        value: .array([
                            .number("1"), .number("-2.5e3"), .string("x\né😀"), .bool(true), .null,
                        ]))
                ])
            ),
            (" [ ] ", .array([])), ("{}", .object([])), (#""""#, .string("")), ("\u{FEFF}0", .number("0")),
            (#""\ud800""#, .string("\u{FFFD}")), (#""\ud800\u0041""#, .string("\u{FFFD}A")),
        ])
    func valid(text: String, value: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "An error names the line and the column",
        arguments: [
            ("{\n  \"a\": x}", 2, 8), ("[1,]", 1, 4), ("", 1, 1), ("[1] 2", 1, 5), ("\"a", 1, 3), ("01", 1, 2),
            ("[1\u{B}]", 1, 3), ("\"\u{1}\"", 1, 2), (#""\x""#, 1, 4), ("-", 1, 2), ("1.", 1, 3), ("nul", 1, 1),
            ("{\"a\" 1}", 1, 6), ("{a:1}", 1, 2),
        ])
    func wrong(text: String, line: Int, column: Int) throws {
        let error = try #require(throws: InvalidText.self) { try JSON(parsing: Array(text.utf8)) }
        #expect((error.line, error.column) == (line, column), "\(error)")
    }

    @Test("Invalid UTF-8 is rejected")
    func invalidUTF8() {
        #expect(throws: InvalidText.self) { try JSON(parsing: [0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test("The nesting depth is limited")
    func depth() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSON(parsing: Array(deep.utf8)) }
        #expect(throws: InvalidText.self) { try JSON(parsing: Array(("[" + deep + "]").utf8)) }
        #expect(throws: InvalidText.self) { try JSON(parsing: Array(repeating: UInt8(ascii: "["), count: 1_000_000)) }
    }

    @Test("The accessors accept the careless values of feeds")
    func lenient() throws {
        let value = try JSON(parsing: Array(#"{"n":"12","i":3,"f":4.0,"e":"","z":null,"o":{}}"#.utf8))
        #expect(value["n"]?.integer == 12)
        #expect(value["i"]?.text == "3")
        #expect(value["f"]?.integer == 4)
        #expect(value["e"]?.text == nil)
        #expect(value["z"]?.text == nil)
        #expect(value["o"]?.integer == nil)
        #expect(value["missing"] == nil)
    }

    @Test("Numbers that Sluice cannot have written are no quantities")
    func quantities() {
        for (number, isValid) in [("0", true), ("1e3", true), ("-1", false), ("1.5", false), ("9e18", false)] {
            #expect((JSON.number(number).quantity != nil) == isValid, "\(number)")
        }
    }

    @Test("A character that needs an escape gets one at every offset")
    func escapes() throws {
        let special =
            (UInt32(0)..<0x20).compactMap(Unicode.Scalar.init) + ["\"", "\\", "<", "\u{7F}", "\u{85}", "\u{202E}"]
        for scalar in special {
            for offset in 0..<20 {
                let text =
                    String(repeating: "é", count: offset % 3) + String(repeating: "~", count: offset) + String(scalar)
                    + "plain !#;=]`{ü"
                var writer = JSONWriter()
                writer.value(text)
                #expect(try JSON(parsing: writer.bytes) == .string(text))
                #expect(
                    !String(decoding: writer.bytes.dropFirst().dropLast(), as: UTF8.self).unicodeScalars.contains {
                        $0 == scalar && !["\"", "\\"].contains(scalar)
                    })
            }
        }
    }

    @Test("Written texts parse back to the same values, in order and on one line")
    func writing() throws {
        var writer = JSONWriter()
        let text = "\u{0}\u{1B}[31m\"\\\n\u{2028}\u{85}\u{202E}\u{2066}</script>é😀"
        writer.object { object in
            object.member("z", 1)
            object.member("a", text)
            object.member("absent", String?.none)
            object.member("t", decimal: 1.5)
            object.array("list") { list in
                list.value("x")
                list.value(-2)
                list.object { _ in }
            }
            object.member("yes", true)
        }
        writer.newline()
        let written = String(decoding: writer.bytes, as: UTF8.self)
        #expect(written.hasPrefix(#"{"z":1,"a":""#))
        #expect(written.hasSuffix("\n") && written.dropLast().allSatisfy { $0 != "\n" && $0 != "\u{2028}" })
        #expect(!written.contains("</script>"))
        #expect(written.unicodeScalars.dropLast().allSatisfy { $0.properties.generalCategory != .format })
        let value = try JSON(parsing: writer.bytes)
        #expect(value["a"] == .string(text))
        #expect(value["absent"] == nil)
        #expect(value["t"] == .number("1.500"))
        #expect(value["list"]?.elements?.count == 3)
    }
}

/// The cases of JSONTestSuite: valid texts, invalid texts, and texts whose handling is up to the parser.
@Suite("JSON conformance", .timeLimit(.minutes(10))) struct JSONConformanceTests {
    private func isAccepted(_ bytes: [UInt8]) -> Bool { (try? JSON(parsing: bytes)) != nil }

    @Test(
        "Valid texts are accepted",
        arguments: [
            "[[]   ]", "[\"\"]", "[]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[1\n]", " [1]",
            "[1,null,null,null,2]",
            "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]", "[-0.000000000000000000000000000000000000000000001]",
            "[20e1]",
            "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]", "[1e+2]",
            "[123]", "[123.456789]", #"{"asd":"sdf", "dfg":"fgh"}"#, #"{"a":"b","a":"c"}"#, #"{"a":"b","a":"b"}"#, "{}",
            #"{"":0}"#, #"{"foo\u0000bar": 42}"#, #"{ "min": -1.0e+28, "max": 1.0e+28 }"#, #"{"a":[]}"#,
            "{\n\"a\": \"b\"\n}",
            #"["\u0060\u012a\u12AB"]"#, #"["\uD801\udc37"]"#, #"["\ud83d\ude39\ud83d\udc8d"]"#,
            #"["\"\\\/\b\f\n\r\t"]"#, #"["\\u0000"]"#, #"["\""]"#, #"["a/*b*/c/*d//e"]"#, #"["\\a"]"#, #"["\\n"]"#,
            #"["\u0012"]"#, #"["\uFFFF"]"#, "[\"asd\"]", "[ \"asd\"]", #"["\uDBFF\uDFFF"]"#, #"["new\u00A0line"]"#,
            "[\"\u{10FFFF}\"]", "[\"\u{FFFF}\"]", #"["\u0000"]"#, #"["\u002c"]"#, "[\"π\"]", "[\"\u{1BFFF}\"]",
            "[\"asd \"]", "\" \"", #"["\uD834\uDd1e"]"#, #"["\u0821"]"#, #"["\u0123"]"#, "[\"\u{2028}\"]",
            "[\"\u{2029}\"]",
            #"["\u0061\u30af\u30EA\u30b9"]"#, "[\"new\u{A0}line\"]", "[\"\u{7F}\"]", #"["\uA66D"]"#, #"["\u005C"]"#,
            "[\"⍂㈴⍂\"]",
            #"["\uDBFF\uDFFE"]"#, #"["\u200B"]"#, #"["\u2064"]"#, #"["\uFDD0"]"#, #"["\u0022"]"#, "[\"a\u{7F}a\"]",
            "false",
            "42", "-0.1", "null", "\"asd\"", "true", "\"\"", "[\"a\"]\n", "[true]", " [] ",
        ])
    func accepted(_ text: String) {
        #expect(isAccepted(Array(text.utf8)), "\(text)")
    }

    @Test(
        "Invalid texts are rejected",
        arguments: [
            // Arrays.
            "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
            "[3[4]]",
            "[1:2]", "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[1,,]", "[\"\u{B}a\"\\f]", "[*]", "[\"\"",
            "[1,",
            "[1,\n1\n,1", "[{}", "[fals]", "[nul]", "[tru]", "[1]x", "[1]]", "[][]", "]", "[",
            // Numbers.
            "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]", "[0.1.2]",
            "[0.3e+]",
            "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]", "[1eE2]",
            "[2.e+3]", "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[\u{FF11}]", "[1+2]", "[0x1]", "[0x42]",
            "[Infinity]", "[0e+-1]", "[-123.123foo]", "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]",
            "[1ea]", "[1.]", "[.123]", "[1.2a-3]", "[1.8011670033376514H-308]", "[012]", "[-00.0]", "[00e0]",
            // Objects.
            #"["x", truth]"#, #"{"x": "b"]"#, #"{"x", null}"#, #"{"x"::"b"}"#, "{🇨🇭}", #"{"a":"a" 123}"#,
            "{key: 'value'}",
            #"{:"b"}"#, #"{"a" b}"#, #"{"a":"#, #"{"a""#, "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
            #"{"id":0,,,,,}"#, "{'a':0}", #"{"id":0,}"#, #"{"a":"b"}/**/"#, #"{"a":"b"}/"#, #"{"a":"b"}//"#,
            #"{"a":"b",,"c":"d"}"#, #"{a: "b"}"#, #"{"a":"a"#, #"{ "foo" : "bar", "a" }"#, #"{"a":"b"}#"#, "{", "}",
            "{]", "{,",
            "{[", #"{"a"#, "{'a'", #"{"a": true} "x""#, #"{"asd":"asd""#, "{}}", #"{"": "#, #"{"a":/*comment*/"b"}"#,
            // Strings.
            " ", #"["\uD800\"]"#, #"["\uD800\u"]"#, #"["\uD800\u1"]"#, #"["\uD800\u1x"]"#, "[é]", "[\"\\\u{0}\"]",
            #"["\x00"]"#,
            #"["\\\"]"#, "[\"\\\t\"]", "[\"\\🌀\"]", #"["\"]"#, #"["\u00A"]"#, #"["\uD834\uDd"]"#,
            #"["\uD800\uD800\x"]"#,
            #"["\a"]"#, #"["\uqqqq"]"#, #"["\u0022]"#, #"[\u0020"asd"]"#, "[\\n]", "\"", "['single quote']", "abc",
            "[\"\\",
            "[\"a\u{0}a\"]", "[\"new\nline\"]", "[\"\t\"]", #""\UA66D""#, "\"\"x", #"["\012"]"#, "[\"\u{1F}\"]",
            // Whole texts.
            "<.>", "[<null>]", "aå", "[True]", "FALSE", "[1", "[\u{2060}]", "\u{FEFF}", "", "[\u{C}]", "[1]\u{C}",
            "[\u{A0}1]",
            "\u{2060}", "[\u{0}1]", "1 2", "2@", "*", "// x\n[]",
        ])
    func rejected(_ text: String) {
        #expect(!isAccepted(Array(text.utf8)), "\(text)")
    }

    @Test(
        "Invalid UTF-8 is rejected, also after an escape",
        arguments: [
            [0xFF], [0x5B, 0xFF, 0x5D], [0x5B, 0x31, 0xE5, 0x5D], [0x5B, 0x22, 0xE5, 0x22, 0x5D],
            [0x5B, 0x22, 0x5C, 0x75, 0xE5, 0x22, 0x5D], [0x5B, 0x22, 0x5C, 0xE5, 0x22, 0x5D],
            // An overlong slash, a surrogate, a scalar above the maximum, a truncated scalar, a lone continuation byte.
            [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0xBF, 0xBF, 0xBF, 0x22],
            [0x22, 0xE0, 0x22], [0x22, 0x81, 0x22], [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
            // UTF-16 with and without a byte-order mark in both orders; a truncated UTF-8 byte-order mark.
            [0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], [0x5B, 0x00, 0x5D, 0x00], [0x00, 0x5B, 0x00, 0x5D],
            [0xEF, 0xBB, 0x7B, 0x7D], [0xEF, 0xBB, 0xBF],
        ] as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        #expect(!isAccepted(bytes))
    }

    @Test(
        "Numbers keep their text, and an unpaired surrogate becomes U+FFFD",
        arguments: [
            ("123123e100000", JSON.number("123123e100000")), ("-1e+9999", .number("-1e+9999")),
            (
                "0.4e00669999999999999999999999999999999999999999",
                .number("0.4e00669999999999999999999999999999999999999999")
            ),
            ("100000000000000000000", .number("100000000000000000000")), ("1e-400", .number("1e-400")),
            (#""\uDADA""#, .string("\u{FFFD}")), (#""\uD888\u1234""#, .string("\u{FFFD}\u{1234}")),
            (#""\uD800\n""#, .string("\u{FFFD}\n")), (#""\uDd1ea""#, .string("\u{FFFD}a")),
            (#""\uD800\uD800x""#, .string("\u{FFFD}\u{FFFD}x")), (#""\uDd1e\uD834""#, .string("\u{FFFD}\u{FFFD}")),
            (#""\uDFAA""#, .string("\u{FFFD}")), ("\u{FEFF}{}", .object([])),
        ])
    func parserChoices(_ text: String, _ value: JSON) throws {
        #expect(try JSON(parsing: Array(text.utf8)) == value)
    }

    @Test("Numbers that do not fit an integer are not integers and do not trap")
    func hugeNumbers() throws {
        for text in ["123123e100000", "-1e+9999", "100000000000000000000", "0.5", "1e308"] {
            #expect(try JSON(parsing: Array(text.utf8)).integer == nil, "\(text)")
        }
    }

    @Test("Long texts with unclosed brackets are rejected", arguments: ["[", "{\"\":", "[{\"\":"])
    func unclosed(_ opening: String) {
        #expect(!isAccepted(Array(String(repeating: opening, count: 100_000).utf8)))
    }

    @Test("Every strict prefix of a text is rejected without a trap")
    func prefixes() {
        let text = Array(#"{"a":[1,-2.5e3,"x\n\u00e9\ud83d\ude00é",true,null,{"b":false}]}"#.utf8)
        for length in text.indices { #expect(!isAccepted(Array(text[..<length]))) }
        #expect(isAccepted(text))
    }
}
