// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Copies") struct CopiesTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

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
            try Data(page.bytes).write(to: folder.url.appending(path: "copies.html"))
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
