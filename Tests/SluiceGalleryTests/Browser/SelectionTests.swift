// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Selection") struct SelectionTests {
        private let samples = (1...30).map { seq in
            LedgerEntry.sample(seq).with { $0.receipt?.url = "https://example.org/\(seq).png" }
        }
        /// The places of the photos that are marked as selected.
        private let chosen = """
            [...document.querySelectorAll('.chosen')].map((tile) => Number(tile.dataset.place) + 1)
            """

        @Test("Clicks, shift-clicks and the space key select photos, and Escape ends the selection")
        func selects() async throws {
            try await withGallery(of: samples) { page in
                let browser = page.browser
                try await page.open()
                #expect(try await browser.value("document.getElementById('selection').hidden"))
                try await browser.click("#select")
                try await browser.click("[data-place=\"1\"]")
                try await shiftClick(4, page)
                try await browser.wait(for: "JSON.stringify(\(chosen)) === '[2,3,4,5]'")
                try await browser.click("[data-place=\"2\"]")
                #expect(try await browser.value(chosen) == [2, 4, 5])
                try await browser.press(.right)
                try await browser.wait(for: "document.activeElement.closest('[data-place=\"3\"]')")
                try await browser.press(Key(rawValue: " "))
                #expect(try await browser.value(chosen) == [2, 5])
                let states: [String] = try await browser.value(
                    "[1, 2].map((at) => document.querySelector(`[data-place=\"${at}\"] a`).getAttribute('aria-checked'))"
                )
                #expect(states == ["true", "false"])
                #expect(
                    try await browser.value("document.getElementById('selection-count').textContent") == "2 selected")
                #expect(try await browser.value("location.hash") == "")
                try await browser.press(.escape)
                try await browser.wait(for: "document.getElementById('selection').hidden")
                #expect(try await browser.value(chosen, as: [Int].self).isEmpty)
                try await browser.click("[data-place=\"1\"]")
                try await page.waitForDetail(of: 2)
            }
        }

        @Test("A selection stays when another view is shown, also in the table") func keepsSelection() async throws {
            try await withGallery(of: samples) { page in
                try await page.open()
                try await shiftClick(2, page)
                try await page.browser.wait(for: "JSON.stringify(\(chosen)) === '[3]'")
                try await page.browser.click("#show-table")
                try await page.browser.wait(for: "document.querySelector('.line.chosen')?.dataset.place === '2'")
                try await page.browser.click("[data-action=all]")
                try await page.browser.wait(
                    for: "document.getElementById('selection-count').textContent === '30 selected'")
            }
        }

        @Test("A long press selects a photo instead of opening it") func selectsByTouch() async throws {
            try await withGallery(of: samples, width: 390, height: 844, isTouch: true) { page in
                let browser = page.browser
                try await page.open()
                let point: [Double] = try await browser.value(
                    "((box) => [box.x + 30, box.y + 60])(document.querySelector('[data-place=\"2\"]').getBoundingClientRect())"
                )
                try await browser.command(
                    "Input.dispatchTouchEvent",
                    ["type": "touchStart", "touchPoints": [["x": point[0], "y": point[1]]]])
                try await browser.wait(for: "JSON.stringify(\(chosen)) === '[3]'")
                try await browser.command(
                    "Input.dispatchTouchEvent", ["type": "touchEnd", "touchPoints": [[String: Double]]()])
                #expect(try await browser.value(chosen) == [3])
                #expect(try await browser.value("document.getElementById('detail').open") == false)
                // The bar does not cover more than a third of a telephone's screen.
                #expect(
                    try await browser.value("document.getElementById('selection').offsetHeight", as: Int.self) < 280)
            }
        }

        @Test(
            "File names, credits and a command are copied",
            arguments: [
                ("files", "originals/2.png\noriginals/3.png\n"),
                (
                    "credits",
                    (2...3).map {
                        "“Caption \($0)”, by Author \($0), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/), "
                            + "https://example.org/photos/\($0)\n"
                    }.joined()
                ),
            ])
        func copies(action: String, text: String) async throws {
            try await withGallery(of: samples) { page in
                let copied = try await copied(action, page)
                #expect(copied == text)
            }
        }

        @Test("The copied command has a record for each selected photo") func copiesCommand() async throws {
            try await withGallery(of: samples) { page in
                let lines = try await copied("command", page).split(separator: "\n")
                #expect(lines.first == "sluice mirror - --out selection <<'END'" && lines.last == "END")
                #expect(
                    lines.count == 4 && lines[1].hasPrefix("{\"url\":\"https://example.org/2.png\",\"id\":\"photo-2\""))
                // Pages from file:// cannot read the originals.
                #expect(try await page.browser.value("document.querySelector('[data-action=download]').hidden"))
            }
        }

        /// Selects the second and the third photo, and returns the text that the button copies.
        private func copied(_ action: String, _ page: GalleryPage) async throws -> String {
            let browser = page.browser
            try await page.open()
            try await browser.command("Browser.grantPermissions", ["permissions": ["clipboardReadWrite"]])
            try await browser.click("#select")
            try await browser.click("[data-place=\"1\"]")
            try await browser.click("[data-place=\"2\"]")
            try await browser.click("[data-action=\(action)]")
            try await browser.wait(for: "document.getElementById('selection-status').textContent.startsWith('Copied')")
            return try await browser.value("navigator.clipboard.readText()")
        }

        private func shiftClick(_ place: Int, _ page: GalleryPage) async throws {
            try await page.browser.run(
                """
                document.querySelector('[data-place="\(place)"] a').dispatchEvent(
                    new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));
                """)
        }
    }
}
