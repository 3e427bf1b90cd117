// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceModel
import TestSupport
import Testing

extension CommandTests {
    /// Markup and scripts in every text of a mirror that its author does not decide, looked at in a browser.
    @Suite(
        "Hostile pages", .serialized, .timeLimit(.minutes(10)),
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    struct HostilePagesTests {
        private static let texts = [
            "<img src=x onerror=\"window.pwned=1\">", "\"><script>window.pwned=1</script>",
            "</script><script>window.pwned=1</script>", "javascript:window.pwned=1", "a\u{2028}b\u{2029}c",
            "' autofocus onfocus='window.pwned=1", "</title><svg onload=window.pwned=1>", "{{title}}${pwned}`",
        ]
        /// The name of the output folder.
        private static let place = "m\"><img src=x onerror=window.pwned=1>"

        private let folder: TemporaryFolder
        private let server: RawServer
        private var mirror: String { folder.path(Self.place) }

        /// Mirrors a list with the texts in all of its columns, of photos with the texts in their metadata.
        init() async throws {
            folder = try TemporaryFolder()
            let picture = try DemoPictures(1, in: folder).files[0]
            var replies: [String: [RawServer.Step]] = [:]
            for (number, text) in Self.texts.enumerated() {
                let body = Self.photo(picture, describedBy: text)
                replies["/\(number).jpg"] = DemoPictures.reply("200 OK\r\nContent-Type: image/jpeg", body)
            }
            server = try RawServer(replies)
            var lines = try Self.texts.enumerated().map { number, text in
                try Self.line(text, url: server.url("/\(number).jpg"))
            }
            // Two photos fail: a host of markup, and a missing file.
            lines += [
                try Self.line(Self.texts[0], url: "http://<img src=x onerror=window.pwned=1>.test/a.jpg"),
                try Self.line(Self.texts[1], url: server.url("/missing.jpg?\"><script>window.pwned=1")),
            ]
            let list = "list<img src=x onerror=window.pwned=1>.jsonl"
            try Data(lines.joined()).write(to: folder.url.appending(path: list))
            let given = ["--allow-private", "--allow-port", "\(server.port)", "--no-robots"]
            let words = ["mirror", list, "--out", Self.place, "--sizes", "64", "--name", "{caption}-{seq}"]
            let result = try Binary.run(words + given, folder: folder.url)
            try #require(result.code == 3, "\(result.err)")
        }

        private static func line(_ text: String, url: String) throws -> Data {
            var record: [String: Any] = ["url": url, "id": "\(url) \(text)", "tags": [text, "x" + text]]
            for name in ["caption", "author", "license", "attribution", "collection", "camera"] { record[name] = text }
            for name in ["author_url", "page_url", "license_url"] { record[name] = text }
            record[text] = text
            record["deep"] = [text: [text]]
            return try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
        }

        /// Adds Exif with the text as maker, model, artist and copyright to a JPEG.
        private static func photo(_ picture: [UInt8], describedBy text: String) -> [UInt8] {
            func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
            let value = Array(text.utf8) + [0]
            // ImageDescription, Make, Model, Artist, Copyright
            let tags = [0x10E, 0x10F, 0x110, 0x13B, 0x8298]
            let start = 8 + 2 + 12 * tags.count + 4
            var tiff = Array("II*\0".utf8) + number(8, 4) + number(tags.count, 2)
            for (index, tag) in tags.enumerated() {
                tiff += number(tag, 2) + number(2, 2) + number(value.count, 4) + number(start + index * value.count, 4)
            }
            tiff += number(0, 4)
            for _ in tags { tiff += value }
            let content = Array("Exif\0\0".utf8) + tiff
            let size = content.count + 2
            return Array(picture[..<2]) + [0xFF, 0xE1, UInt8(size >> 8), UInt8(size & 0xFF)] + content + picture[2...]
        }

        /// Opens a page, and checks that nothing of the texts is alive.
        private func check(_ address: String, in browser: WebDriver, waitingFor condition: String) async throws
            -> String
        {
            try await browser.open(address)
            try await browser.wait(for: condition)
            let found: [String] = try await browser.value(
                """
                [window.pwned === undefined ? '' : 'script',
                    ...[...document.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()
                        .filter((name) => name.startsWith('on') || (/^(href|src|action)$/.test(name)
                            && /^\\s*javascript:/i.test(element.getAttribute(name))))
                        .map((name) => `${element.localName} ${name}`)),
                    ...[...document.querySelectorAll('img[src=x], svg[onload], base, iframe, object')].map(
                        (element) => element.outerHTML)].filter((text) => text !== '')
                """)
            #expect(found == [], "\(address)")
            #expect(await !browser.hasDialog(), "\(address)")
            return try await browser.value("document.body.textContent")
        }

        /// Looks at all pages below an address, and returns the requests.
        private func checkAll(at root: String, in browser: WebDriver) async throws -> [String] {
            let isReady = "document.body.dataset.ready !== undefined && document.querySelector('#grid [data-place]')"
            _ = try await check("\(root)index.html", in: browser, waitingFor: isReady)
            let table = try await check("\(root)index.html#/?view=table", in: browser, waitingFor: isReady)
            #expect(table.contains(Self.texts[0]) && table.contains(Self.texts[1]))
            let query = "%22%3E%3Cimg%20src=x%20onerror=window.pwned=1%3E"
            for fragment in ["?q=\(query)", "?state=failed", "?sort=name", "?collection=\(query)", "photo/\(query)"] {
                let condition = fragment.hasPrefix("?s") ? isReady : "document.body.dataset.ready !== undefined"
                _ = try await check("\(root)index.html#/\(fragment)", in: browser, waitingFor: condition)
            }
            for seq in 1...Self.texts.count + 2 {
                let condition = "document.querySelector('.place')?.textContent.startsWith('\(seq) of ')"
                let text = try await check("\(root)index.html#/photo/\(seq)", in: browser, waitingFor: condition)
                if seq <= Self.texts.count, !Self.texts[seq - 1].contains("\u{2028}") {
                    #expect(text.contains(Self.texts[seq - 1]), "\(seq)")
                }
            }
            let isLoaded = "document.readyState === 'complete'"
            _ = try await check("\(root)gallery/pages/1.html", in: browser, waitingFor: isLoaded)
            let report = try await check("\(root)report.html", in: browser, waitingFor: isLoaded)
            #expect(report.contains("list<img src=x onerror=window.pwned=1>.jsonl"))
            return try await browser.requests().filter { $0 != "about:blank" && !$0.hasPrefix("data:") }
        }

        @Test("Opened from file://, texts are shown as they are, and nothing of them is executed or requested")
        func files() async throws {
            defer { server.stop() }
            let drift = try Binary.run(
                ["drift", Self.place, "--html", "--no-robots", "--allow-private", "--allow-port", "\(server.port)"],
                folder: folder.url)
            try Data(drift.out.utf8).write(to: folder.url.appending(path: "drift.html"))
            try await withBrowser { browser in
                let root = "file://\(mirror.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")/"
                let requests = try await checkAll(at: root, in: browser)
                #expect(requests.allSatisfy { $0.hasPrefix("file://") }, "\(requests)")
                let page = try await check(
                    "file://\(folder.path("drift.html"))", in: browser, waitingFor: "document.readyState === 'complete'"
                )
                #expect(page.contains(Self.place), "\(drift)")
                #expect(try await browser.complaints() == [])
            }
        }

        @Test("Served, texts are shown as they are, and nothing of them is executed or requested")
        func served() async throws {
            defer { server.stop() }
            var serving = MirrorServer.Options()
            serving.port = 0
            let site = try MirrorServer(mirror, options: serving)
            defer { site.stop() }
            try await withBrowser { browser in
                let requests = try await checkAll(at: site.address, in: browser)
                #expect(requests.allSatisfy { $0.hasPrefix(site.address) }, "\(requests)")
                #expect(try await browser.complaints() == [])
            }
        }

        /// A column's name could add members to the card, such as a licence.
        @Test("The card of a data set quotes the names of columns")
        func card() throws {
            defer { server.stop() }
            let export = try Binary.run(
                ["export", Self.place, "--out", "data", "--layout", "huggingface"], folder: folder.url)
            #expect(export.code == 0, "\(export.err)")
            let card = try String(contentsOf: folder.url.appending(path: "data/README.md"), encoding: .utf8)
            let names = card.split(separator: "\n").compactMap { $0.firstMatch(of: /^ +- name: (.*)$/)?.1 }
            #expect(names.contains(#""\u003cimg src=x onerror=\"window.pwned=1\">""#), "\(card)")
            #expect(names.contains(#""a\u2028b\u2029c""#), "\(card)")
            let plain = names.filter { !$0.hasPrefix("\"") }
            #expect(plain.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_]+/) != nil }, "\(plain)")
        }
    }
}
