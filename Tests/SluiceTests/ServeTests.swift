// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceOrigin
import SluiceStore
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Serving a mirror over HTTP.
@Suite("Serve", .timeLimit(.minutes(10))) struct ServeTests {
    private let temporary: TemporaryFolder
    private let folder: Folder
    private let page = "<!doctype html><body class=\"x\">" + String(repeating: "photo ", count: 200)

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
        for (name, text) in [
            ("index.html", page), ("gallery/style.css", "a { }"), ("originals/1.jpg", "0123456789"),
            (".sluice/ledger.sqlite", "secret"), ("sluice.json", "secret"), ("originals/.hidden", "secret"),
            ("originals/odd.svg", "<svg/>"),
        ] {
            if let slash = name.lastIndex(of: "/") { try folder.makeFolder(String(name[..<slash])) }
            try folder.write(Array(text.utf8), to: name, flushed: false)
        }
    }

    private func get(
        _ target: String, method: String = "GET", host: String? = "127.0.0.1:8000", isPublic: Bool = false,
        _ headers: [String: String] = [:]
    ) -> OriginReply {
        let store = LocalStore(folder)
        let site = SiteRouter(store: store, updates: GalleryUpdates(of: "index.html", in: store), isPublic: isPublic)
        var fields = headers.map { OriginHeader($0.key, $0.value) }
        if let host { fields.append(OriginHeader("Host", host)) }
        return site.reply(to: OriginRequest(method: method, target: target, headers: fields))
    }

    private func content(_ reply: OriginReply) -> String {
        guard let stream = reply.stream else { return String(decoding: reply.body, as: UTF8.self) }
        var bytes: [UInt8] = []
        while case .bytes(let more) = stream.read(at: bytes.count, count: 4) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "A file of the mirror is served with its type",
        arguments: [
            ("/gallery/style.css", "text/css; charset=utf-8", "a { }"),
            ("/gallery/style.css?v=2", "text/css; charset=utf-8", "a { }"),
            ("/originals/1.jpg", "image/jpeg", "0123456789"), ("/originals/%31.jpg", "image/jpeg", "0123456789"),
            ("/originals/odd.svg", "application/octet-stream", "<svg/>"),
        ])
    func files(target: String, type: String, text: String) {
        let reply = get(target)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == type)
        #expect(reply.header("X-Content-Type-Options") == "nosniff")
        #expect(content(reply) == text)
    }

    @Test(
        "Files outside the mirror, hidden files and folder listings are refused",
        arguments: [
            "/.sluice/ledger.sqlite", "/sluice.json", "/originals/.hidden", "/originals", "/originals/", "/nothing",
            "//index.html",
            "/../index.html", "/originals/../index.html", "/%2e%2e/index.html", "/originals/..%2findex.html",
            "/./index.html", "/%2esluice/ledger.sqlite", "/index.html/", "/index.html%00.jpg", "index.html", "*", "",
            "/gallery//style.css", "/link.css", "/out/passwd", "/..%5cindex.html", "http://127.0.0.1/index.html",
        ])
    func refused(target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("link.css"), withDestinationPath: "gallery/style.css")
        try FileManager.default.createSymbolicLink(atPath: temporary.path("out"), withDestinationPath: "/etc")
        let reply = get(target)
        #expect(reply.status == 404)
        #expect(content(reply) == "This mirror has no such file.\n")
    }

    @Test("Methods other than GET and HEAD are refused", arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
    func methods(method: String) {
        let reply = get("/", method: method)
        #expect(reply.status == 405)
        #expect(reply.header("Allow") == "GET, HEAD")
    }

    @Test(
        "A loopback server accepts only loopback host names",
        arguments: [
            ("127.0.0.1:8000", 200), ("127.0.0.1", 200), ("localhost:8000", 200), ("LOCALHOST", 200),
            ("sluice.localhost:1", 200), ("127.1.2.3", 200), ("evil.example", 403), ("127.0.0.1.evil.example", 403),
            ("localhost.evil.example", 403), ("", 403), (nil, 403), ("192.168.0.7:8000", 403), ("[::1]:8000", 200),
            ("[::1]", 200), ("[::1].evil.example", 403), ("[::2]:8000", 403), ("::1", 403),
        ] as [(String?, Int)])
    func hosts(host: String?, status: Int) {
        #expect(get("/", host: host).status == status)
        #expect(get("/", host: host, isPublic: true).status == 200)
    }

    @Test("A range is served only of the requested version, and an unchanged file is not sent again")
    func parts() throws {
        let tag = try #require(get("/originals/1.jpg").header("ETag"))
        let part = get("/originals/1.jpg", ["Range": "bytes=2-5", "If-Range": tag])
        #expect(part.status == 206)
        #expect(part.header("Content-Range") == "bytes 2-5/10")
        #expect(content(part) == "2345")
        #expect(get("/originals/1.jpg", ["Range": "bytes=10-"]).status == 416)
        #expect(content(get("/originals/1.jpg", ["Range": "bytes=2-5", "If-Range": "\"other\""])) == "0123456789")
        let unchanged = get("/originals/1.jpg", ["If-None-Match": tag])
        #expect(unchanged.status == 304)
        #expect(content(unchanged) == "")
        try folder.write(Array("9876543210".utf8), to: "originals/1.jpg", flushed: false)
        #expect(get("/originals/1.jpg", ["If-None-Match": tag]).status == 200)
    }

    @Test("Text is compressed for clients that accept it, with a different ETag")
    func packing() throws {
        let plain = get("/")
        let packed = get("/", ["Accept-Encoding": "br, gzip;q=0.5"])
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.header("Vary") == "Accept-Encoding")
        #expect(packed.body.starts(with: [0x1F, 0x8B]) && packed.body.count < plain.body.count / 4)
        let tag = try #require(packed.header("ETag"))
        #expect(tag != plain.header("ETag"))
        #expect(get("/", ["Accept-Encoding": "gzip", "If-None-Match": tag]).status == 304)
        #expect(get("/", ["Accept-Encoding": "gzip;q=0, br"]).header("Content-Encoding") == nil)
        #expect(get("/originals/1.jpg", ["Accept-Encoding": "gzip"]).header("Content-Encoding") == nil)
    }

    @Test("The index page holds its version, and update streams report when it is outdated")
    func news() async throws {
        let store = LocalStore(folder)
        let news = GalleryUpdates(of: "index.html", in: store)
        let site = SiteRouter(store: store, updates: news, isPublic: true)
        let front = site.reply(to: OriginRequest(target: "/"))
        let stamp = try #require(front.header("ETag")).dropFirst().dropLast()
        #expect(content(front).contains("<body data-live=\"\(stamp)\" class=\"x\">"))
        let stream = try #require(site.reply(to: OriginRequest(target: "/gallery/live")).stream)
        guard case .bytes(let first) = stream.read(at: 0, count: 1000) else {
            Issue.record("a new stream begins with the current version")
            return
        }
        #expect(String(decoding: first, as: UTF8.self) == "data: \(stamp)\n\n")
        guard case .later(let gate) = stream.read(at: 10, count: 1000) else {
            Issue.record("the same version is not sent twice")
            return
        }
        try folder.write(Array("<body>new".utf8), to: "index.html", flushed: false)
        try await wait(for: "the update") { gate.isOpen }
        guard case .bytes(let second) = stream.read(at: 20, count: 1000) else {
            Issue.record("the change is sent")
            return
        }
        #expect(second.starts(with: "data: ".utf8) && second != first)
    }

    @Test("A folder that is not a mirror, and an external address without --public, are refused before listening")
    func refusals() throws {
        let other = try TemporaryFolder()
        #expect {
            try MirrorServer(other.path)
        } throws: { error in
            (error as? MirrorError)?.code == .usage && "\(error)".contains("not a mirror")
        }
        var options = MirrorServer.Options()
        for host in ["0.0.0.0", "::", "fd00::2"] {
            options.host = host
            #expect {
                try MirrorServer(temporary.path, options: options)
            } throws: { error in
                let error = error as? MirrorError
                return error?.message == "cannot serve on \(host): other machines could connect"
                    && error?.hint == .servePublicly
            }
        }
    }

    /// Mirrors pages of the demo with this number of photos each.
    private func mirrorDemo(pages: Int, photos: Int) async throws {
        var options = MirrorOptions()
        (options.pages, options.perPage, options.variant) = (pages, photos, "thumb")
        _ = try await PhotoMirror(of: "demo", into: temporary.path("mirror"), options: options).run()
    }

    /// Serves a mirror of one page of the demo.
    private func demoServer(photos: Int) async throws -> MirrorServer {
        try await mirrorDemo(pages: 1, photos: photos)
        var serving = MirrorServer.Options()
        serving.port = 0
        return try MirrorServer(temporary.path("mirror"), options: serving)
    }

    @Test(
        "An open gallery shows the photos that a run adds, without console errors",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func live() async throws {
        let server = try await demoServer(photos: 6)
        defer { server.stop() }
        try await withBrowser { browser in
            let shown = "document.querySelectorAll('#grid .tile img.there').length"
            try await browser.open(server.address)
            try await browser.wait(for: "\(shown) === 6")
            try await mirrorDemo(pages: 2, photos: 6)
            try await browser.wait(for: "\(shown) === 12")
            try await browser.wait(for: "document.querySelector('.counts').textContent.includes('12')")
            #expect(try await browser.complaints() == [])
            let requests = try await browser.requests()
            #expect(requests.allSatisfy { $0.hasPrefix(server.address) || $0.hasPrefix("data:") }, "\(requests)")
        }
    }

    /// They came from the blurred placeholder, whose mixed colours the photo may lack.
    @Test(
        "The main colours of a photo in a served gallery are colours of its thumbnail",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func colors() async throws {
        let server = try await demoServer(photos: 1)
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open("\(server.address)#/photo/1")
            try await browser.wait(for: "document.querySelectorAll('.palette i').length > 1")
            try await browser.wait(for: "document.querySelector('.soft').naturalWidth > 0")
            let missing: [String] = try await browser.value(
                """
                (() => {
                    const thumbnail = document.querySelector('.soft');
                    const canvas = document.createElement('canvas');
                    const [width, height] = [thumbnail.naturalWidth, thumbnail.naturalHeight];
                    Object.assign(canvas, { width, height });
                    const context = canvas.getContext('2d');
                    context.drawImage(thumbnail, 0, 0);
                    const { data } = context.getImageData(0, 0, width, height);
                    const colors = new Set();
                    for (let i = 0; i < data.length; i += 4) colors.add(`rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`);
                    return [...document.querySelectorAll('.palette i')].map((swatch) => swatch.style.background)
                        .filter((color) => !colors.has(color));
                })()
                """)
            #expect(missing == [])
            #expect(try await browser.complaints() == [])
        }
    }

    @Test(
        "The page of a served gallery makes an archive of the selected originals",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func download() async throws {
        let server = try await demoServer(photos: 3)
        defer { server.stop() }
        try await withBrowser { browser in
            try await browser.open(server.address)
            try await browser.wait(for: "document.querySelectorAll('#grid .tile a').length === 3")
            try await browser.command("Browser.setDownloadBehavior", ["behavior": "deny"])
            try await browser.run(
                """
                const address = URL.createObjectURL;
                URL.createObjectURL = (blob) => { window.saved = blob; return address.call(URL, blob); };
                """)
            try await browser.click("#select")
            try await browser.click("[data-action=all]")
            try await browser.click("[data-action=download]")
            try await browser.wait(
                for: "document.getElementById('selection-status').textContent === '3 originals in photos.zip.'")
            #expect(try await browser.complaints() == [])
            let encoded: String = try await browser.value(
                """
                new Promise((done) => {
                    const reader = new FileReader();
                    reader.onload = () => done(reader.result.split(',')[1]);
                    reader.readAsDataURL(window.saved);
                })
                """)
            let archive = try #require(Data(base64Encoded: encoded))
            let originals = temporary.url.appending(path: "mirror/originals")
            let names = try FileManager.default.contentsOfDirectory(atPath: originals.path)
            #expect(names.count == 3)
            for name in names {
                let bytes = try Data(contentsOf: originals.appending(path: name))
                let stored = archive.range(of: bytes)
                #expect(
                    stored != nil && archive[..<(stored?.lowerBound ?? 0)].suffix(name.utf8.count) == Data(name.utf8))
            }
        }
    }
}
