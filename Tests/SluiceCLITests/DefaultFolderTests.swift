// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceCLI

@Suite("Default folder", .timeLimit(.minutes(10))) struct DefaultFolderTests {
    @Test(
        "A mirror without --out is named after its source",
        arguments: [
            ("demo", "demo-mirror"), ("-", "stdin-mirror"), ("lists/cats.txt", "cats-mirror"),
            ("cats.jsonl.gz", "cats-mirror"), ("unsplash:photo/ID", "unsplash-photo-ID-mirror"),
            ("https://example.com/photos/feed.xml", "example.com-photos-feed.xml-mirror"),
            ("https://user:secret@example.com/a", "example.com-a-mirror"), ("../..", "mirror"), ("///", "mirror"),
            (".hidden", "hidden-mirror"), ("日本.txt", "日本-mirror"),
        ])
    func names(_ source: String, folder: String) {
        #expect(defaultFolder(for: source) == folder)
    }

    @Test("The query of a URL is hidden but distinguishes two feeds")
    func queries() {
        let cats = defaultFolder(for: "https://example.com/search?q=cats&key=secret")
        let dogs = defaultFolder(for: "https://example.com/search?q=dogs&key=secret")
        #expect(cats != dogs && cats.hasPrefix("example.com-search-") && !cats.contains("secret"))
    }

    @Test("No source gives a folder outside the current one, or a name that is too long")
    func hostile() {
        for source in ["../../etc", "a/../../b:c", "\u{1B}[31m", String(repeating: "x", count: 5000), "..:.."] {
            let folder = defaultFolder(for: source)
            #expect(
                !folder.contains("/") && !folder.hasPrefix(".") && folder.utf8.count < 255 && folder == escaped(folder))
        }
    }
}
