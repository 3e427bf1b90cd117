// SPDX-License-Identifier: MIT

import Foundation
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

extension BrowserTests {
    @Suite("Copies") struct CopiesTests {
        private let folder = TemporaryFolder()

        private func open(_ browser: WebDriver, name: String = "a.jpg") async throws {
            func photo(_ number: Int, isReference: Bool = false) -> CopiesPage.Photo {
                CopiesPage.Photo(
                    number, name: name, picture: nil, bytes: 1000 * number, facts: "copy, 480 × 320, jpeg",
                    isReference: isReference)
            }
            let page = CopiesPage(
                [[photo(2), photo(1)], [photo(9, isReference: true), photo(3)], [photo(4), photo(5), photo(6)]],
                of: "photos", command: CopiesPage.Command("sluice duplicates m", drop: "--drop", move: "--move"),
                folders: ("", ""))
            try folder.write(page.bytes, to: "copies.html")
            try await browser.open("file://\(folder.path("copies.html"))")
        }

        private func command(_ browser: WebDriver) async throws -> String {
            try await browser.value("document.getElementById('command').textContent")
        }

        @Test("The command follows the choice, and one photo of each group stays", arguments: [390, 1280])
        func choice(width: Int) async throws {
            try await withBrowser(width: width) { browser in
                try await open(browser)
                #expect(try await command(browser) == "sluice duplicates m --drop 1,3,5,6 --move copies")
                // The last kept photo of a group cannot be dropped; a copy of a photo in the reference can.
                try await browser.run("document.querySelector('[value=\"2\"]').click()")
                #expect(try await command(browser) == "sluice duplicates m --drop 1,3,5,6 --move copies")
                try await browser.run("document.querySelector('[value=\"1\"]').click()")
                try await browser.run("document.querySelector('[value=\"2\"]').click()")
                try await browser.run("document.querySelector('[value=\"3\"]').click()")
                #expect(try await command(browser) == "sluice duplicates m --drop 2,5,6 --move copies")
                try await browser.run("document.getElementById('all').click()")
                #expect(try await command(browser) == "")
                try await browser.run("document.getElementById('best').click()")
                try await browser.run(
                    """
                    const field = document.getElementById('folder');
                    field.value = "it's here";
                    field.dispatchEvent(new Event('input'));
                    """)
                #expect(try await command(browser) == "sluice duplicates m --drop 1,3,5,6 --move 'it'\\''s here'")
                let fits: Bool = try await browser.value("document.documentElement.scrollWidth <= innerWidth")
                #expect(fits)
                #expect(try await browser.complaints() == [])
                #expect(try await browser.requests().filter { !$0.hasPrefix("file://") && $0 != "about:blank" } == [])
            }
        }

        @Test("Names of strangers run no scripts")
        func hostile() async throws {
            try await withBrowser { browser in
                try await open(browser, name: "<img src=x onerror=alert(1)>\"'><script>alert(1)</script>")
                #expect(await !browser.hasDialog())
                let count: Int = try await browser.value("document.querySelectorAll('main img, main script').length")
                #expect(count == 0)
            }
        }

        @Test(
            "axe-core finds no violations",
            .enabled(if: Browser.axeIsWanted, "axe-core is not installed (Scripts/setup --browser)"),
            arguments: ["light", "dark"])
        func accessible(scheme: String) async throws {
            try await withBrowser { browser in
                let feature = ["name": "prefers-color-scheme", "value": scheme]
                try await browser.command("Emulation.setEmulatedMedia", ["features": [feature]])
                try await open(browser)
                #expect(try await browser.accessibilityViolations() == [])
            }
        }
    }
}
