// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Position and slideshow") struct PositionTests {
        private func samples(_ count: Int) -> [LedgerEntry] {
            (0..<count).map { index in
                LedgerEntry.sample(index + 1).with { $0.item.photo.date = 1_700_000_000 - 20_000 * index }
            }
        }
        private let label = "document.querySelector('#scrubber .label').textContent"

        @Test("The rail shows the position and the date, and scrolls when it is dragged or gets keys")
        func scrolls() async throws {
            try await withGallery(of: samples(900)) { page in
                let browser = page.browser
                try await page.open()
                try await browser.wait(for: "\(label) === 'November 2023 · 1 of 900'")
                try await drag(to: "box.top + box.height * 0.5", page)
                try await browser.wait(
                    for:
                        "Math.abs(Number(document.getElementById('scrubber').getAttribute('aria-valuenow')) - 450) < 40"
                )
                // The first photo below the tools is the one that the rail names.
                try await browser.wait(
                    for: """
                        ((first) => Number(first.dataset.place) + 1)([...document.querySelectorAll('.tile')].find((tile) =>
                            tile.getBoundingClientRect().bottom > document.getElementById('tools').offsetHeight))
                            === Number(document.getElementById('scrubber').getAttribute('aria-valuenow'))
                        """)
                try await browser.run("document.getElementById('scrubber').focus()")
                try await browser.press(Key(rawValue: "\u{E010}"))
                try await browser.wait(
                    for: "scrollY > 1000 && \(label).endsWith(' of 900') && !\(label).startsWith('Nov')")
                try await browser.press(Key(rawValue: "\u{E011}"))
                try await browser.wait(for: "scrollY === 0 && \(label) === 'November 2023 · 1 of 900'")
            }
        }

        @Test("A gallery of a few screens has no rail") func hidesRail() async throws {
            try await withGallery(of: samples(20)) { page in
                try await page.open()
                #expect(try await page.browser.value("document.getElementById('scrubber').hidden"))
            }
        }

        @Test("Photos sorted by date have headings by day, and the rail names the day") func headsDays() async throws {
            try await withGallery(of: samples(300)) { page in
                try await page.open("#/?sort=newest")
                let headings: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.heading')].slice(0, 2).map((heading) => heading.innerText)")
                #expect(headings.map { $0.prefix { !$0.isNewline } } == ["14 November 2023", "13 November 2023"])
                #expect(try await page.browser.value(label) == "14 November 2023 · 1 of 300")
            }
        }

        @Test("The slideshow hides the details, shows the next photo by itself and ends with the last one")
        func playsSlides() async throws {
            try await withGallery(of: samples(3)) { page in
                let browser = page.browser
                try await page.open("#/photo/2")
                try await page.waitForDetail(of: 2)
                try await browser.click("#play")
                try await browser.wait(for: "document.getElementById('sheet').offsetHeight === 0")
                try await page.waitForDetail(of: 3)
                try await browser.wait(for: "document.getElementById('sheet').offsetHeight > 0")
                #expect(
                    try await browser.value("document.getElementById('play').getAttribute('aria-pressed')") == "false")
            }
        }

        @Test("Escape ends the slideshow and stays at its photo") func stopsSlides() async throws {
            try await withGallery(of: samples(9)) { page in
                let browser = page.browser
                try await page.open()
                try await browser.click("[data-place=\"1\"]")
                try await page.waitForDetail(of: 2)
                try await browser.type("p")
                try await browser.wait(for: "document.querySelector('dialog.playing')")
                try await browser.press(.escape)
                try await browser.wait(for: "!document.querySelector('dialog.playing')")
                #expect(try await browser.value("document.getElementById('detail').open"))
                try await browser.press(.escape)
                try await browser.wait(for: "!document.getElementById('detail').open")
            }
        }

        private func drag(to y: String, _ page: GalleryPage) async throws {
            let point: [Double] = try await page.browser.value(
                "((box) => [box.left + 20, \(y)])(document.getElementById('scrubber').getBoundingClientRect())")
            for (type, buttons) in [("mousePressed", 1), ("mouseMoved", 1), ("mouseReleased", 0)] {
                let event: [String: Any] = [
                    "type": type, "x": point[0], "y": point[1], "button": "left", "buttons": buttons, "clickCount": 1,
                ]
                try await page.browser.command("Input.dispatchMouseEvent", event)
            }
        }
    }
}
