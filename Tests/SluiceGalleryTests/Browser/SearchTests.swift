// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceGallery

extension BrowserTests {
    @Suite("Search") struct SearchTests {
        /// A script that returns the sequence numbers of the photos shown.
        private let shown = """
            [...document.querySelectorAll('#grid [data-place] a')].map((link) => Number(/photo\\/(\\d+)/.exec(link.hash)[1]))
            """

        private let entries: [LedgerEntry] = (1...450).map { seq in
            let entry = seq == 8 || seq == 408 ? LedgerEntry.failed(seq) : LedgerEntry.sample(seq)
            return entry.with {
                $0.item.photo.caption = seq % 200 == 7 ? "Évening at the LAKE, \(seq)" : "Caption \(seq)"
                $0.item.photo.collection = seq <= 400 ? "First" : "Second"
                $0.item.photo.date = seq == 207 ? 1_700_000_000 : seq == 407 ? -2_000_000_000 : nil
                $0.receipt?.color = seq == 33 ? "#cc2020" : "#3366cc"
                if let format = [50: "webp", 51: "jpeg", 52: "psd"][seq] { $0.receipt?.format = format }
            }
        }

        @Test("Search finds captions and authors in every chunk, regardless of case and accents") func searches()
            async throws
        {
            try await withGallery(of: entries) { page in
                try await page.open()
                try await page.browser.press(Key(rawValue: "/"))
                try await page.browser.type("lake evening")
                try await page.browser.wait(for: "document.getElementById('result').textContent.startsWith('3 of 450')")
                // The chunks may still be loading.
                try await page.browser.wait(for: "JSON.stringify(\(shown)) === '[7,207,407]'")
                // The address follows after a pause in typing.
                try await page.browser.wait(for: "location.hash === '#/?q=lake+evening'")
                try await page.open("#/?q=author%203%20caption%20444")
                #expect(try await page.browser.value(shown) == [444])
            }
        }

        @Test(
            "The URL sets filters and sort order",
            arguments: [
                ("#/?state=failed", [8, 408]), ("#/?color=red", [33]), ("#/?q=lake&sort=latest", [407, 207, 7]),
                ("#/?collection=Second&state=failed", [408]), ("#/?q=lake&collection=First", [7, 207]),
                ("#/?q=lake&shape=square", [7, 207, 407]), ("#/?q=lake&sort=largest", [407, 207, 7]),
                ("#/?q=lake&sort=newest", [207, 407, 7]), ("#/?q=lake&sort=oldest", [407, 207, 7]),
                ("#/?q=lake&sort=name", [7, 207, 407]), ("#/?state=failed&sort=name", [8, 408]),
                ("#/?q=lake&sort=constructor", [7, 207, 407]),
                ("#/?format=webp", [50]), ("#/?format=jpeg", [51]), ("#/?format=other", [52]),
                ("#/?q=lake&format=png", [7, 207, 407]),
            ])
        func filters(address: String, seqs: [Int]) async throws {
            try await withGallery(of: entries) { page in
                try await page.open(address)
                #expect(try await page.browser.value(shown) == seqs)
            }
        }

        @Test("Filters change the URL, and Reset removes them") func choosesFilter() async throws {
            try await withGallery(of: entries) { page in
                try await page.open()
                try await page.browser.click("#show-filters")
                try await page.browser.run(
                    """
                    const select = document.querySelector('[name=state]'); select.value = 'failed';
                    select.dispatchEvent(new Event('change', { bubbles: true }));
                    """)
                try await page.browser.wait(for: "document.querySelectorAll('#grid [data-place]').length === 2")
                #expect(try await page.browser.value("location.hash") == "#/?state=failed")
                try await page.browser.click("#filters button")
                try await page.browser.wait(for: "document.querySelectorAll('#grid [data-place]').length > 2")
            }
        }

        @Test("Previous and next stay within the search results") func staysWithin() async throws {
            try await withGallery(of: entries) { page in
                try await page.open("#/photo/7?q=lake")
                try await page.waitForDetail(of: 7)
                try await page.browser.press(.right)
                try await page.waitForDetail(of: 207)
                try await page.browser.press(.escape)
                try await page.browser.wait(for: "location.hash === '#/?q=lake'")
            }
        }

        @Test("A search without results says so") func findsNothing() async throws {
            try await withGallery(of: entries) { page in
                try await page.browser.open(page.mirror.address + "#/?q=submarine")
                try await page.browser.wait(
                    for: "document.getElementById('notice').textContent === 'No photos match.'")
            }
        }

        @Test("The table has a row for each photo, and a row opens its photo") func showsTable() async throws {
            try await withGallery(of: entries) { page in
                try await page.open("#/?view=table")
                let cells: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('.line[data-place=\"8\"] [role=cell]')].map((cell) => cell.textContent)"
                )
                #expect(cells == ["", "Caption 9", "Author 2", "First", "", "90 × 60", "9.2 kB", ""])
                #expect(
                    try await page.browser.value("document.getElementById('grid').getAttribute('aria-rowcount')")
                        == "451")
                let rows: [String] = try await page.browser.value(
                    "[...document.querySelectorAll('[role=row]')].slice(0, 3).map((row) => row.getAttribute('aria-rowindex'))"
                )
                #expect(rows == ["1", "2", "3"])
                try await page.browser.click("[data-place=\"2\"]")
                try await page.waitForDetail(of: 3)
            }
        }

        @Test("The table hides columns that are empty for every photo") func hidesColumns() async throws {
            let complete = LedgerEntry.sample(2).with {
                $0.item.photo.collection = "First"
                $0.item.photo.date = 1_700_000_000
            }
            for (entries, expected) in [
                ([.sample(1)], ["Thumbnail", "Photo", "Author", "Pixels", "File"]),
                (
                    [.sample(1), complete, .failed(3)],
                    ["Thumbnail", "Photo", "Author", "Collection", "State", "Pixels", "File", "Date"]
                ),
            ] as [([LedgerEntry], [String])] {
                try await withGallery(of: entries) { page in
                    try await page.open("#/?view=table")
                    let heads: [String] = try await page.browser.value(
                        "[...document.querySelectorAll('[role=columnheader]:not([hidden])')].map((head) => head.textContent)"
                    )
                    #expect(heads == expected)
                    let cells: Int = try await page.browser.value(
                        "document.querySelectorAll('[data-place=\"0\"] [role=cell]').length")
                    #expect(cells == expected.count)
                }
            }
        }

        @Test("The headings of the table stay below the filters") func showsHeadings() async throws {
            try await withGallery(of: entries) { page in
                try await page.open("#/?view=table")
                try await page.browser.scroll("scrollTo(0, 2000)")
                for _ in 0..<2 {
                    try await page.browser.click("#show-filters")
                    try await page.browser.wait(
                        for: """
                            Math.abs(document.getElementById('columns').getBoundingClientRect().top
                                - document.getElementById('tools').getBoundingClientRect().bottom) < 1
                            """)
                }
            }
        }

        @Test("The headings of the table sort it in both directions and say so") func sortsTable() async throws {
            try await withGallery(of: entries) { page in
                let browser = page.browser
                try await page.open("#/?q=lake&view=table")
                for (column, order, direction, seqs) in [
                    ("newest", "newest", "descending", [207, 407, 7]),
                    ("newest", "oldest", "ascending", [407, 207, 7]),
                    ("largest", "largest", "descending", [407, 207, 7]),
                    ("largest", "smallest", "ascending", [7, 207, 407]),
                    (" latest", "", "ascending", [7, 207, 407]), (" latest", "latest", "descending", [407, 207, 7]),
                ] {
                    try await browser.click("#columns [data-orders^='\(column)']")
                    try await browser.wait(
                        for:
                            "new URLSearchParams(location.hash.split('?')[1]).get('sort') === \(order.isEmpty ? "null" : "'\(order)'")"
                    )
                    try await browser.wait(for: "JSON.stringify(\(shown)) === '\(seqs)'.replaceAll(' ', '')")
                    let sorted: [String] = try await browser.value(
                        "[...document.querySelectorAll('#columns [aria-sort]')].map((column) => column.ariaSort)")
                    #expect(sorted == [direction])
                }
            }
        }
    }
}
