// SPDX-License-Identifier: MIT

import SluiceFiles
import Testing

/// Texts for paths of any bytes.
@Suite("Path texts", .timeLimit(.minutes(10))) struct PathTextTests {
    private func bytes(_ text: String) -> [UInt8] {
        PathText.systemPath(text).dropLast().map { UInt8(bitPattern: $0) }
    }

    @Test(
        "Bytes that are not valid UTF-8, and those with a meaning in addresses, are escaped",
        arguments: [
            ([0x63, 0xE9], "c%E9"), ([0xC3, 0xA9, 0xC3], "é%C3"), ([0xED, 0xA0, 0x80], "%ED%A0%80"),
            ([0xF0, 0x9F, 0x98, 0xFF], "%F0%9F%98%FF"), (Array("5% ?#\n".utf8), "5%25 %3F%23%0A"), ([], ""),
        ] as [([UInt8], String)])
    func escaping(name: [UInt8], text: String) {
        #expect(PathText.escaped(name) == text)
        #expect(bytes("file:///\(PathText.escaped(name))") == [0x2F] + name)
    }

    @Test("Every name of two bytes is restored from its text")
    func allNames() {
        for first in UInt8(1)...255 {
            for second in UInt8(1)...255
            where bytes("file:///\(PathText.escaped([first, second]))") != [0x2F, first, second] {
                Issue.record("\(first) \(second)")
            }
        }
    }

    @Test(
        "Other texts are paths as they are",
        arguments: ["/a%E9", "a%E9", "file://a%E9", "file:/a%E9", "", "FILE:///%41"])
    func plain(text: String) {
        #expect(!PathText.isAddress(text) && bytes(text) == Array(text.utf8))
    }

    @Test("Malformed escapes stand for themselves, and no text contains a zero byte")
    func malformed() {
        #expect(bytes("file:///%4") == Array("/%4".utf8))
        #expect(bytes("file:///%+1%zz%") == Array("/%+1%zz%".utf8))
        #expect(bytes("file:///a%00b") == Array("/a%b".utf8))
    }
}
