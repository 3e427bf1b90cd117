// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Collections and keys") struct CollectionTests {
        /// Collections of ten photos each, of which the first photo of the second has failed, and five photos without.
        private func entries(collections count: Int) -> [LedgerEntry] {
            (0..<count * 10 + 5).map { index in
                (index == 10 ? LedgerEntry.failed(index + 1) : LedgerEntry.sample(index + 1)).with {
                    $0.item.photo.collection = index < count * 10 ? "Collection \(index / 10 + 1)" : nil
                }
            }
        }

        private let covers = "[...document.querySelectorAll('#grid .collection')]"

        @Test("A hundred collections have covers, names and counts") func showsCovers() async throws {
            try await withGallery(of: entries(collections: 100)) { page in
                let browser = page.browser
                try await page.open()
                try await browser.click("#show-collections")
                try await browser.wait(for: "document.querySelector('#grid .collection')")
                try await browser.wait(for: GalleryPage.isReady)
                #expect(try await browser.value("location.hash") == "#/collections")
                #expect(try await browser.value("document.getElementById('result').textContent") == "101 collections")
                let texts: [String] = try await browser.value("\(covers).slice(0, 2).map((each) => each.innerText)")
                #expect(texts == ["Collection 1\n10 photos", "Collection 2\n10 photos"])
                #expect(
                    try await browser.value("\(covers).every((each) => each.querySelector('img')?.naturalWidth > 0)"))
                // Only the rows in view are on the page.
                #expect(try await browser.value("\(covers).length < 60"))
                let labels: [String] = try await browser.value(
                    "((grid) => [grid.getAttribute('role'), grid.getAttribute('aria-label')])(document.getElementById('grid'))"
                )
                #expect(labels == ["list", "Collections"])
                #expect(try await browser.value("document.getElementById('select').hidden"))
            }
        }

        @Test("The keyboard opens a collection, goes back to it, and leaves the collections") func opensByKeys()
            async throws
        {
            try await withGallery(of: entries(collections: 12)) { page in
                let browser = page.browser
                try await page.open()
                try await browser.press(Key(rawValue: "c"))
                try await browser.wait(for: "document.querySelector('#grid .collection a[tabindex=\"0\"]')")
                try await browser.press(.tab, .enter, .down, .right)
                let columns = "new Set(\(covers).map((each) => each.offsetLeft)).size"
                let place: Int = try await browser.value(columns) + 1
                try await browser.wait(for: "document.activeElement.closest('[data-place=\"\(place)\"]')")
                try await browser.press(.enter)
                try await browser.wait(
                    for: "document.querySelector('.heading h2')?.textContent === 'Collection \(place + 1)'")
                try await browser.wait(for: GalleryPage.isReady)
                #expect(try await browser.value("document.getElementById('result').textContent") == "10 of 125")
                #expect(try await browser.value("document.getElementById('filters').hidden"))
                // Another photo of the collection leads back to the collection.
                try await browser.press(.right, .right)
                try await browser.run("history.back()")
                try await browser.wait(for: "document.activeElement.textContent?.startsWith('Collection \(place + 1)')")
                try await browser.press(Key(rawValue: "c"))
                try await browser.wait(
                    for: "document.querySelector('#grid img') && !document.querySelector('#grid .collection')")
            }
        }

        @Test("Photos without a collection are under other photos, and each page of a collection links to all")
        func others()
            async throws
        {
            try await withGallery(of: entries(collections: 2), width: 390, height: 844) { page in
                let browser = page.browser
                try await page.open("#/collections")
                #expect(
                    try await browser.value("\(covers).map((each) => each.innerText).pop()") == "Other photos\n5 photos"
                )
                #expect(try await browser.value("document.documentElement.scrollWidth <= innerWidth"))
                try await browser.run("\(covers).pop().querySelector('a').click()")
                try await browser.wait(for: "document.querySelector('.heading h2')?.textContent === 'Other photos'")
                #expect(try await browser.value("location.hash") == "#/?collection=+")
                try await browser.run("document.querySelector('.heading a').click()")
                try await browser.wait(
                    for: "location.hash === '#/collections' && document.querySelector('.collection')")
            }
        }

        @Test("A gallery of one collection has no page of collections") func single() async throws {
            try await withGallery(of: (1...3).map(LedgerEntry.sample)) { page in
                try await page.open()
                #expect(try await page.browser.value("document.getElementById('show-collections').hidden"))
                try await page.browser.press(Key(rawValue: "c"))
                #expect(try await page.browser.value("location.hash") == "")
            }
        }

        @Test("Failed photos are grouped by cause, with the command that retries them") func groupsFailures()
            async throws
        {
            let causes: [Int: Cause] = [3: .httpClientError(404), 8: .timeout, 9: .timeout]
            let entries = (1...20).map { seq in causes[seq].map { LedgerEntry.failed(seq, $0) } ?? .sample(seq) }
            try await withGallery(of: entries) { page in
                let browser = page.browser
                try await page.open()
                try await browser.click(".counts a")
                try await browser.wait(for: "document.querySelectorAll('.of-cause').length === 2")
                #expect(try await browser.value("location.hash") == "#/?state=failed")
                let headings: [String] = try await browser.value(
                    "[...document.querySelectorAll('.of-cause')].map((each) => each.innerText.replaceAll(/\\n+/g, ' '))"
                )
                #expect(
                    headings == [
                        "The host did not respond in time 2 photos timeout sluice mirror --retry=timeout Copy",
                        "The photo no longer exists on the host 1 photo http-404 A retry would not help.",
                    ])
                try await browser.run(
                    """
                    navigator.clipboard.writeText = async (text) => { window.copied = text; };
                    document.querySelector('.of-cause button').click();
                    """)
                try await browser.wait(for: "document.querySelector('.of-cause button').textContent === 'Copied'")
                #expect(try await browser.value("window.copied") == "sluice mirror --retry=timeout")
                let overlaps: Bool = try await browser.value(
                    """
                    [...document.querySelectorAll('.of-cause')].some((each) => each.scrollHeight > each.clientHeight
                        || each.getBoundingClientRect().bottom > each.nextElementSibling.getBoundingClientRect().top)
                    """)
                #expect(!overlaps)
            }
        }

        @Test("The question mark lists the keys in the gallery and over an open photo") func listsKeys() async throws {
            try await withGallery(of: entries(collections: 2)) { page in
                let browser = page.browser
                for address in ["", "#/photo/3"] {
                    try await page.open(address)
                    if !address.isEmpty { try await page.waitForDetail(of: 3) }
                    try await browser.press(Key(rawValue: "?"))
                    try await browser.wait(for: "document.getElementById('help')?.open")
                    let parts: [String] = try await browser.value(
                        "[...document.querySelectorAll('#help h3')].map((each) => each.textContent)")
                    #expect(parts == ["Photos", "Selection", "Position", "Gallery", "Open photo"])
                    let slideshow: String = try await browser.value(
                        "[...document.querySelectorAll('#help kbd')].find((key) => key.textContent === 'p').closest('div').textContent"
                    )
                    #expect(slideshow == "pSlideshow")
                    try await browser.press(.escape)
                    try await browser.wait(for: "!document.getElementById('help')")
                    #expect(try await browser.value("document.getElementById('detail').open") == !address.isEmpty)
                }
                try await page.open()
                try await browser.run("document.getElementById('show-keys').click()")
                try await browser.wait(for: "document.getElementById('help')?.open")
            }
        }
    }
}
