// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceGallery

@Suite("Gallery writer", .timeLimit(.minutes(10))) struct GalleryWriterTests {
    private let mirror: SampleMirror

    init() throws { mirror = try SampleMirror() }

    private func samples(_ count: Int) -> [LedgerEntry] { (0..<count).map { LedgerEntry.sample($0 + 1) } }

    private func names(in folder: String) -> [String] {
        mirror.temporary.names().filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }

    @Test(
        "Chunks and pages hold two hundred entries each",
        arguments: [(0, 0), (1, 1), (199, 1), (200, 1), (201, 2), (400, 2), (401, 3)])
    func splits(count: Int, chunks: Int) throws {
        try mirror.write(samples(count))
        #expect(names(in: "gallery/data") == (0..<chunks).map { "\($0 + 1).js" })
        #expect(names(in: "gallery/pages") == (0..<chunks).map { "\($0 + 1).html" })
        #expect(names(in: "gallery/index") == (count == 0 ? [] : ["1.js"]))
        var figures = 0
        for page in 0..<chunks {
            let text = try mirror.text("gallery/pages/\(page + 1).html")
            figures += text.components(separatedBy: "<figure").count - 1
            #expect(text.contains("rel=\"next\"") == (page < chunks - 1))
            #expect(text.contains("rel=\"prev\"") == (page > 0))
        }
        #expect(figures == count)
    }

    @Test("A large index is split into blocks") func splitsIndex() throws {
        try mirror.write((0..<10_001).lazy.map { LedgerEntry.sample($0 + 1) })
        #expect(names(in: "gallery/index") == ["1.js", "2.js"])
        #expect(names(in: "gallery/text") == ["1.js", "2.js"])
        #expect(try mirror.text("gallery/text/2.js").hasPrefix("sluice.text(1,\"Caption 10001\\tAuthor 5\\t"))
        #expect(names(in: "gallery/hashes") == ["1.js", "2.js"])
        #expect(try mirror.text("gallery/hashes/2.js").hasPrefix("sluice.hashes(1,\""))
        #expect(try mirror.text("gallery/index/2.js").hasPrefix("sluice.index(1,{\"count\":1,"))
        #expect(try mirror.text("index.html").contains("data-items=\"10001\" data-chunk=\"200\" data-blocks=\"2\""))
    }

    @Test("Writing the same entries again changes no file") func keepsFiles() throws {
        let first = try mirror.write(samples(450))
        let second = try mirror.write(samples(450))
        #expect(first.kept == 0)
        #expect(second.written == 0 && second.kept == first.written && second.removed == 0)
    }

    @Test("Adding entries rewrites only the last chunk and the index") func rewritesWhatChanged() throws {
        try mirror.write(samples(450))
        let change = try mirror.write(samples(550))
        // The last chunk, its page, the blocks of the index, the texts and the hashes, and the front page.
        #expect(change.written == 6)
        #expect(change.removed == 0)
    }

    @Test("A smaller gallery removes the extra files of a larger one") func removesLeftovers() throws {
        try mirror.write(samples(900))
        let change = try mirror.write(samples(150))
        #expect(change.removed == 8)
        let fresh = try SampleMirror()
        try fresh.write(samples(150))
        #expect(mirror.temporary.names() == fresh.temporary.names())
        for name in fresh.temporary.names() where name.contains(".") {
            #expect(try mirror.temporary.bytes(of: name) == fresh.temporary.bytes(of: name))
        }
    }

    @Test("An unfinished gallery leaves no partial files") func unfinished() throws {
        try mirror.write(samples(1))
        let before = mirror.temporary.names()
        do {
            var writer = GalleryWriter(into: LocalStore(mirror.folder), options: sampleOptions)
            for entry in samples(900) { try writer.add(entry) }
            #expect(mirror.temporary.names().contains { $0.hasSuffix(".part") })
        }
        #expect(mirror.temporary.names() == before)
    }

    @Test("The user's style sheet is written and removed with the option") func writesStyle() throws {
        var options = sampleOptions
        options.style = Array("body { background: navy }".utf8)
        try mirror.write(samples(1), options: options)
        #expect(try mirror.text("gallery/user.css") == "body { background: navy }")
        #expect(try mirror.text("index.html").contains("gallery/user.css"))
        #expect(try mirror.text("gallery/pages/1.html").contains("../user.css"))
        try mirror.write(samples(1))
        #expect(!mirror.temporary.names().contains("gallery/user.css"))
        #expect(try !mirror.text("index.html").contains("user.css"))
    }

    @Test("The dark style sheet exists unless the theme is light", arguments: GalleryAppearance.Theme.allCases)
    func writesColors(theme: GalleryAppearance.Theme) throws {
        var options = sampleOptions
        options.theme = theme
        try mirror.write(samples(1), options: options)
        #expect(mirror.temporary.names().contains("gallery/dark.css") == (theme != .light))
        for page in ["index.html", "gallery/pages/1.html"] {
            #expect(try mirror.text(page).contains("dark.css") == (theme != .light))
        }
    }

    @Test("The front page shows the counts, an empty mirror and a run in progress") func tellsCounts() throws {
        try mirror.write(
            samples(1200) + [.failed(1201), LedgerEntry.sample(1202).with { $0.receipt = Receipt(.skipped) }])
        #expect(
            try mirror.text("index.html").contains(
                "1\u{202F}200 photos · <a href=\"#/?state=failed\">1 failed</a> · <a href="))
        try mirror.write([])
        #expect(try mirror.text("index.html").contains("This gallery is empty"))
        var options = sampleOptions
        options.isRunning = true
        try mirror.write([], options: options)
        #expect(try mirror.text("index.html").contains("The first photos are being downloaded"))
        options.expectedCount = 5000
        try mirror.write(samples(1) + [LedgerEntry.sample(2).with { $0.receipt = nil }], options: options)
        let text = try mirror.text("index.html")
        #expect(text.contains("1 of 5\u{202F}000 photos so far · <a href=\"#/?state=pending\">1 pending</a>"))
        #expect(text.contains("a run was in progress<"))
        options.updatedAt = "2026-01-31 12:00 UTC"
        try mirror.write(samples(1), options: options)
        let page = try mirror.text("index.html")
        #expect(page.contains("a run was in progress at 2026-01-31 12:00 UTC"))
        #expect(page.contains("If it was stopped, <code>sluice mirror</code> in this folder resumes it."))
        options.isResumable = false
        try mirror.write(samples(1), options: options)
        #expect(try !mirror.text("index.html").contains("If it was stopped"))
    }

    @Test("Hostile text adds no elements or attributes to a page") func keepsMarkup() throws {
        let texts = HostileText.all + HostileText.random(400)
        let benign = try SampleMirror()
        try benign.write(texts.indices.map { LedgerEntry.hostile("benign", seq: $0 + 1) }, options: .hostile("benign"))
        try mirror.write(
            texts.enumerated().map { LedgerEntry.hostile("x" + $1, seq: $0 + 1) }, options: .hostile("x" + texts[0]))
        for name in benign.temporary.names() where name.hasSuffix(".html") {
            #expect(skeleton(try mirror.text(name)) == skeleton(try benign.text(name)))
        }
    }

    /// A page's tags with the names of their attributes, in order.
    private func skeleton(_ html: String) -> [String] {
        html.matches(of: /<[^>]*>/).map { tag in
            String(tag.output).replacing(/"[^"]*"/, with: "")
        }
    }

    @Test("Ten thousand entries take less than 20 seconds") func isQuick() throws {
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try mirror.write((0..<10_000).lazy.map { LedgerEntry.sample($0 + 1) }) }
        #expect(time < .seconds(20))
    }

    @Test("The script is written without comments and indentation") func compacts() throws {
        let script = "// A\n\nconst a = 1; // one\n    // B\n    const url = \"https://x\";\n"
        #expect(
            String(decoding: Assets.compacted(Array(script.utf8)), as: UTF8.self)
                == "// SPDX-License-Identifier: MIT\nconst a = 1; // one\nconst url = \"https://x\";\n")
    }

    @Test("The front page loads at most 67 kB of script, and less than 38 kB later") func scriptsAreSmall() {
        #expect(Assets.script.count <= 67_000)
        #expect(Assets.detailScript.count + Assets.zipScript.count < 38_000)
    }

    @Test("Without JavaScript the front page shows the first photos") func showsFirstPhotos() throws {
        try mirror.write(samples(3))
        let all = try mirror.text("index.html")
        #expect(all.components(separatedBy: "<figure").count - 1 == 3)
        #expect(all.contains("<a href=\"originals/1.png\"><img"))
        #expect(all.contains("<a href=\"originals/1.png\">Original</a> (PNG, 1 kB)"))
        #expect(all.contains(">Author 1<"))
        #expect(!all.contains("Show all photos"))
        try mirror.write(samples(1500))
        let first = try mirror.text("index.html")
        #expect(first.components(separatedBy: "<figure").count - 1 == 48)
        #expect(first.contains("These are the first 48 of 1\u{202F}500 photos."))
        #expect(first.contains("<a href=\"gallery/pages/1.html\">Show all photos</a>"))
    }

    @Test("The searchable text of a photo begins with its caption, even if it has none") func beginsWithCaption() throws
    {
        try mirror.write([
            LedgerEntry.sample(1).with { $0.item.photo.collection = "Lakes" },
            LedgerEntry.sample(2).with { $0.item.photo.caption = nil },
        ])
        #expect(
            try mirror.text("gallery/text/1.js")
                == #"sluice.text(0,"Caption 1\tLakes\tAuthor 1\tphoto-1\n\tAuthor 2\tphoto-2\n");"# + "\n")
    }
}

extension LedgerEntry {
    /// A photo with a hostile text in every field.
    ///
    /// Every fifth photo is a failed one.
    static func hostile(_ text: String, seq: Int) -> LedgerEntry {
        (seq % 5 == 0 ? LedgerEntry.failed(seq, .corrupt, text) : LedgerEntry.sample(seq)).with {
            $0.item.photo.id = text
            $0.item.photo.caption = text
            $0.item.photo.author = text
            $0.item.photo.authorURL = text
            $0.item.photo.pageURL = text
            $0.item.photo.license = text
            $0.item.photo.licenseURL = text
            $0.item.photo.attribution = seq % 2 == 0 ? text : nil
            $0.item.photo.color = text
            $0.item.photo.placeholder = text
            $0.receipt?.url = text
        }
    }
}

extension GalleryOptions {
    /// Options with a hostile text in every field.
    static func hostile(_ text: String) -> GalleryOptions {
        var options = sampleOptions
        options.title = text
        options.report = text
        return options
    }
}
