// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Usability") struct UsabilityTests {
        private func samples(_ count: Int) -> [LedgerEntry] { (0..<count).map { LedgerEntry.sample($0 + 1) } }

        /// A script that names the focused element, and says whether its focus is visible.
        private let focused = """
            ((element) => {
                const name = element.getAttribute('aria-label') || element.querySelector('img')?.alt || element.name
                    || element.textContent;
                const marked = [element, element.closest('.field, .tile, .line')].filter(Boolean);
                const isSeen = marked.some((each) => getComputedStyle(each).outlineStyle !== 'none');
                return `${name}${isSeen ? '' : ' (unseen)'}`;
            })(document.activeElement)
            """

        @Test("The keyboard reaches all controls in order, with visible focus") func walksByKeys()
            async throws
        {
            try await withGallery(of: samples(30)) { page in
                try await page.open("#/?view=table")
                try await page.browser.run("document.getElementById('show-filters').click()")
                var stops: [String] = []
                for _ in 0..<12 {
                    try await page.browser.press(.tab)
                    stops.append(try await page.browser.value(focused))
                }
                #expect(
                    stops == [
                        "Skip to the photos", "Search captions and names", "Select photos", "Filter and sort", "Table",
                        "shape", "sort", "Reset", "Photo", "File", "Caption 1", "Plain pages",
                    ])
            }
        }

        @Test("The keyboard opens a photo, stays in the detail view, and returns to the photo") func opensByKeys()
            async throws
        {
            try await withGallery(of: samples(30)) { page in
                try await page.open()
                try await page.browser.press(.tab, .enter)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"0\"]')")
                try await page.browser.press(.right, .right)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"2\"]')")
                #expect(try await page.browser.value(focused) == "Caption 3, by Author 3")
                try await page.browser.press(.enter)
                try await page.waitForDetail(of: 3)
                var stops: [String] = []
                for _ in 0..<14 {
                    try await page.browser.press(.tab)
                    stops.append(try await page.browser.value(focused))
                }
                #expect(
                    stops == [
                        "Close (Escape)", "Slideshow", "Previous photo", "Next photo", "Zoom out", "Zoom in", "Fit",
                        "Fill",
                        "Original size", "CC BY 4.0", "Original", "Photo page", "Share", "Copy credit",
                    ])
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"2\"]')")
            }
        }

        @Test("A button of the detail view keeps the focus, and the next photo is announced") func steps() async throws
        {
            try await withGallery(of: samples(30)) { page in
                try await page.open("#/photo/10")
                try await page.waitForDetail(of: 10)
                try await page.browser.press(.tab, .tab, .tab, .tab)
                for seq in [11, 12] {
                    #expect(try await page.browser.value(focused) == "Next photo")
                    try await page.browser.press(.enter)
                    try await page.waitForDetail(of: seq)
                }
                let announced: String = try await page.browser.value(
                    "document.getElementById('announcement').textContent")
                #expect(
                    announced.hasPrefix("Caption 12, by Author ") && announced.hasSuffix(", 12 of 30"), "\(announced)")
            }
        }

        /// They covered the window, and opened again with each photo.
        @Test("In a window of 320 × 256 pixels the filters scroll, leave photos in reach, and stay closed")
        func filtersInSmallWindow() async throws {
            let entries = samples(40).map { entry in
                entry.with {
                    $0.item.photo.collection = $0.item.seq <= 20 ? "Lakes" : "Hills"
                    $0.item.photo.date = 1_700_000_000
                    if $0.item.seq % 10 == 0 { $0.receipt = nil }
                }
            }
            try await withGallery(of: entries, width: 320, height: 256) { page in
                let browser = page.browser
                try await page.open("#/?state=done")
                try await browser.scroll("scrollTo(0, 500)")
                let filters = "document.getElementById('filters')"
                let bottom: Double = try await browser.value("\(filters).getBoundingClientRect().bottom")
                #expect(bottom > 100 && bottom < 190, "\(bottom)")
                #expect(try await browser.value("\(filters).scrollHeight > \(filters).clientHeight + 40"))
                #expect(try await browser.value("document.elementFromPoint(100, 220).closest('#grid') !== null"))
                // The last control can be scrolled into the panel.
                try await browser.run("\(filters).querySelector('button').focus()")
                let reset: Double = try await browser.value(
                    "\(filters).querySelector('button').getBoundingClientRect().bottom")
                #expect(reset <= bottom)
                try await browser.click("#show-filters")
                #expect(try await browser.value("\(filters).hidden"))
                try await browser.run("document.querySelector('#grid a').click()")
                try await page.waitForDetail(of: 1)
                try await browser.press(.escape)
                try await browser.wait(for: "!document.getElementById('detail').open")
                #expect(try await browser.value("\(filters).hidden"))
            }
        }

        @Test("The photos do not scroll behind the detail view") func staysInPlace() async throws {
            try await withGallery(of: samples(90)) { page in
                try await page.open("#/photo/1")
                try await page.waitForDetail(of: 1)
                #expect(
                    try await page.browser.value("getComputedStyle(document.documentElement).overflowY") == "hidden")
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "getComputedStyle(document.documentElement).overflowY === 'scroll'")
            }
        }

        @Test("Swiping shows the next and the previous photo") func swipes() async throws {
            try await withGallery(of: samples(5), width: 390, height: 844, isTouch: true) { page in
                try await page.open("#/photo/3")
                for (from, to, seq) in [(300, 100, 4), (100, 300, 3)] {
                    try await page.waitForDetail(of: seq == 4 ? 3 : 4)
                    try await touch("touchStart", at: from, on: page)
                    try await touch("touchMove", at: (from + to) / 2, on: page)
                    try await touch("touchMove", at: to, on: page)
                    try await touch("touchEnd", at: nil, on: page)
                    try await page.waitForDetail(of: seq)
                }
            }
        }

        private func touch(_ type: String, at x: Int?, on page: GalleryPage) async throws {
            let points = x.map { [["x": $0, "y": 200]] } ?? []
            try await page.browser.command("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
        }

        @Test("There is no animation if the user prefers reduced motion") func keepsStill() async throws {
            var options = sampleOptions
            options.isRunning = true
            try await withGallery(of: samples(5), options: options) { page in
                let moving = """
                    [...document.querySelectorAll('*')].flatMap((element) => ['', '::before'].map((part) =>
                        getComputedStyle(element, part))).filter((style) =>
                        style.animationName !== 'none' || style.transitionDuration !== '0s').length
                    """
                for (preference, isStill) in [("no-preference", false), ("reduce", true)] {
                    let feature = ["name": "prefers-reduced-motion", "value": preference]
                    try await page.browser.command("Emulation.setEmulatedMedia", ["features": [feature]])
                    try await page.open("#/photo/2")
                    try await page.waitForDetail(of: 2)
                    #expect((try await page.browser.value(moving, as: Int.self) == 0) == isStill)
                }
            }
        }

        @Test("Printed pages are a contact sheet with captions and credits, dark on white, and without controls")
        func prints() async throws {
            var options = sampleOptions
            options.theme = .dark
            let entries = samples(59) + [LedgerEntry.failed(60)]
            try await withGallery(of: entries, options: options) { page in
                let browser = page.browser
                try await page.open()
                try await browser.run("window.print = () => { window.isPrinted = true; }")
                try await browser.command("Emulation.setEmulatedMedia", ["media": "print"])
                try await browser.run("sluice.print()")
                try await browser.wait(for: "window.isPrinted")
                let sheet = "document.getElementById('contact-sheet')"
                #expect(try await browser.value("\(sheet).querySelectorAll('figure').length") == 60)
                let texts: [String] = try await browser.value(
                    "[...\(sheet).querySelectorAll('figcaption')].map((each) => each.innerText).filter((_, i) => i === 0 || i === 59)"
                )
                #expect(texts == ["Caption 1\nby Author 1, CC BY 4.0", "Caption 60\nby Author 4, CC BY 4.0"])
                #expect(try await browser.value("\(sheet).querySelector('.reason').textContent") == "Failed: http-404")
                let distortions: [Double] = try await browser.value(
                    """
                    [...\(sheet).querySelectorAll('img')].map((image) =>
                        image.clientWidth / image.clientHeight / (image.naturalWidth / image.naturalHeight))
                    """)
                #expect(distortions.count == 59 && distortions.allSatisfy { (0.95...1.05).contains($0) })
                let colors: [String] = try await browser.value(
                    "['color', 'backgroundColor'].map((part) => getComputedStyle(document.body)[part])")
                #expect(colors == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"])
                for part in ["tools", "grid"] {
                    #expect(try await browser.value("document.getElementById('\(part)').offsetHeight") == 0)
                }
                try await browser.command("Emulation.setEmulatedMedia", ["media": ""])
                try await browser.run("dispatchEvent(new Event('afterprint'))")
                try await browser.wait(for: GalleryPage.isReady)
                #expect(try await browser.value("\(sheet).childElementCount") == 0)
            }
        }

        @Test("Only the selected photos are printed, if there are any") func printsSelection() async throws {
            try await withGallery(of: samples(20)) { page in
                let browser = page.browser
                try await page.open()
                try await browser.run("window.print = () => { window.isPrinted = true; }")
                try await browser.click("#select")
                for place in [4, 1] { try await browser.click("[data-place=\"\(place)\"]") }
                try await browser.click("[data-action=print]")
                try await browser.wait(for: "window.isPrinted")
                let names: [String] = try await browser.value(
                    "[...document.querySelectorAll('#contact-sheet strong')].map((each) => each.textContent)")
                #expect(names == ["Caption 2", "Caption 5"])
            }
        }

        @Test("A high-resolution screen loads the larger thumbnail, a standard one the smaller") func choosesThumbnail()
            async throws
        {
            let entry = LedgerEntry.sample(3).with {
                let large = StoredFile(path: "originals/3.png", bytes: 500, sha256: "")
                $0.receipt?.thumbs[0].width = 512
                $0.receipt?.thumbs.append(Thumb(size: "1024", width: 1024, height: 427, format: "png", file: large))
            }
            for (ratio, folder) in [(1.0, "thumbs/256/"), (2.0, "originals/")] {
                try await withGallery(of: [entry]) { page in
                    let screen: [String: Any] = [
                        "width": 600, "height": 600, "deviceScaleFactor": ratio, "mobile": false,
                    ]
                    try await page.browser.command("Emulation.setDeviceMetricsOverride", screen)
                    try await page.open()
                    #expect(
                        try await page.browser.value(
                            "document.querySelector('#grid img').currentSrc.includes('\(folder)')"))
                }
            }
        }
    }
}
