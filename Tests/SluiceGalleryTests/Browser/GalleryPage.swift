// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

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
