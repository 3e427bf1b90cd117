// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The galleries that whole runs write.
@Suite("Galleries of runs", .timeLimit(.minutes(10))) struct GalleryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    private func title(of page: String) throws -> String? {
        try text(page).firstMatch(of: /<h1[^>]*>([^<]*)</).map { String($0.output.1) }
    }

    private func demo(_ more: String...) throws {
        let words = ["mirror", "demo", "--pages=1", "--per-page=2", "--variant=thumb", "--sizes=64", "-o", "out/x-1"]
        #expect(try Binary.run(words + more, folder: folder.url).code == 0)
    }

    /// The gallery had the name of its folder, and the report the source.
    @Test("Gallery and report have the same title, which comes from the source or from the user") func titles() throws {
        try demo()
        #expect(try title(of: "out/x-1/index.html") == "Demo")
        #expect(try title(of: "out/x-1/report.html") == "Demo")
        #expect(try Binary.run(["gallery", "out/x-1", "--title", "Lakes"], folder: folder.url).code == 0)
        try demo("--refresh")
        #expect(try title(of: "out/x-1/index.html") == "Lakes")
        #expect(try title(of: "out/x-1/report.html") == "Lakes")
    }

    @Test("Thumbnails of local photos link to their originals, also when another folder is current later")
    func localOriginals() throws {
        try demo()
        let photos = try Tree(of: folder.path("out/x-1/originals")).names
        let file = try #require(photos.first)
        #expect(
            try Binary.run(["thumbs", "x-1/originals", "-o", "site"], folder: folder.url.appending(path: "out")).code
                == 0)
        let link = "\"local\":\"../x-1/originals/\(file)\""
        #expect(try text("out/site/gallery/data/1.js").contains(link))
        #expect(try Binary.run(["gallery", "out/site", "--title", "Site"], folder: folder.url).code == 0)
        #expect(try text("out/site/gallery/data/1.js").contains(link))
        #expect(try title(of: "out/site/index.html") == "Site")
    }
}
