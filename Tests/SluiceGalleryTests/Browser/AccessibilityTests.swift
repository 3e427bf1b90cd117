// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Accessibility", .enabled(if: Browser.axeIsWanted, "axe-core is not installed (Scripts/setup --browser)"))
    struct AccessibilityTests {
        @Test(
            "axe-core finds no violations", arguments: ["light", "dark"],
            [
                "", "#/?view=table", "#/?state=failed", "#/?sort=name", "#/photo/1", "#/photo/2", "slideshow",
                "selection",
            ])
        func findsNothing(scheme: String, address: String) async throws {
            let axe = try String(contentsOfFile: Browser.axe, encoding: .utf8)
            try await withGallery(of: (1...40).map { $0 == 2 ? LedgerEntry.failed($0) : LedgerEntry.sample($0) }) {
                page in
                let feature = ["name": "prefers-color-scheme", "value": scheme]
                try await page.browser.command("Emulation.setEmulatedMedia", ["features": [feature]])
                try await page.open(address.hasPrefix("#") ? address : "")
                if address == "slideshow" {
                    try await page.browser.click("[data-place=\"2\"]")
                    try await page.waitForDetail(of: 3)
                    try await page.browser.press(Key(rawValue: "p"))
                    try await page.browser.wait(for: "document.getElementById('detail').classList.contains('playing')")
                }
                if address == "selection" {
                    try await page.browser.click("#select")
                    try await page.browser.click("[data-place=\"2\"]")
                }
                try await page.browser.run(axe)
                let violations: [String] = try await page.browser.value(
                    """
                    axe.run(document, { resultTypes: ['violations'] }).then((result) =>
                        result.violations.map((found) => `${found.id}: ${found.nodes[0].html}`))
                    """)
                #expect(violations == [])
            }
        }
    }
}
