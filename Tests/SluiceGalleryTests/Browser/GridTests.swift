// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Grid") struct GridTests {
        private func samples(_ count: Int) -> [LedgerEntry] { (0..<count).map { LedgerEntry.sample($0 + 1) } }

        @Test("All ninety photos load while scrolling") func shows() async throws {
            try await withGallery(of: samples(90)) { page in
                try await page.open()
                var seen: Set<Int> = []
                while seen.count < 90 {
                    try await page.browser.wait(for: GalleryPage.isReady)
                    let places: [Int] = try await page.browser.value(
                        """
                        [...document.querySelectorAll('#grid img')].filter((image) => image.naturalWidth > 0)
                            .map((image) => Number(image.closest('[data-place]').dataset.place))
                        """)
                    let before = seen.count
                    seen.formUnion(places)
                    if seen.count == before, before > 0 {
                        let isEnd: Bool = try await page.browser.value(
                            "scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
                        #expect(!isEnd, "the end shows \(seen.count) photos")
                        if isEnd { break }
                    }
                    try await page.browser.scroll("scrollBy(0, innerHeight)")
                }
                #expect(seen == Set(0..<90))
                #expect(try await page.browser.value("document.querySelector('.counts').textContent") == "90 photos")
            }
        }

        /// It was as wide as the window, so that most of the picture was cut off.
        @Test("The last row is not stretched") func lastRow() async throws {
            try await withGallery(of: samples(1)) { page in
                try await page.open()
                try await page.browser.wait(for: GalleryPage.isReady)
                let excess: Double = try await page.browser.value(
                    "((tile) => tile.offsetWidth - parseFloat(tile.style.width))(document.querySelector('.tile'))")
                #expect(abs(excess) < 1)
            }
        }

        @Test("Rows fill the width, keep aspect ratios, and do not shift while loading") func justifies() async throws {
            try await withGallery(of: samples(60)) { page in
                try await page.open()
                let edges: [Double] = try await page.browser.value(
                    """
                    [...document.querySelectorAll('#grid .row')].map((row) =>
                        row.lastElementChild.getBoundingClientRect().right - row.getBoundingClientRect().right)
                    """)
                #expect(edges.allSatisfy { abs($0) < 1 })
                let distortions: [Double] = try await page.browser.value(
                    """
                    [...document.querySelectorAll('#grid img')].map((image) =>
                        image.clientWidth / image.clientHeight / (image.naturalWidth / image.naturalHeight))
                    """)
                #expect(distortions.allSatisfy { (0.97...1.03).contains($0) })
                for _ in 0..<3 { try await page.browser.scroll("scrollBy(0, innerHeight)") }
                try await page.browser.wait(for: GalleryPage.isReady)
                let shift: Double = try await page.browser.value(
                    """
                    new Promise((done) => { let sum = 0.00001;
                    new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; }))
                        .observe({ type: 'layout-shift', buffered: true });
                    requestAnimationFrame(() => requestAnimationFrame(() => done(sum))); })
                    """)
                #expect(shift < 0.05)
            }
        }

        @Test("The End key reaches the last of ten thousand photos, with few elements on the page") func scrolls()
            async throws
        {
            try await withGallery(of: (0..<10_000).lazy.map { LedgerEntry.sample($0 + 1) }) { page in
                try await page.open()
                try await page.browser.run("document.querySelector('#grid a').focus()")
                try await page.browser.press(.end)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"9999\"]')")
                try await page.browser.wait(for: GalleryPage.isReady)
                #expect(try await page.browser.value("document.querySelectorAll('*').length", as: Int.self) < 1500)
                #expect(try await page.browser.value("document.activeElement.getAttribute('href')") == "#/photo/10000")
                try await page.browser.press(.home)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"0\"]')")
            }
        }

        @Test("Scrolling reaches the last of ten thousand photos") func reachesEnd() async throws {
            try await withGallery(of: (0..<10_000).lazy.map { LedgerEntry.sample($0 + 1) }) { page in
                try await page.open()
                try await page.browser.scroll("scrollTo(0, document.documentElement.scrollHeight)")
                try await page.browser.wait(for: "document.querySelector('#grid [data-place=\"9999\"] img.there')")
            }
        }

        @Test("The scroll position survives a reload and a change of width") func keepsPlace() async throws {
            try await withGallery(of: samples(1000)) { page in
                let upper = """
                    Number([...document.querySelectorAll('.tile')].find((tile) =>
                        tile.getBoundingClientRect().bottom > document.getElementById('tools').offsetHeight).dataset.place)
                    """
                try await page.open()
                try await page.browser.scroll("scrollTo(0, 9000)")
                try await page.browser.wait(for: "history.state?.kept && \(GalleryPage.isReady)")
                let place: Int = try await page.browser.value(upper)
                #expect(place > 50)
                try await page.browser.run("location.reload()")
                try await page.browser.wait(for: "scrollY > 4 && \(GalleryPage.isReady)")
                #expect(try await page.browser.value(upper) == place)
                let narrow: [String: Any] = ["width": 500, "height": 800, "deviceScaleFactor": 1, "mobile": false]
                try await page.browser.command("Emulation.setDeviceMetricsOverride", narrow)
                try await page.browser.wait(for: "document.getElementById('grid').clientWidth < 500")
                try await page.browser.wait(for: "Math.abs(\(upper) - \(place)) < 6")
            }
        }

        @Test(
            "An update of the gallery moves neither the page nor the focus", arguments: [0, 40, 900], ["", "caption"])
        func updatesInPlace(y: Int, search: String) async throws {
            try await withGallery(of: samples(300)) { page in
                try await page.open(search.isEmpty ? "" : "#/?q=\(search)")
                try await page.browser.scroll("scrollTo(0, \(y))")
                try await page.browser.wait(for: GalleryPage.isReady)
                try await page.browser.run(
                    """
                    [...document.querySelectorAll('#grid a')].find((link) => link.getBoundingClientRect().top > 250)
                        .focus({ preventScroll: true })
                    """)
                let focused = "document.activeElement.closest('[data-place]')?.dataset.place"
                let place: String = try await page.browser.value(focused)
                #expect(try await page.browser.value("sluice.refresh('new').then(() => true)"))
                try await page.browser.wait(for: "\(focused) === '\(place)' && \(GalleryPage.isReady)")
                #expect(try await page.browser.value("scrollY", as: Int.self) == y)
            }
        }

        @Test("Switching between grid and table does not scroll the page", arguments: [0, 40])
        func switchesInPlace(y: Int) async throws {
            try await withGallery(of: samples(300)) { page in
                try await page.open()
                try await page.browser.scroll("scrollTo(0, \(y))")
                for role in ["table", "list"] {
                    try await page.browser.run("document.getElementById('show-table').click()")
                    try await page.browser.wait(
                        for:
                            "document.getElementById('grid').getAttribute('role') === '\(role)' && \(GalleryPage.isReady)"
                    )
                    #expect(try await page.browser.value("scrollY", as: Int.self) == y)
                }
            }
        }

        @Test("Arrow keys move between photos, and Tab treats the grid as one stop") func walks() async throws {
            try await withGallery(of: samples(30)) { page in
                try await page.open()
                try await page.browser.press(.tab)
                #expect(try await page.browser.value("document.activeElement.className") == "leap")
                try await page.browser.press(.enter)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"0\"]')")
                try await page.browser.press(.right)
                try await page.browser.wait(for: "document.activeElement.closest('[data-place=\"1\"]')")
                try await page.browser.press(.down)
                try await page.browser.wait(
                    for: "Number(document.activeElement.closest('[data-place]')?.dataset.place) > 2")
                try await page.browser.press(.up)
                try await page.browser.wait(
                    for: "Number(document.activeElement.closest('[data-place]')?.dataset.place) < 3")
                let outline: String = try await page.browser.value(
                    "getComputedStyle(document.activeElement.closest('.tile')).outlineStyle")
                #expect(outline == "solid")
                try await page.browser.press(.tab)
                #expect(try await page.browser.value("document.activeElement.closest('footer') !== null"))
            }
        }

        @Test("A blurred placeholder is shown for a picture that takes a while to load; an invalid hash is ignored")
        func showsPlaceholder() async throws {
            try await withGallery(of: samples(3)) { page in
                try await page.open()
                // The first hash shows a bright sky above dark ground. One script makes the tiles, lets the time for
                // loading pass at once, and looks at them, because no picture can load before it ends.
                let canvas = "document.querySelectorAll('.probe canvas')"
                let isBrightAbove: [Bool] = try await page.browser.value(
                    """
                    (() => {
                        const timers = [];
                        const { setTimeout } = window;
                        window.setTimeout = (action) => timers.push(action);
                        for (const placeholder of ['1QcSHQRnh493V4dIh4eXh1h4kJUI', 'LEHV6nWB2y', '\"><img>', undefined]) {
                            const tile = sluice.tiles.make('div', { className: 'tile probe' });
                            document.getElementById('grid').append(tile);
                            const thumbs = [{ file: `thumbs/256/0.png?${Math.random()}` }];
                            sluice.tiles.fill(tile, { seq: 1, state: 'done', placeholder, thumbs }, 100);
                        }
                        window.setTimeout = setTimeout;
                        const isEmpty = \(canvas).length === 0;
                        for (const action of timers) action();
                        return [...\(canvas)].map((canvas) => {
                            const { width, height } = canvas;
                            const { data } = canvas.getContext('2d').getImageData(width / 2, 0, 1, height);
                            return isEmpty && data[3] === 255 && data[2] > data[4 * height - 2];
                        });
                    })()
                    """)
                #expect(isBrightAbove == [true])
                try await page.browser.wait(for: "\(canvas).length === 0")
                #expect(try await page.browser.value("document.querySelectorAll('.probe img.there').length") == 4)
            }
        }

        @Test("Failed and skipped photos have tiles that name the cause") func showsFailures() async throws {
            let skipped = LedgerEntry.sample(3).with {
                $0.receipt = Receipt(.skipped, failure: Failure(.optedOut, "asked not to"))
            }
            let pending = LedgerEntry.sample(4).with { $0.receipt = nil }
            try await withGallery(of: [.sample(1), .failed(2), skipped, pending]) { page in
                try await page.open()
                let texts: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.lost')].map((tile) => tile.innerText.replace(/\\s+/g, ' '))")
                #expect(
                    texts == [
                        "Failed http-404 Caption 2", "Skipped opted-out Caption 3", "Not downloaded yet Caption 4",
                    ])
                let names: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.lost a')].map((link) => link.getAttribute('aria-label'))")
                #expect(names.first == "Caption 2, by Author 2, Failed: http-404")
            }
        }

        @Test(
            "A tile names the command that may download the photo, if the mirror can be resumed",
            arguments: [true, false])
        func namesCommand(isResumable: Bool) async throws {
            let entries = [LedgerEntry.failed(1), .failed(2, .tooManyPixels), .failed(3, .timeout)]
            var options = sampleOptions
            options.isResumable = isResumable
            try await withGallery(of: entries, options: options) { page in
                try await page.open()
                let commands: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.remedy')].map((command) => command.textContent)")
                let expected = ["--retry=too-many-pixels --max-pixels=1G", "--retry=timeout"].map {
                    "sluice mirror \($0)"
                }
                #expect(commands == (isResumable ? expected : []))
                try await page.browser.open(page.mirror.page("gallery/pages/1.html"))
                let plain: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.reason .remedy')].map((command) => command.textContent)")
                #expect(plain == commands)
            }
        }

        @Test("Consecutive photos of a collection form a section") func showsSections() async throws {
            let entries = samples(24).map { entry in
                entry.with { $0.item.photo.collection = $0.item.seq <= 10 ? "Albums <b>" : "Tracks" }
            }
            try await withGallery(of: entries) { page in
                try await page.open()
                let titles: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.heading')].map((heading) => heading.innerText.replace(/\\s+/g, ' '))"
                )
                #expect(titles == ["Albums <b> 10 photos", "Tracks 14 photos"])
            }
        }

        @Test("The page fits the width of a phone", arguments: [320, 390, 844]) func fitsPhone(width: Int)
            async throws
        {
            try await withGallery(of: samples(40), width: width, height: 700, isTouch: true) { page in
                try await page.open()
                #expect(try await page.browser.value("document.documentElement.scrollWidth", as: Int.self) == width)
                try await page.open("#/photo/3")
                try await page.waitForDetail(of: 3)
                #expect(
                    try await page.browser.value("document.getElementById('detail').scrollWidth", as: Int.self) == width
                )
            }
        }

        @Test("An empty mirror with a run in progress shows a message and no controls") func showsEmpty() async throws {
            var options = sampleOptions
            options.isRunning = true
            try await withGallery(of: [], options: options) { page in
                try await page.browser.open(page.mirror.address)
                #expect(
                    try await page.browser.value(
                        "document.querySelector('.empty').innerText.includes('being downloaded')"))
                #expect(try await page.browser.value("document.getElementById('tools').hidden"))
            }
        }

        @Test(
            "The page follows the reader's colour scheme, or the mirror's theme",
            arguments: [
                ("light", .auto, true), ("dark", .auto, false), ("dark", .light, true), ("light", .dark, false),
            ] as [(String, GalleryAppearance.Theme, Bool)])
        func followsScheme(scheme: String, theme: GalleryAppearance.Theme, isLight: Bool) async throws {
            var options = sampleOptions
            options.theme = theme
            try await withGallery(of: samples(5), options: options) { page in
                let feature = ["name": "prefers-color-scheme", "value": scheme]
                try await page.browser.command("Emulation.setEmulatedMedia", ["features": [feature]])
                try await page.open()
                let paper: String = try await page.browser.value("getComputedStyle(document.body).backgroundColor")
                let red = try #require(paper.firstMatch(of: /rgb\((\d+)/).flatMap { Int($0.output.1) })
                #expect((red > 128) == isLight)
            }
        }
    }
}
