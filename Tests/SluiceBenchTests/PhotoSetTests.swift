// SPDX-License-Identifier: MIT

import SluiceImaging
import Testing

@testable import SluiceBench

@Suite("Photo set") struct PhotoSetTests {
    @Test("Files have exactly the size, differ from each other, decode, and are the same from the same seed")
    func files() throws {
        let set = try PhotoSet(count: 20, bytes: 3000, seed: 5)
        let files = (0..<20).compactMap { set.file($0) }
        #expect(files.allSatisfy { $0.count == 3000 })
        #expect(Set(files).count == 20)
        let made = try Thumbnailer().thumbnails(of: files[13])
        #expect(made.info.format == .jpeg && made.thumbnails.count == 1)
        #expect(try PhotoSet(count: 20, bytes: 3000, seed: 5).file(13) == files[13])
        #expect(try PhotoSet(count: 20, bytes: 3000, seed: 6).file(13) != files[13])
        #expect(set.file(20) == nil && set.file(-1) == nil)
    }

    @Test("A size that no photo fits in is refused")
    func tooSmall() {
        #expect(throws: BenchError.self) { try PhotoSet(count: 1, bytes: 100, seed: 1) }
    }

    @Test(
        "Comments fill a file up to the byte, in one piece or several",
        arguments: [12, 13, 65_535, 65_536, 65_546, 200_000])
    func comments(room: Int) {
        let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let filled = JPEGComment.filling(file, to: 4 + room, with: 3)
        #expect(filled.count == 4 + room)
        // Each comment leads to the next, and the last to what was behind the first marker.
        var at = 2
        while filled[at + 1] == 0xFE { at += 2 + Int(filled[at + 2]) << 8 + Int(filled[at + 3]) }
        #expect(Array(filled[at...]) == [0xFF, 0xD9])
    }
}
