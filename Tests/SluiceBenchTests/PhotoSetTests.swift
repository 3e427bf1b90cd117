// SPDX-License-Identifier: MIT

import SluiceImaging
import Testing

@testable import SluiceBench

@Suite("Photo set", .timeLimit(.minutes(10))) struct PhotoSetTests {
    @Test("Files have the exact size, are unique and decodable, and are reproducible from the seed")
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

    @Test("A size too small for a photo is refused")
    func tooSmall() {
        #expect(throws: BenchError.self) { try PhotoSet(count: 1, bytes: 100, seed: 1) }
    }

    @Test(
        "Comments pad a file to the exact size, with one comment or several",
        arguments: [12, 13, 65_535, 65_536, 65_546, 200_000])
    func comments(missing: Int) {
        let file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let padded = JPEGPadding.padding(file, to: 4 + missing, with: 3)
        #expect(padded.count == 4 + missing)
        // Skip all comments; the next marker is the one that followed the first marker of the original.
        var at = 2
        while padded[at + 1] == 0xFE { at += 2 + Int(padded[at + 2]) << 8 + Int(padded[at + 3]) }
        #expect(Array(padded[at...]) == [0xFF, 0xD9])
    }
}
