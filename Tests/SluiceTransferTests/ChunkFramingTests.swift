// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceTransfer

@Suite("Chunk framing", .timeLimit(.minutes(10))) struct ChunkFramingTests {
    /// Whether the framing is broken, with the bytes in two pieces that meet at an offset.
    private func isBroken(_ text: String, splitAt offset: Int) -> Bool {
        let bytes = Array(text.utf8)
        var framing = ChunkFraming()
        for piece in [bytes[..<offset], bytes[offset...]] {
            unsafe piece.withUnsafeBytes { unsafe framing.receive($0) }
        }
        return framing.isBroken
    }

    /// libcurl accepted the LF, and the file ended with the CR.
    @Test(
        "A chunk must end with CRLF",
        arguments: [
            ("4\r\nabc\r\n0\r\n\r\n", true), ("3\r\nabc\n0\r\n\r\n", true), ("3\r\nabcd\r\n0\r\n\r\n", true),
            ("1\r\na\r\n4\r\nabc\r\n0\r\n\r\n", true), ("3\r\nabc\r\n0\r\n\r\n", false),
            ("3;x=y\r\nabc\r\nA\r\n\r\n23456789\r\n0\r\nX: y\r\n\r\n", false), ("3\nabc\r\n0\n\n", false),
            ("0\r\n\r\n", false), ("3\r\nab", false), ("", false),
            // Bytes that are not chunks are left to libcurl.
            ("\u{FF}\u{D8}4\r\nabc\r\n", false), ("xyz", false),
        ])
    func ends(text: String, isBroken: Bool) {
        for offset in 0...text.utf8.count { #expect(self.isBroken(text, splitAt: offset) == isBroken) }
    }
}
