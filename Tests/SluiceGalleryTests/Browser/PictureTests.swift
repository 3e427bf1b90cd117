// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Pictures") struct PictureTests {
        /// The hash of a red ring on a transparent ground.
        private let transparent = "2TmDBIAkAAAAAAAAAAAAAABwgLRnCKiGBg=="

        /// The photo's colour behind a picture of the same colour hid its shape, and two layers were drawn over each
        /// other.
        @Test(
            "A transparent photo is one layer on a chequered ground, in grid, table and detail view",
            arguments: ["#222222", "#fafafa"])
        func transparency(color: String) async throws {
            let entry = LedgerEntry.sample(1).with {
                $0.receipt?.placeholder = transparent
                $0.receipt?.color = color
            }
            let isPale = color == "#fafafa"
            try await withGallery(of: [entry, .sample(2)]) { page in
                let browser = page.browser
                for (address, ground) in [("", ".tile"), ("#/?view=table", ".art")] {
                    try await page.open(address)
                    let classes: [Bool] = try await browser.value(
                        """
                        [...document.querySelectorAll('#grid \(ground)')].flatMap((each) =>
                            [each.classList.contains('clear'), each.classList.contains('pale'), each.style.backgroundColor !== ''])
                        """)
                    #expect(classes == [true, isPale, false, false, false, true])
                }
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                try await browser.wait(for: "document.querySelector('.sharp.there')")
                let layers: [String] = try await browser.value(
                    "[...document.querySelectorAll('#stage img')].map((each) => each.className)")
                #expect(layers == ["sharp clear\(isPale ? " pale" : "") there"])
            }
        }

        private func thumbnail(of path: String) -> LedgerEntry {
            LedgerEntry.sample(3).with {
                $0.receipt?.original = nil
                $0.receipt?.url = path
            }
        }

        @Test("A gallery of thumbnails shows and links the original on the same disk") func localOriginal() async throws
        {
            let mirror = try SampleMirror()
            try mirror.addPictures()
            var options = sampleOptions
            options.originals = LocalOriginals(gallery: mirror.temporary.path, base: nil)
            try mirror.write([thumbnail(of: mirror.temporary.path("originals/3.png"))], options: options)
            try await withBrowser { browser in
                let page = GalleryPage(mirror: mirror, browser: browser)
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                try await browser.wait(for: "document.querySelector('.sharp.there')?.naturalWidth === 120")
                let link: [String] = try await browser.value(
                    "((link) => [link.textContent, link.getAttribute('href')])(document.querySelector('.links a'))")
                #expect(link == ["Original on this disk", "originals/3.png"])
                #expect(try await browser.value("document.getElementById('note').hidden"))
            }
        }

        /// A thumbnail filled the window, and looked like a bad photo.
        @Test("A thumbnail above 100 % says that it is one", arguments: [nil, "/missing/3.png"])
        func enlargedThumbnail(path: String?) async throws {
            var options = sampleOptions
            options.originals = path.map { _ in LocalOriginals(gallery: "/gallery", base: nil) }
            let mirror = try SampleMirror()
            try mirror.addPictures()
            try mirror.write([thumbnail(of: path ?? "https://img.example.org/3.png")], options: options)
            try await withBrowser { browser in
                let page = GalleryPage(mirror: mirror, browser: browser)
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                try await browser.wait(for: "!document.getElementById('note').hidden")
                let note: String = try await browser.value("document.getElementById('note').textContent")
                #expect(note.wholeMatch(of: /Thumbnail of 60 × 25 pixels, shown at \d{3,4}\u{202F}%/) != nil, "\(note)")
                try await browser.press(Key(rawValue: "1"))
                try await browser.wait(for: "document.getElementById('note').hidden")
            }
        }

        /// Captions of 1,600 characters pushed the facts out of the window.
        @Test("A long caption and an address as ID are shown in full on request") func longTexts() async throws {
            let id = "https://example.org/collections/objects/3/images/3-full-size.jpg"
            let entry = LedgerEntry.sample(3).with {
                $0.item.photo.caption = "3 " + String(repeating: "words of a caption ", count: 90)
                $0.item.photo.id = id
            }
            try await withGallery(of: [entry]) { page in
                let browser = page.browser
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                #expect(try await browser.value("document.getElementById('detail-title').clientHeight < 180"))
                #expect(try await browser.value("document.title.length < 200"))
                try await browser.click(".more")
                #expect(try await browser.value("document.getElementById('detail-title').clientHeight > 400"))
                #expect(
                    try await browser.value("document.querySelector('.more').getAttribute('aria-expanded')") == "true")
                let summary = "document.querySelector('#sheet summary')"
                #expect(try await browser.value("\(summary).textContent") == "example.org/…/3-full-size.jpg")
                #expect(try await browser.value("\(summary).parentElement.open") == false)
                try await browser.run("\(summary).click()")
                #expect(try await browser.value("\(summary).parentElement.open") == true)
                #expect(try await browser.value("\(summary).nextSibling.href") == id)
            }
        }

        /// They were dark on black.
        @Test("The round buttons have an edge that is seen on black") func buttons() async throws {
            try await withGallery(of: [LedgerEntry.sample(1)]) { page in
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                for button in ["close", "play"] {
                    let shadow: String = try await page.browser.value(
                        "getComputedStyle(document.getElementById('\(button)')).boxShadow")
                    #expect(shadow.hasPrefix("rgba(255, 255, 255, 0.3"), "\(shadow)")
                }
            }
        }
    }
}
