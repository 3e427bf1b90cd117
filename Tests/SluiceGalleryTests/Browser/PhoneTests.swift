// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Phone") struct PhoneTests {
        private func withPhoto(
            width: Int = 390, height: Int = 844, isTouch: Bool = true, _ body: (GalleryPage) async throws -> Void
        ) async throws {
            let entries = (1...5).map { LedgerEntry.sample($0) }
            try await withGallery(of: entries, width: width, height: height, isTouch: isTouch) { page in
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                try await body(page)
            }
        }

        private let areFactsShown =
            "getComputedStyle(document.getElementById('sheet')).visibility === 'visible'"

        private func swipe(on page: GalleryPage, from: (x: Int, y: Int), to: (x: Int, y: Int)) async throws {
            let middle = (x: (from.x + to.x) / 2, y: (from.y + to.y) / 2)
            for (type, at) in [("touchStart", from), ("touchMove", middle), ("touchMove", to)] {
                try await page.browser.command(
                    "Input.dispatchTouchEvent", ["type": type, "touchPoints": [["x": at.x, "y": at.y]]])
            }
            try await page.browser.command(
                "Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [[String: Int]]()])
        }

        /// The photo had 260 of 844 pixels, below it were the facts, and over it the zoom bar.
        @Test("The photo has the whole screen, also in landscape", arguments: [(390, 844), (844, 390)])
        func wholeScreen(width: Int, height: Int) async throws {
            try await withPhoto(width: width, height: height) { page in
                let stage: [Int] = try await page.browser.value(
                    """
                    ((box) => [box.left, box.top, box.width, box.height])(
                        document.getElementById('stage').getBoundingClientRect())
                    """)
                #expect(stage == [0, 0, width, height])
                #expect(try await page.browser.value(areFactsShown) == false)
                #expect(try await page.browser.value("document.getElementById('zoom').offsetHeight") == 0)
            }
        }

        @Test("A small window with a mouse keeps the zoom bar") func zoomBar() async throws {
            try await withPhoto(isTouch: false) { page in
                let height: Int = try await page.browser.value("document.getElementById('zoom').offsetHeight")
                #expect(height > 0)
            }
        }

        @Test("A button shows the facts below the photo, and Escape hides them before it leaves") func button()
            async throws
        {
            try await withPhoto { page in
                let browser = page.browser
                try await browser.click("#info")
                try await browser.wait(for: areFactsShown)
                try await browser.wait(
                    for: """
                        document.getElementById('sheet').getBoundingClientRect().top
                            >= document.querySelector('.sharp').getBoundingClientRect().bottom
                        """)
                #expect(try await browser.value("document.activeElement.className") == "handle")
                try await browser.press(.escape)
                try await browser.wait(for: "!(\(areFactsShown))")
                #expect(try await browser.value("document.getElementById('detail').open"))
                try await browser.press(.escape)
                try await browser.wait(for: "!document.getElementById('detail').open")
            }
        }

        @Test("A swipe up shows the facts; a swipe down or a tap on the photo hides them") func swipes() async throws {
            try await withPhoto { page in
                let browser = page.browser
                for way in ["photo", "facts", "tap"] {
                    try await swipe(on: page, from: (200, 600), to: (200, 400))
                    try await browser.wait(for: areFactsShown)
                    switch way {
                    case "photo": try await swipe(on: page, from: (200, 60), to: (200, 260))
                    case "facts":
                        try await browser.wait(
                            for: "document.getElementById('sheet').getBoundingClientRect().bottom < 845")
                        try await swipe(on: page, from: (200, 500), to: (200, 700))
                    default:
                        let at = [["x": 200, "y": 100]]
                        try await browser.command(
                            "Input.dispatchTouchEvent", ["type": "touchStart", "touchPoints": at])
                        try await browser.command(
                            "Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [[String: Int]]()])
                    }
                    try await browser.wait(for: "!(\(areFactsShown))")
                    #expect(try await browser.value("document.getElementById('detail').open"))
                }
            }
        }

        /// The text ended in the middle of a word.
        @Test("The text of the search field fits") func searchField() async throws {
            try await withGallery(of: [LedgerEntry.sample(1)], width: 320, height: 640, isTouch: true) { page in
                try await page.open()
                let room: Double = try await page.browser.value(
                    """
                    ((field) => {
                        const context = document.createElement('canvas').getContext('2d');
                        context.font = getComputedStyle(field).font;
                        return field.clientWidth - context.measureText(field.placeholder).width;
                    })(document.getElementById('query'))
                    """)
                #expect(room >= 0)
            }
        }
    }
}
