// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Percent escapes", .timeLimit(.minutes(1))) struct TextCodingTests {
    @Test(
        "Escapes are decoded once, and malformed ones stay",
        arguments: [
            ("a%20b", "a b"), ("%C3%a9", "é"), ("%2541", "%41"), ("100%", "100%"), ("%4", "%4"), ("%G1%4g", "%G1%4g"),
            ("%%41", "%A"), ("", ""),
        ])
    func decoding(text: String, decoded: String) {
        #expect(text.utf8.percentDecoded == Array(decoded.utf8))
    }

    @Test("Every byte has one escape of capital digits, which decodes to the byte")
    func roundTrip() {
        for byte in UInt8.min...UInt8.max {
            #expect(byte.percentEncoded.count == 3)
            #expect(byte.percentEncoded.percentDecoded == [byte])
        }
        #expect(String(decoding: UInt8(0xC3).percentEncoded, as: UTF8.self) == "%C3")
    }
}
