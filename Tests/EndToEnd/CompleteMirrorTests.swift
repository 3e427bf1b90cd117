// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    @Suite("Complete mirror") struct CompleteMirrorTests {
        /// The manifest's fields for a finished photo of the demo.
        private static let facts: Set<String> = [
            "schema", "seq", "id", "feed", "page", "state", "url", "status", "file", "bytes", "sha256", "format",
            "width", "height", "orientation", "etag", "last_modified", "color", "placeholder", "phash", "caption",
            "author", "author_url",
            "page_url", "license", "license_url", "attribution", "thumbs", "date", "variant", "license_at_download",
        ]

        @Test("Ninety photos are mirrored, and the output to a pipe is plain text") func words() throws {
            let (run, tree) = try DemoMirror.undisturbed.get()
            #expect(run.code == 0 && run.out.isEmpty && run.isPlain)
            let lines = run.err.split(separator: "\n")
            #expect(lines.contains("page 3: 30 photos (the feed has 300)"))
            #expect(lines.contains { $0.hasPrefix("90 photos: 90 done, in ") })
            #expect(lines.contains { $0.hasPrefix("  thumbnails  90, ") })
            #expect(lines.last?.hasPrefix("  gallery  ") == true && lines.last?.hasSuffix("/mirror/index.html") == true)
            #expect(tree.names.filter { $0.hasPrefix(".sluice/") } == [".sluice/ledger.sqlite", ".sluice/lock"])
            let top = Set(tree.names.compactMap { $0.split(separator: "/").first.map(String.init) })
            #expect(
                top == [
                    ".sluice", "gallery", "index.html", "manifest.csv", "manifest.jsonl", "originals", "report.html",
                    "report.json", "thumbs",
                ])
        }

        @Test("The manifest has one line per photo, in feed order, with all fields") func manifest()
            throws
        {
            let tree = try DemoMirror.undisturbed.get().tree
            let lines = try RunEvent.all(in: tree.text("manifest.jsonl"))
            #expect(lines.map(\.seq) == Array(1...90))
            #expect(lines.map { $0[number: "page"] } == (0..<90).map { $0 / 30 + 1 })
            #expect(Set(lines.map { $0[text: "id"] }).count == 90)
            for line in lines {
                #expect(Set(line.members.keys) == Self.facts)
                #expect(line[text: "state"] == "done" && line[number: "status"] == 200 && line[text: "feed"] == "demo")
                let thumb = try #require(line[list: "thumbs"].first)
                #expect(Set(thumb.keys) == ["size", "file", "width", "height", "bytes", "format", "sha256"])
                #expect(thumb["size"] as? Int == 64)
            }
            let names = lines.compactMap { $0[text: "file"] } + lines.compactMap(thumbName)
            let pictures = tree.names.filter { $0.hasPrefix("originals/") || $0.hasPrefix("thumbs/") }
            #expect(names.sorted() == pictures && names.count == 180)
            // No caption of the demo's first pages has a line break in it.
            #expect(tree.text("manifest.csv").split(separator: "\n").count == 91)
        }

        @Test("Every file has the size and the SHA-256 of its manifest entry") func hashes() throws {
            let mirror = try DemoMirror.finished()
            let tree = try mirror.tree()
            var sums = ""
            for line in try RunEvent.all(in: tree.text("manifest.jsonl")) {
                for file in [line.members] + line[list: "thumbs"] {
                    let name = try #require(file["file"] as? String)
                    #expect(tree.files[name]?.count == file["bytes"] as? Int)
                    sums += "\(file["sha256"] ?? "")  \(name)\n"
                }
            }
            try Data(sums.utf8).write(to: mirror.parent.appending(path: "sums"))
            let check = try Binary.shell("cd mirror && sha256sum -c --quiet ../sums", folder: mirror.parent)
            #expect(check == Binary.Result(code: 0, out: "", err: ""))
            #expect(sums.split(separator: "\n").count == 180)
        }

        @Test("A second run downloads nothing, says so, and changes nothing") func secondRun() throws {
            let mirror = try DemoMirror.finished()
            let before = try mirror.tree().visible
            let result = try mirror.run()
            #expect(result.code == 0 && result.out.isEmpty && result.isPlain)
            #expect(result.err.contains("nothing to download: all 90 photos were already done"))
            #expect(try mirror.tree().visible.differences(to: before) == [])
            let events = try mirror.finish()
            #expect(events.started.isEmpty && events.ended("kept") == Set(1...90))
            #expect(events.last?[number: "bytes_received"] == 0)
        }

        @Test(
            "The gallery shows ninety photos in Chromium, from file://",
            .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
        func browser() async throws {
            let mirror = try DemoMirror.finished()
            try await withBrowser { browser in
                try await browser.open("file://\(mirror.path)/index.html")
                try await browser.wait(for: "document.querySelector('.counts')?.textContent === '90 photos'")
                #expect(try await shownPhotos(in: browser) == Set(0..<90))
                #expect(try await browser.complaints() == [])
                #expect(try await browser.requests().filter { !$0.hasPrefix("file://") && $0 != "about:blank" } == [])
            }
        }

        /// Scrolls down the page and returns the places of all photos whose pictures were shown.
        private func shownPhotos(in browser: WebDriver) async throws -> Set<Int> {
            var seen: Set<Int> = []
            var isEnd = false
            while !isEnd {
                try await browser.wait(
                    for: """
                        document.querySelectorAll('#grid img').length
                            && [...document.querySelectorAll('#grid [data-place]')].every((tile) => tile.querySelector('a'))
                            && [...document.querySelectorAll('#grid img')].every((image) => image.complete)
                        """)
                let places: [Int] = try await browser.value(
                    """
                    [...document.querySelectorAll('#grid img')].filter((image) => image.naturalWidth > 0)
                        .map((image) => Number(image.closest('[data-place]').dataset.place))
                    """)
                seen.formUnion(places)
                isEnd = try await browser.value("scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
                try await browser.scroll("scrollBy(0, innerHeight / 2)")
            }
            return seen
        }

        private func thumbName(_ line: RunEvent) -> String? { line[list: "thumbs"].first?["file"] as? String }
    }
}
