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
                "selection", "nothing found", "long", "facts",
            ])
        func findsNothing(scheme: String, address: String) async throws {
            try await withGallery(
                of: (1...(address == "long" ? 400 : 40)).map {
                    $0 == 2 ? LedgerEntry.failed($0) : LedgerEntry.sample($0)
                }
            ) {
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
                if address == "nothing found" {
                    try await page.browser.run(
                        "location.hash = '#/?q=nothing'; sluice.go(sluice.route.parse('#/?q=nothing'))")
                    try await page.browser.wait(for: "document.querySelectorAll('#grid [data-place]').length === 0")
                }
                if address == "long" { try await page.browser.run("document.getElementById('scrubber').focus()") }
                if address == "facts" {
                    let screen: [String: Any] = ["width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true]
                    try await page.browser.command("Emulation.setDeviceMetricsOverride", screen)
                    try await page.open("#/photo/3")
                    try await page.waitForDetail(of: 3)
                    try await page.browser.click("#info")
                }
                if address == "selection" {
                    try await page.browser.click("#select")
                    try await page.browser.click("[data-place=\"2\"]")
                }
                #expect(try await page.browser.accessibilityViolations() == [])
            }
        }
    }
}
