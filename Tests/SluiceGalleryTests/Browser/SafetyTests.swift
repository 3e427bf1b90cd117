// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Safety") struct SafetyTests {
        /// A script that lists the page's elements with their attribute names, which hostile text must not change.
        private let skeleton = """
            [...document.querySelectorAll('*')].map((element) =>
                [element.localName, ...element.getAttributeNames()].join(' '))
            """

        @Test("Hostile text is inert in the grid, the table, the detail view and the search") func isInert()
            async throws
        {
            let texts = HostileText.all + HostileText.random(60)
            var skeletons: [[String]] = []
            for isHostile in [false, true] {
                let entries = texts.enumerated().map { index, text in
                    LedgerEntry.hostile(isHostile ? "x" + text : "benign", seq: index + 1)
                }
                try await withGallery(of: entries, options: .hostile(isHostile ? "x" + texts[0] : "benign")) { page in
                    try await page.open()
                    skeletons.append(try await page.browser.value(skeleton))
                    try await page.open("#/?view=table")
                    try await page.browser.open(page.mirror.address + "#/?q=%22%3E%3Csvg%20onload=window.pwned=2%3E")
                    try await page.browser.wait(for: "document.getElementById('notice').textContent")
                    try await page.open()
                    for seq in 1...HostileText.all.count {
                        try await page.browser.run("location.hash = '#/photo/\(seq)'")
                        try await page.browser.wait(
                            for: "document.querySelector('.place')?.textContent.startsWith('\(seq) of ')")
                        #expect(
                            try await page.browser.value(
                                "document.querySelectorAll('#sheet script, #sheet img').length") == 0)
                        #expect(
                            try await page.browser.value(
                                "document.querySelectorAll('#sheet a[href^=\"java\" i]').length") == 0)
                    }
                    #expect(try await page.browser.value("window.pwned === undefined"))
                }
            }
            #expect(skeletons[0] == skeletons[1])
        }

        @Test("Hostile text is inert on the plain pages") func isInertOnPlainPages() async throws {
            let texts = HostileText.all + HostileText.random(100)
            var skeletons: [[String]] = []
            for isHostile in [false, true] {
                let entries = texts.enumerated().map { index, text in
                    LedgerEntry.hostile(isHostile ? "x" + text : "benign", seq: index + 1)
                }
                try await withGallery(of: entries) { page in
                    try await page.browser.open(page.mirror.page("gallery/pages/1.html"))
                    skeletons.append(try await page.browser.value(skeleton))
                    #expect(try await page.browser.value("window.pwned === undefined"))
                }
            }
            #expect(skeletons[0] == skeletons[1])
        }

        @Test("The content security policy blocks injected scripts") func refusesInlineScript()
            async throws
        {
            let mirror = try SampleMirror()
            try mirror.write([.sample(1)])
            let page = try mirror.text("index.html").replacing(
                "</body>", with: "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 1'></body>")
            try mirror.folder.write(Array(page.utf8), to: "index.html")
            try await withBrowser { browser in
                try await browser.open(mirror.address)
                let isSafe = try await browser.value("window.pwned === undefined", as: Bool.self)
                let complaints = try await browser.complaints()
                #expect(isSafe)
                #expect(complaints.contains { $0.contains("Content Security Policy") })
            }
        }

        @Test("A user's style sheet applies, but cannot load anything from the network") func boundsStyle() async throws
        {
            var options = sampleOptions
            options.style = Array(
                """
                @import url("http://127.0.0.1:9/a.css");
                @font-face { font-family: Far; src: url("http://127.0.0.1:9/b.woff2"); }
                body { background: rgb(1, 2, 3) url("http://127.0.0.1:9/c.png"); font-family: Far; }
                """.utf8)
            let mirror = try SampleMirror()
            try mirror.write([.sample(1)], options: options)
            try await withBrowser { browser in
                try await browser.open(mirror.address)
                let paper: String = try await browser.value("getComputedStyle(document.body).backgroundColor")
                let refused = try await browser.complaints().filter { $0.contains("Content Security Policy") }
                #expect(paper == "rgb(1, 2, 3)")
                for file in ["a.css", "b.woff2", "c.png"] { #expect(refused.contains { $0.contains(file) }) }
            }
        }

        @Test("Without JavaScript every photo is on a plain page, and each page links to the next") func worksPlainly()
            async throws
        {
            try await withGallery(of: (0..<450).map { LedgerEntry.sample($0 + 1) }) { page in
                try await page.browser.open(page.mirror.address)
                try await page.browser.command("Emulation.setScriptExecutionDisabled", ["value": true])
                try await page.browser.open(page.mirror.address)
                // Scripts from the driver run nevertheless.
                #expect(try await page.browser.value("document.getElementById('grid').children.length") == 0)
                #expect(try await page.browser.value("document.querySelectorAll('noscript figure img').length") == 48)
                try await page.browser.wait(for: "document.images.length && document.images[0].naturalWidth > 0")
                #expect(try await page.browser.value("document.getElementById('tools').offsetHeight") == 0)
                try await page.browser.run("document.querySelector('noscript .notice a').click()")
                var counts: [Int] = []
                for number in 1...3 {
                    try await page.browser.wait(for: "location.href.endsWith('gallery/pages/\(number).html')")
                    try await page.browser.wait(for: "document.images.length && document.images[0].naturalWidth > 0")
                    counts.append(try await page.browser.value("document.querySelectorAll('figure img').length"))
                    if number < 3 { try await page.browser.click("a[rel=next]") }
                }
                #expect(counts == [200, 200, 50])
            }
        }
    }
}

extension BrowserTests {
    @Suite("Report") struct ReportTests {
        private let folder = TemporaryFolder()

        private func open(_ browser: WebDriver) async throws {
            try folder.write(RunReport.sample().page, to: "report.html")
            try await browser.open("file://\(folder.path("report.html"))")
        }

        @Test(
            "The report shows its charts with its own style, sends no requests and fits the window",
            arguments: [390, 1280])
        func shown(width: Int) async throws {
            try await withBrowser(width: width) { browser in
                try await open(browser)
                let shown: Bool = try await browser.value(
                    """
                    [...document.querySelectorAll('figure > svg')].every((svg) => svg.getBoundingClientRect().height > 60)
                        && getComputedStyle(document.querySelector('.line')).fill === 'none'
                        && document.documentElement.scrollWidth <= innerWidth
                    """)
                #expect(shown)
                #expect(try await browser.complaints() == [])
                #expect(try await browser.requests().filter { !$0.hasPrefix("file://") && $0 != "about:blank" } == [])
            }
        }

        /// The last row had one figure of six.
        @Test("The figures fill whole rows", arguments: [360, 800, 1280]) func figures(width: Int) async throws {
            try await withBrowser(width: width) { browser in
                try await open(browser)
                let rows: [[Int]] = try await browser.value(
                    """
                    ((list) => [9, 8, 7, 6].map((count) => {
                        while (list.children.length < count) list.append(list.lastElementChild.cloneNode(true));
                        while (list.children.length > count) list.lastElementChild.remove();
                        const ends = new Map();
                        for (const figure of list.children) {
                            const box = figure.getBoundingClientRect();
                            ends.set(Math.round(box.top), Math.round(box.right));
                        }
                        return [...ends.values()].map((end) => Math.round(list.getBoundingClientRect().right) - end);
                    }))(document.querySelector('.figures'))
                    """)
                #expect(rows.allSatisfy { $0.allSatisfy { abs($0) <= 1 } }, "\(rows)")
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
