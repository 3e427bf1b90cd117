// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

/// Tests of the gallery in a real browser, opened from `file://`.
///
/// They run one at a time, because several browsers would compete for the machine's cores.
@Suite(
    "Gallery in Chromium", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
enum BrowserTests {}

/// A gallery that is open in a browser.
struct GalleryPage {
    let mirror: SampleMirror
    let browser: WebDriver

    /// A script that tests whether everything in view has loaded.
    static let isReady = """
        document.body.dataset.ready !== undefined && document.getElementById('progress').hidden
            && document.querySelectorAll('#grid [data-place]').length > 0
            && [...document.querySelectorAll('#grid [data-place]')].every((tile) => tile.querySelector('a'))
            && [...document.querySelectorAll('#grid img')].every((image) => image.complete)
        """

    /// Opens a URL fragment of the gallery and waits until it has loaded.
    func open(_ fragment: String = "") async throws {
        try await browser.open(mirror.address + fragment)
        try await browser.wait(for: Self.isReady)
    }

    /// Waits until the detail view shows the photo.
    func waitForDetail(of seq: Int) async throws {
        try await browser.wait(
            for: """
                document.getElementById('detail').open && location.hash.startsWith('#/photo/\(seq)')
                    && document.getElementById('detail-title')?.textContent.includes('\(seq)')
                """)
    }
}

/// Opens a gallery of these entries in a browser and runs `body`.
///
/// Afterwards it checks that the page logged no errors, sent no network requests and opened no dialogs.
func withGallery(
    of entries: some Sequence<LedgerEntry>, options: GalleryOptions = sampleOptions, width: Int = 1280,
    height: Int = 800,
    isTouch: Bool = false, _ body: (GalleryPage) async throws -> Void
) async throws {
    let mirror = try SampleMirror()
    try mirror.addPictures()
    try mirror.write(entries, options: options)
    try await withBrowser(width: width, height: height, isTouch: isTouch) { browser in
        let page = GalleryPage(mirror: mirror, browser: browser)
        try await body(page)
        #expect(await !page.browser.hasDialog())
        #expect(try await page.browser.complaints() == [])
        let outside = try await page.browser.requests().filter { !$0.hasPrefix("file://") && $0 != "about:blank" }
        #expect(outside == [])
    }
}

extension BrowserTests {
    @Suite("Accessibility", .enabled(if: Browser.axeIsWanted, "axe-core is not installed (Scripts/setup --browser)"))
    struct AccessibilityTests {
        @Test(
            "axe-core finds no violations", arguments: ["light", "dark"],
            [
                "", "#/?view=table", "#/?state=failed", "#/?sort=name", "#/photo/1", "#/photo/2", "slideshow",
                "selection", "nothing found", "long", "facts", "#/collections", "#/?collection=Lakes", "keys",
            ])
        func findsNothing(scheme: String, address: String) async throws {
            try await withGallery(
                of: (1...(address == "long" ? 400 : 40)).map {
                    ($0 == 2 ? LedgerEntry.failed($0) : LedgerEntry.sample($0)).with {
                        // axe also checks headings behind a dialog, against the dialog's colours.
                        if address.contains("collection") {
                            $0.item.photo.collection = $0.item.seq <= 20 ? "Lakes" : "Hills"
                        }
                    }
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
                if address == "keys" {
                    try await page.browser.press(Key(rawValue: "?"))
                    try await page.browser.wait(for: "document.getElementById('help')?.open")
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
