// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Report") struct ReportTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func open(_ browser: WebDriver) async throws {
            try Data(RunReport.sample().page).write(to: folder.url.appending(path: "report.html"))
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
