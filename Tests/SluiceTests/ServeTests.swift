// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceOrigin
import SluiceStore
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Serving a mirror over HTTP.
@Suite("Serve", .timeLimit(.minutes(10))) struct ServeTests {
    private let temporary = TemporaryFolder()
    private let folder: Folder
    private let page = "<!doctype html><body class=\"x\">" + String(repeating: "photo ", count: 200)

    init() throws {
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
        let names = SiteNames(identity: "the mirror", listeningOn: "127.0.0.1", isPublic: isPublic)
        let site = SiteRouter(store: store, updates: GalleryUpdates(of: "index.html", in: store), names: names)
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
            ("\(own):8000", 200), ("sluice.localhost:1", 403), ("127.1.2.3", 200), ("evil.example", 403),
            ("127.0.0.1.evil.example", 403),
            ("localhost.evil.example", 403), ("", 403), (nil, 403), ("192.168.0.7:8000", 403), ("[::1]:8000", 200),
            ("[::1]", 200), ("[::1].evil.example", 403), ("[::2]:8000", 403), ("::1", 403),
            ("localhost:", 403), ("localhost:99999", 403), ("localhost:80:80", 403), ("localhost.", 403),
            ("127.1", 403), ("127.0.0.256", 403), ("127.0.0.01", 403), ("a@localhost", 403), ("localhost/x", 403),
            (" localhost", 403),
        ] as [(String?, Int)])
    func hosts(host: String?, status: Int) {
        #expect(get("/", host: host).status == status)
        let isOtherMirror = host.map { $0.hasSuffix(".localhost:1") || $0 == "localhost." } == true
        #expect(get("/", host: host, isPublic: true).status == (isOtherMirror ? 403 : 200))
        let several = OriginRequest(
            target: "/", headers: [OriginHeader("Host", "localhost"), OriginHeader("host", "evil.example")])
        let names = SiteNames(identity: "", listeningOn: "::1", isPublic: false)
        #expect(names.kind(of: several.headers(named: "Host")) == .refused)
    }

    /// The name of the test's mirror.
    private static let own = "\(SHA256.digest(of: Array("the mirror".utf8)).prefix(16)).localhost"

    @Test("Only the gallery's own files are pages, scripts and style sheets; other files are downloads")
    func foreignContent() throws {
        let active = [
            "/": "text/html", "/index.html": "text/html", "/report.html": "text/html",
            "/gallery/pages/1.html": "text/html", "/gallery/gallery.js": "text/javascript",
            "/gallery/data/12.js": "text/javascript", "/gallery/hashes/1.js": "text/javascript",
            "/gallery/user.css": "text/css",
        ]
        let foreign = [
            "sw.js", "evil.html", "originals/index.html", "gallery/sw.js", "gallery/data/a.js", "gallery/data/1.html",
            "gallery/data/1/2.js", "gallery/pages/1.xhtml", "originals/1.css", "a.svg", "a.xml",
            "a.pdf", "a", "gallery/pages/1.HTML", "INDEX.HTML", "gallery/pages/x1.html",
        ]
        for name in active.keys.map({ String($0.dropFirst()) }) + foreign where !name.isEmpty {
            if let slash = name.lastIndex(of: "/") { try folder.makeFolder(String(name[..<slash])) }
            try folder.write(Array("x".utf8), to: name, flushed: false)
        }
        for (target, type) in active {
            let reply = get(target, host: Self.own)
            #expect(reply.header("Content-Type") == "\(type); charset=utf-8" && reply.status == 200, "\(target)")
            #expect(reply.header("Content-Disposition") == nil)
        }
        for name in foreign {
            let reply = get("/\(name)", host: Self.own)
            #expect(reply.header("Content-Type") == "application/octet-stream" && reply.status == 200, "\(name)")
            #expect(reply.header("Content-Disposition") == "attachment")
            #expect(reply.header("Content-Security-Policy")?.contains("; sandbox; ") == true)
        }
        for target in active.keys.sorted() + ["/none", "/manifest.jsonl", "/originals/1.jpg", "/gallery/live"] {
            let policy = get(target, host: Self.own).header("Content-Security-Policy")
            for word in ["default-src 'none'", "worker-src 'none'", "frame-ancestors 'none'"] {
                #expect(policy?.contains(word) == true, "\(target)")
            }
        }
    }

    @Test("Requests for workers and embedded pages are refused")
    func workers() {
        #expect(get("/gallery/style.css", host: Self.own, ["Service-Worker": "script"]).status == 404)
        for destination in ["serviceworker", "worker", "sharedworker", "iframe", "object"] {
            #expect(get("/index.html", host: Self.own, ["Sec-Fetch-Dest": destination]).status == 404)
        }
        #expect(get("/index.html", host: Self.own, ["Sec-Fetch-Dest": "document"]).status == 200)
    }

    @Test("A browser is sent from a shared name to the mirror's own name; without it, pages run in a sandbox")
    func ownName() {
        for (host, port) in [("127.0.0.1:8000", ":8000"), ("localhost", ""), ("[::1]:9", ":9")] {
            let reply = get("/?a=%20b", host: host, ["Sec-Fetch-Mode": "navigate"])
            #expect(reply.status == 307 && reply.header("Location") == "http://\(Self.own)\(port)/?a=%20b")
            #expect(get("/", host: host).header("Content-Security-Policy")?.hasSuffix("; sandbox") == true)
        }
        #expect(get("/", host: Self.own).header("Content-Security-Policy")?.contains("sandbox") == false)
        #expect(get("/originals/1.jpg", host: "localhost", ["Sec-Fetch-Mode": "navigate"]).status == 200)
        let elsewhere = SiteNames(identity: "", listeningOn: "127.0.0.5", isPublic: false)
        #expect(elsewhere.own == nil && elsewhere.kind(of: ["127.0.0.5:1"]) == .own)
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
        let site = SiteRouter(
            store: store, updates: news, names: SiteNames(identity: "", listeningOn: "::", isPublic: true))
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

    @Test("Update streams report the progress of a run, and its end, but nothing that a killed run left")
    func progress() async throws {
        try folder.makeFolder(".sluice")
        try folder.write(Array("left".utf8), to: ".sluice/progress", flushed: false)
        let store = LocalStore(folder)
        let updates = GalleryUpdates(of: "index.html", in: store)
        let stream = try #require(updates.reply.stream)
        /// The next piece that is no keep-alive.
        func next() async throws -> String {
            var text = ":\n\n"
            while text == ":\n\n" {
                switch stream.read(at: 0, count: 1000) {
                case .bytes(let bytes): text = String(decoding: bytes, as: UTF8.self)
                case .later(let gate): try await wait(for: "the next piece") { gate.isOpen }
                default: text = "end"
                }
            }
            return text
        }
        #expect(try await next().hasPrefix("data: "))
        try folder.write(Array("3 of 9 photos\nmore".utf8), to: ".sluice/progress", flushed: false)
        #expect(try await next() == "event: progress\ndata: 3 of 9 photos\n\n")
        try folder.remove(".sluice/progress")
        #expect(try await next() == "event: progress\ndata: \n\n")
    }

    @Test("A run states its progress in a file, which is gone at its end") func statesProgress() async throws {
        let service = HeldPhotos()
        let origin = try OriginServer(service)
        try temporary.write((1...3).map { "\(origin.address)/\($0)\n" }.joined(), to: "list.txt")
        let out = temporary.path("out")
        let mirror = PhotoMirror(of: [temporary.path("list.txt")], into: out, options: .loopback(origin.port))
        async let running = mirror.run()
        let progress = "\(out)/.sluice/progress"
        try await wait(for: "the progress") {
            (try? String(contentsOfFile: progress, encoding: .utf8)) == "0 photos"
        }
        service.gate.open()
        #expect(try await running.done == 3)
        #expect(!FileManager.default.fileExists(atPath: progress))
    }

    @Test("A folder that is not a mirror, and an external address without --public, are refused before listening")
    func refusals() throws {
        let other = TemporaryFolder()
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
            let progress = temporary.path("mirror/.sluice/progress")
            try Data("13 of 20 photos · 1 failed · 2.5 photos/s".utf8).write(to: URL(filePath: progress))
            let line = "document.getElementById('live')"
            try await browser.wait(
                for: "!\(line).hidden && \(line).textContent.startsWith('13 of 20 photos · 1 failed')")
            try FileManager.default.removeItem(atPath: progress)
            try await browser.wait(for: "\(line).hidden")
            #expect(try await browser.complaints() == [])
            let requests = try await browser.requests()
            #expect(requests.allSatisfy { $0.hasPrefix(server.address) || $0.hasPrefix("data:") }, "\(requests)")
        }
    }

    /// Each open page kept one of the six connections that a browser opens to a server.
    @Test(
        "Eight tabs show the same gallery, and the first one is up to date when it is shown again",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func tabs() async throws {
        let server = try await demoServer(photos: 3)
        defer { server.stop() }
        try await withBrowser { browser in
            let shown = "document.querySelectorAll('#grid .tile img.there').length"
            try await browser.open(server.address)
            let first = try await browser.tab
            for _ in 1..<8 {
                try await browser.openTab(server.address)
                try await browser.wait(for: "\(shown) === 3")
            }
            try await mirrorDemo(pages: 2, photos: 3)
            try await browser.wait(for: "\(shown) === 6")
            try await browser.show(tab: first)
            try await browser.wait(for: "\(shown) === 6")
        }
    }

    /// Browsers keep pages for their back button, and open six connections to a server: the seventh page had to wait.
    @Test(
        "A page that is left closes its event stream, and opens it again if it is shown again",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func leftPage() async throws {
        let server = try await demoServer(photos: 3)
        defer { server.stop() }
        try await withBrowser { browser in
            let script = """
                window.streams = [];
                window.EventSource = class extends EventSource {
                    constructor(address) { super(address); window.streams.push(this); }
                };
                """
            try await browser.command("Page.addScriptToEvaluateOnNewDocument", ["source": script])
            try await browser.open(server.address)
            try await browser.wait(for: "window.streams.length === 1 && window.streams[0].readyState === 1")
            try await browser.run("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
            #expect(try await browser.value("window.streams.map((stream) => stream.readyState)") == [2])
            try await browser.run("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
            try await browser.wait(for: "window.streams.length === 2 && window.streams[1].readyState === 1")
        }
    }

    /// A stranger's mirror registered a service worker, which took over every later mirror at that port.
    @Test(
        "Nothing of a hostile mirror is alive when another mirror is served at the same port",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func takeover() async throws {
        let hostile = temporary.path("hostile")
        let evil = """
            self.addEventListener?.('fetch', (event) => event.respondWith(new Response('pwned')));
            if (self.document) {
                const attempts = [];
                for (const script of ['/sw.js', '/gallery/gallery.js', '/gallery/data/1.js']) {
                    attempts.push(navigator.serviceWorker?.register(script).then(() => 'worker', () => ''));
                }
                for (const Kind of [Worker, SharedWorker]) {
                    attempts.push(new Promise((done) => {
                        try {
                            const worker = new Kind('/gallery/gallery.js');
                            worker.onerror = () => done('');
                            setTimeout(() => done('worker'), 3000);
                        } catch { done(''); }
                    }));
                }
                localStorage.setItem('evil', '1');
                document.cookie = 'evil=1; domain=localhost; path=/; max-age=9999';
                Promise.all(attempts).then((results) => { window.results = results.join(''); });
            }
            """
        for (name, text) in [
            (".sluice/x", ""), ("index.html", "<body><script src=gallery/gallery.js></script>"), ("sw.js", evil),
            ("gallery/gallery.js", evil), ("gallery/data/1.js", evil),
            ("originals/evil.html", "<script>parent.pwned = 1</script>"),
        ] {
            let url = URL(filePath: "\(hostile)/\(name)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        var serving = MirrorServer.Options()
        serving.port = 0
        let first = try MirrorServer(hostile, options: serving)
        let address = try #require(URL(string: first.address))
        serving.port = UInt16(try #require(address.port))
        try await mirrorDemo(pages: 1, photos: 6)
        try await withBrowser { browser in
            let shared = "http://127.0.0.1:\(serving.port)/"
            try await browser.open(shared)
            try await browser.wait(for: "window.results !== undefined")
            #expect(try await browser.value("window.results") == "")
            #expect(try await browser.value("location.href") == first.address)
            first.stop()
            let second = try MirrorServer(temporary.path("mirror"), options: serving)
            defer { second.stop() }
            #expect(second.address != first.address)
            try await browser.open(shared)
            try await browser.wait(for: "document.querySelectorAll('#grid .tile img.there').length === 6")
            #expect(try await browser.value("location.href") == second.address)
            #expect(try await browser.value("navigator.serviceWorker.controller === null"))
            #expect(try await browser.value("localStorage.length + document.cookie.length") == 0)
            let registrations: Int = try await browser.value(
                "navigator.serviceWorker.getRegistrations().then((all) => all.length)")
            #expect(registrations == 0)
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
