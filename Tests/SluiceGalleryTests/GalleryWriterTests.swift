// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

@Suite("Gallery writer", .timeLimit(.minutes(10))) struct GalleryWriterTests {
    private let mirror: SampleMirror

    init() throws { mirror = try SampleMirror() }

    private func samples(_ count: Int) -> [Entry] { (0..<count).map { Entry.sample($0 + 1) } }

    private func names(in folder: String) -> [String] {
        mirror.temporary.names().filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }

    @Test(
        "Chunks and pages hold two hundred each",
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

    @Test("The index goes on in a second block") func splitsIndex() throws {
        try mirror.write((0..<10_001).lazy.map { Entry.sample($0 + 1) })
        #expect(names(in: "gallery/index") == ["1.js", "2.js"])
        #expect(names(in: "gallery/text") == ["1.js", "2.js"])
        #expect(try mirror.text("gallery/text/2.js").hasPrefix("sluice.text(1,\"Caption 10001\\tAuthor 5\\t"))
        #expect(try mirror.text("gallery/index/2.js").hasPrefix("sluice.index(1,{\"count\":1,"))
        #expect(try mirror.text("index.html").contains("data-items=\"10001\" data-chunk=\"200\" data-blocks=\"2\""))
    }

    @Test("The same entries write nothing again") func keepsFiles() throws {
        let first = try mirror.write(samples(450))
        let second = try mirror.write(samples(450))
        #expect(first.kept == 0)
        #expect(second.written == 0 && second.kept == first.written && second.removed == 0)
    }

    @Test("A hundred more rewrite the last chunk and the index alone") func rewritesWhatChanged() throws {
        try mirror.write(samples(450))
        let change = try mirror.write(samples(550))
        // The last chunk, its page, the index's block with its text, and the front page.
        #expect(change.written == 5)
        #expect(change.removed == 0)
    }

    @Test("A shorter gallery leaves nothing of a longer one") func removesLeftovers() throws {
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

    @Test("What a killed run left half written is removed") func removesPartialFile() throws {
        try mirror.write(samples(1))
        try mirror.folder.write([1, 2, 3], to: "gallery/new-63.part")
        try mirror.write(samples(1))
        #expect(!mirror.temporary.names().contains { $0.hasSuffix(".part") })
    }

    @Test("A gallery that is not finished leaves no half of one behind") func unfinished() throws {
        try mirror.write(samples(1))
        let before = mirror.temporary.names()
        do {
            var writer = try GalleryWriter(into: mirror.folder, options: sampleOptions)
            for entry in samples(900) { try writer.add(entry) }
            #expect(mirror.temporary.names().contains { $0.hasSuffix(".part") })
        }
        #expect(mirror.temporary.names() == before)
    }

    @Test("A style sheet of the user's comes and goes") func writesStyle() throws {
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

    @Test("Dark colours are there where they may be wanted", arguments: GalleryLook.Theme.allCases)
    func writesColors(theme: GalleryLook.Theme) throws {
        var options = sampleOptions
        options.theme = theme
        try mirror.write(samples(1), options: options)
        #expect(mirror.temporary.names().contains("gallery/dark.css") == (theme != .light))
        for page in ["index.html", "gallery/pages/1.html"] {
            #expect(try mirror.text(page).contains("dark.css") == (theme != .light))
        }
    }

    @Test("The front page tells the counts, an empty mirror and a running one") func tellsCounts() throws {
        try mirror.write(samples(1200) + [.failed(1201), Entry.sample(1202).with { $0.receipt = Receipt(.skipped) }])
        #expect(try mirror.text("index.html").contains("1\u{202F}200 photos · 1 failed · 1 skipped"))
        try mirror.write([])
        #expect(try mirror.text("index.html").contains("There is nothing here yet"))
        var options = sampleOptions
        options.isRunning = true
        try mirror.write([], options: options)
        #expect(try mirror.text("index.html").contains("on their way"))
        options.expected = 5000
        try mirror.write(samples(1) + [Entry.sample(2).with { $0.receipt = nil }], options: options)
        let text = try mirror.text("index.html")
        #expect(text.contains("1 of 5\u{202F}000 photos so far · 1 to come"))
        #expect(text.contains("a run was under way<"))
        options.moment = "2026-01-31 12:00 UTC"
        try mirror.write(samples(1), options: options)
        let page = try mirror.text("index.html")
        #expect(page.contains("a run was under way at 2026-01-31 12:00 UTC"))
        #expect(page.contains("If it was stopped, <code>sluice mirror</code> in this folder goes on."))
        options.goesOn = false
        try mirror.write(samples(1), options: options)
        #expect(try !mirror.text("index.html").contains("If it was stopped"))
    }

    @Test("Hostile text adds no element and no attribute to a page") func keepsMarkup() throws {
        let texts = HostileText.all + HostileText.made(400)
        let benign = try SampleMirror()
        try benign.write(texts.indices.map { Entry.hostile("benign", seq: $0 + 1) }, options: .hostile("benign"))
        try mirror.write(
            texts.enumerated().map { Entry.hostile("x" + $1, seq: $0 + 1) }, options: .hostile("x" + texts[0]))
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

    @Test("Ten thousand entries are quick") func isQuick() throws {
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try mirror.write((0..<10_000).lazy.map { Entry.sample($0 + 1) }) }
        #expect(time < .seconds(20))
    }
}

extension Entry {
    /// A photo, every fifth of which failed, that says the same hostile thing wherever it can.
    static func hostile(_ text: String, seq: Int) -> Entry {
        (seq % 5 == 0 ? Entry.failed(seq, .corrupt, text) : Entry.sample(seq)).with {
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
    /// Options that say the same hostile thing wherever they can.
    static func hostile(_ text: String) -> GalleryOptions {
        var options = sampleOptions
        options.title = text
        options.report = text
        return options
    }
}
