// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// From SOURCE arguments to sources: folders of lists, patterns, and several photos.
@Suite("SOURCE arguments", .timeLimit(.minutes(5))) struct SourceTests {
    private static let transfers = Transfers(TransferOptions(userAgent: "test"))
    private let folder = TemporaryFolder()

    private func write(_ names: String..., bytes: [UInt8] = Array("url\n".utf8)) throws {
        for name in names { try folder.write(bytes, to: name) }
    }

    @Test(
        "A page of a service names the source of its photos",
        arguments: [
            (
                "https://commons.wikimedia.org/wiki/Category:Lakes_of_Z%C3%BCrich?x=1#y",
                "commons:category/Lakes_of_Z\u{FC}rich"
            ),
            ("https://archive.org/details/nasa", "archive:item/nasa"), ("https://archive.org/details/", nil),
            ("https://www.flickr.com/photos/ida/albums/72157/", "flickr:album/72157"),
            ("https://www.flickr.com/photos/ida/72157/", nil),
            ("http://bsky.app/profile/a.test", "bluesky:author/a.test"),
            ("https://bsky.app/profile/a.test/post/3k", nil),
            ("https://huggingface.co/datasets/o/n", "huggingface:train/o/n"),
            ("https://huggingface.co/datasets/o", nil), ("https://commons.wikimedia.org/wiki/File:A.jpg", nil),
            ("https://a.test/commons.wikimedia.org/wiki/Category:X", nil),
        ] as [(String, String?)])
    func servicePages(address: String, source: String?) throws {
        #expect(ServicePage.source(ofPhotosAt: address) == source)
        let advice = try Source(address).advice
        #expect(advice?.contains("'\(source ?? "")'") ?? (source == nil))
        // The named source exists.
        if let source { _ = try Source(source) }
    }

    @Test(
        "A pattern matches as in a shell",
        arguments: [
            ("*.csv", "a.csv", true), ("*.csv", ".csv", true), ("*.csv", "a.tsv", false), ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "ab", false), ("?.csv", "a.csv", true), ("?.csv", ".csv", false), ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false), ("[]]", "]", true), ("[a", "[a", true), ("**", "", true), ("", "", true),
        ])
    func patterns(pattern: String, name: String, isMatch: Bool) {
        #expect(PathPattern.matches(Array(name.utf8), Array(pattern.utf8)) == isMatch)
    }

    @Test(
        "A pattern of names matches component by component, below the folder before the first wildcard",
        arguments: [
            ("data/*.parquet", "data", false, ["data/a.parquet"]),
            ("*/[a-b].csv", "", true, ["x/a.csv", "y/b.csv"]), ("*.csv", "", false, ["top.csv"]),
            ("data/.*", "data", false, ["data/.hidden"]),
        ])
    func names(pattern: String, base: String, isDeep: Bool, expected: [String]) throws {
        let names = [
            "data/a.parquet", "data/sub/b.parquet", "data/.hidden", "x/a.csv", "y/b.csv", "y/c.csv", "top.csv",
            "data/.a.parquet",
        ]
        let pattern = try #require(PathPattern(ofNames: pattern))
        #expect(pattern.folder == base && pattern.isDeep == isDeep)
        #expect(
            names.filter(pattern.matches).filter { $0 != "data/.a.parquet" || !expected.contains("data/.hidden") }
                == expected)
        #expect(PathPattern(ofNames: "data/a.csv") == nil)
    }

    /// A matcher that tries all ways takes years for this.
    @Test("A hostile pattern takes no time")
    func hostile() {
        let pattern = Array((String(repeating: "a*", count: 30) + "b").utf8)
        #expect(!PathPattern.matches(Array(repeating: 97, count: 250), pattern))
    }

    @Test("A folder that has lists and no photos is a source of its lists, in the order of their names")
    func lists() throws {
        try write(
            "d/b.parquet", "d/a.csv.gz", "d/sub/c.jsonl", "d/README.md", "d/.hidden.csv", "d/m/.sluice/l", "d/m/x.csv")
        let source = try Source(folder.path("d"))
        #expect(source.type == .list && source.politeness.respectsRobotsTxt)
        let feeds = try source.feeds(through: Self.transfers, options: FeedOptions())
        #expect(feeds.map(\.source) == ["a.csv.gz", "b.parquet", "sub/c.jsonl"].map { folder.path("d/\($0)") })
        try write("d/photo.jpg")
        #expect(try Source(folder.path("d")).type == .folder)
    }

    @Test("A file without an extension that is no text counts as a photo")
    func hashes() throws {
        try write("d/a.csv")
        try write("d/0a1b2c", bytes: [0xFF, 0xD8, 0xFF, 0xE0])
        #expect(try Source(folder.path("d")).type == .folder)
    }

    @Test("Patterns name lists or photos, and the name of an existing file is none")
    func patternSources() throws {
        try write("d/a.txt", "d/b.txt", "d/1.jpg", "d/2.jpg", "d/[x].csv")
        let lists = try Source(folder.path("d/*.txt"))
        #expect(lists.type == .list)
        let feeds = try lists.feeds(through: Self.transfers, options: FeedOptions())
        #expect(feeds.map(\.source) == [folder.path("d/a.txt"), folder.path("d/b.txt")])
        #expect(try Source(folder.path("d/[12].jpg")).type == .folder)
        let file = try Source(folder.path("d/[x].csv")).feeds(through: Self.transfers, options: FeedOptions())
        #expect(file.count == 1 && file[0].source == nil)
        #expect(throws: SourceError.self) { try Source(folder.path("d/*.none")) }
    }

    @Test("Photos and folders that follow each other are one source")
    func merged() throws {
        try write("1.jpg", "2.jpg", "d/3.jpg", "a.csv", "4.jpg")
        let sources = try Source.all(["1.jpg", "2.jpg", "d", "a.csv", "4.jpg"].map(folder.path))
        #expect(sources.map { $0.type == .folder } == [true, false, true])
        #expect(sources.map(\.texts.count) == [3, 1, 1])
    }
}
