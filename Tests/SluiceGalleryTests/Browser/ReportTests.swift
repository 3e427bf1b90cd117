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

        @Test(
            "axe-core finds no violations",
            .enabled(if: Browser.axeIsWanted, "axe-core is not installed (Scripts/setup --browser)"),
            arguments: ["light", "dark"])
        func accessible(scheme: String) async throws {
            let axe = try String(contentsOfFile: Browser.axe, encoding: .utf8)
            try await withBrowser { browser in
                let feature = ["name": "prefers-color-scheme", "value": scheme]
                try await browser.command("Emulation.setEmulatedMedia", ["features": [feature]])
                try await open(browser)
                try await browser.run(axe)
                let violations: [String] = try await browser.value(
                    """
                    axe.run(document, { resultTypes: ['violations'] }).then((result) =>
                        result.violations.map((found) => `${found.id}: ${found.nodes[0].html}`))
                    """)
                #expect(violations == [])
            }
        }
    }
}
