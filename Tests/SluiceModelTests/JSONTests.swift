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
