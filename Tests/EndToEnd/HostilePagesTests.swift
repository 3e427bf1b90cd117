// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceImaging
import SluiceModel
import SluiceOrigin
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

        private let folder = TemporaryFolder()
        private let server: RawServer
        private var mirror: String { folder.path(Self.place) }

        /// Mirrors a list with the texts in all of its columns, of photos with the texts in their metadata.
        init() async throws {
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
            try folder.write(lines.joined(), to: list)
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
            let drift = try Binary.run(
                ["drift", Self.place, "--html", "--no-robots", "--allow-private", "--allow-port", "\(server.port)"],
                folder: folder.url)
            try folder.write(drift.out, to: "drift.html")
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
            try Binary.run(
                ["export", Self.place, "--out", "data", "--layout", "huggingface"], folder: folder.url
            ).expect()
            let card = try folder.text("data/README.md")
            let names = card.split(separator: "\n").compactMap { $0.firstMatch(of: /^ +- name: (.*)$/)?.1 }
            #expect(names.contains(#""\u003cimg src=x onerror=\"window.pwned=1\">""#), "\(card)")
            #expect(names.contains(#""a\u2028b\u2029c""#), "\(card)")
            let plain = names.filter { !$0.hasPrefix("\"") }
            #expect(plain.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_]+/) != nil }, "\(plain)")
        }
    }
}

extension CommandTests {
    /// Mirrors of a server with many kinds of hostile replies over HTTP/1.1 and HTTP/2; `Benchmarks/hostile` has more.
    @Suite("Hostile server", .timeLimit(.minutes(10))) struct HostileServerTests {
        @Test(
            "A stored file is one version that its address offered, no run ends with a bug, and an honest run completes",
            .enabled(if: PythonPackages.hasHPACK, "Scripts/setup --tests installs the Python packages"))
        func sample() throws {
            let program = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Benchmarks/hostile").standardized.path
            let script = "import runpy, sys; del sys.argv[0]; runpy.run_path(sys.argv[0], run_name='__main__')"
            let words = ["--sluice", Binary.path, "--every", "11", "--photos", "1", "--retries", "1", "--replies", "1"]
            let output = try PythonPackages.run(script, [program] + words)
            #expect(output.contains("faults: 0\n"), "\(output)")
        }
    }
}

extension CommandTests {
    /// Rows E1, E5, E7 and E8 of the fault table: hostile photo names and captions, through the whole command.
    @Suite("Hostile metadata", .timeLimit(.minutes(10))) struct HostileMetadataTests {
        /// Serves one picture for every path.
        private final class Service: OriginService {
            static let picture: [UInt8] = {
                let pixels = (0..<64).flatMap { place -> [UInt8] in [UInt8(place), 9, 7, 255] }
                return (try? ImageEncoder(.png).encode(pixels, width: 8, height: 8)) ?? []
            }()

            func reply(to request: OriginRequest) -> OriginReply { OriginReply(type: "image/png", Self.picture) }
        }

        private static let words =
            [
                "../../../../etc/cron.d/x", "..\\..\\x", "/etc/passwd", "....//....//x", "%2e%2e%2fx", "..;/x",
                "a/../../x", "a\0b", ".", "..", "~/x", "$(touch x)", "`touch x`", "|touch x", "-rf", "con", "nul.jpg",
                ".htaccess", ".sluice/ledger.sqlite", "'; DROP TABLE items; --", "\"); DELETE FROM receipts; --",
                "=1+1", "@SUM(A1)",
                "\u{1B}[2J\u{1B}]0;pwned\u{7}", "\u{9B}31m", "\u{202E}gpj.exe", "a\u{2028}b", "line\r\nX-Injected: 1",
                "<script>alert(1)</script>", "x\u{FEFF}", "😀👩‍👩‍👧", "e\u{301}", "\u{E9}",
                String(repeating: "n", count: 3000), String(repeating: "\u{301}", count: 400), "NULL", "\\", "\\u0000",
            ].flatMap { [$0, $0 + "/x", "x/" + $0] }

        @Test(
            "E1, E5, E7, E8: hostile texts create no file outside the mirror, control no terminal, and are exact in the manifest",
            arguments: ["{id}", "{caption}/{author}-{seq}"])
        func names(template: String) throws {
            let folder = TemporaryFolder()
            let origin = try OriginServer(Service())
            let lines = try Self.words.enumerated().map { index, word in
                let url = "http://127.0.0.1:\(origin.port)/\(index)"
                let record = ["url": url, "id": word, "title": word, "author": word]
                return try JSONSerialization.data(withJSONObject: record) + Data("\n".utf8)
            }
            try folder.makeFolder("in/deep")
            try folder.write(lines.joined(), to: "list.jsonl")
            let words = [
                "mirror", folder.path("list.jsonl"), "--out", folder.path("in/deep/out"), "--name", template, "--sizes",
                "none", "--allow-private", "--allow-port", "\(origin.port)",
            ]
            let result = try Binary.run(words, folder: folder.url.appending(path: "in/deep"))
            #expect(result.code == 0, "\(result.err.suffix(500))")
            #expect(result.isPlain && !result.err.contains("\u{202E}") && !result.err.contains("\u{9B}"))
            let outside = try Tree(of: folder.path("")).files.keys.filter { !$0.hasPrefix("in/deep/out/") }
            #expect(outside == ["list.jsonl"])
            let manifest = try String(
                contentsOf: folder.url.appending(path: "in/deep/out/manifest.jsonl"), encoding: .utf8)
            let entries = try RunEvent.all(in: manifest)
            #expect(entries.count == Self.words.count)
            for (entry, word) in zip(entries, Self.words) {
                #expect(entry[text: "id"].map { Array($0.unicodeScalars) } == Array(word.unicodeScalars))
                let file = try #require(entry[text: "file"])
                #expect(file.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
                #expect(!file.split(separator: "/").contains { $0.hasPrefix(".") } && file.hasPrefix("originals/"))
                #expect(folder.contains("in/deep/out/\(file)"))
            }
            #expect(try Binary.run(["verify", folder.path("in/deep/out")]).code == 0)
        }
    }
}
