// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import TestSupport
import Testing

/// A site behind a login, whose pages and photos need a cookie.
@Suite("Sessions", .timeLimit(.minutes(10))) struct SessionTests {
    private static let cookie = "canary-session-4711"

    private let folder = TemporaryFolder()
    /// The value of the cookie that the site accepts now.
    private let valid = Locked(cookie)
    private let site: RawServer
    /// A host of someone else, whose photo is on the site's page.
    private let other: RawServer
    /// How often each photo was sent.
    private let sent: Locked<[String: Int]>

    init() throws {
        let pictures = try DemoPictures(4, in: folder)
        let (valid, sent) = (valid, Locked<[String: Int]>([:]))
        self.sent = sent
        let login = Self.reply("200 OK", "<form><input name=p type=\"password\"></form>", "text/html")
        func guarded(_ path: String, _ bytes: @escaping @Sendable () -> [UInt8]) -> [RawServer.Step] {
            [
                .reply { head in
                    guard head.lowercased().contains("cookie: sid=\(valid.withLock { $0 })\r\n") else {
                        return Self.reply("302 Found", "", "text/html", more: "Location: /login?next=\(path)\r\n")
                    }
                    sent.withLock { $0[path, default: 0] += 1 }
                    return bytes()
                }
            ]
        }
        other = try RawServer([DemoPictures.path(3): pictures.reply(3)], host: "127.0.0.2")
        let far = other.url(DemoPictures.path(3))
        let images = (0..<3).map { "<img src='\(DemoPictures.path($0))' width=900 height=600>" }.joined()
        let page = "<html><title>Album</title>\(images)<img src='\(far)' width=900 height=600></html>"
        var scripts = ["/album": guarded("/album") { Self.reply("200 OK", page, "text/html") }]
        for number in 0..<3 {
            let path = DemoPictures.path(number)
            let file = pictures.files[number]
            scripts[path] = guarded(path) { Self.reply("200 OK", "", "image/jpeg", body: file) }
            scripts["/login?next=\(path)"] = [.reply { _ in login }]
        }
        scripts["/login?next=/album"] = [.reply { _ in login }]
        let cookie = "Set-Cookie: sid=\(Self.cookie); Max-Age=86400; Path=/\r\n"
        scripts["/welcome"] = [.reply { _ in Self.reply("200 OK", "Welcome", "text/html", more: cookie) }]
        site = try RawServer(scripts)
    }

    private static func reply(
        _ status: String, _ text: String, _ type: String, more: String = "", body: [UInt8] = []
    ) -> [UInt8] {
        let body = Array(text.utf8) + body
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n\(more)\r\n"
        return Array(head.utf8) + body
    }

    private func run(_ more: [String], cookies value: String? = cookie) throws -> Binary.Result {
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t\(value ?? "")\n", to: "cookies.txt")
        let network = ["--allow-private", "--no-robots", "--retries", "0", "--min-size", "1x1"]
        let ports = [site, other].flatMap { ["--allow-port", "\($0.port)"] }
        let cookies = value == nil ? [] : ["--cookies", "cookies.txt"]
        return try Binary.run(
            ["mirror", site.url("/album"), "-o", "m", "--sizes", "none"] + network + ports + cookies + more,
            folder: folder.url)
    }

    @Test("Photos behind a login are mirrored, and the cookie goes to its own host only and into no file")
    func login() throws {
        let result = try run(["--warc", "m.warc", "--trace", "t.json", "--json"])
        try result.require()
        #expect(sent.withLock { $0.values.reduce(0, +) } == 4)
        #expect(!other.requests.isEmpty && !other.requests.contains { $0.lowercased().contains("cookie") })
        try folder.remove("cookies.txt")
        let files = folder.names().filter { !$0.hasSuffix(".jpg") && folder.contains($0) }
        #expect(files.contains { $0.hasSuffix(".warc") } && files.contains("m/manifest.jsonl"))
        for file in files {
            guard let bytes = try? Data(contentsOf: folder.url.appending(path: file)) else { continue }
            #expect(bytes.range(of: Data(Self.cookie.utf8)) == nil, "\(file)")
        }
        #expect(!(result.out + result.err).contains(Self.cookie))
    }

    @Test("A session that ends in the middle stops the run, and fresh cookies continue it")
    func ends() throws {
        try run([]).require()
        valid.withLock { $0 = "another" }
        // A photo is missing, and the page that lists it asks for a login now.
        let ended = try run(["--refresh"])
        #expect(ended.code == 4, "\(ended)")
        #expect(ended.err.contains("127.0.0.1:\(site.port) asks for a login") || ended.err.contains("asks for a login"))
        #expect(ended.err.contains("--cookies"), "\(ended)")
        let before = sent.withLock { $0 }
        try run([], cookies: "another").require()
        // Only the page was sent again.
        #expect(sent.withLock { $0.filter { $0.key != "/album" } } == before.filter { $0.key != "/album" })
    }

    @Test("A photo that leads to the login ends the run with its own cause, and the next run gets the rest")
    func photoEnds() throws {
        // The list of addresses is the user's own.
        try folder.write((0..<3).map { site.url(DemoPictures.path($0)) + "\n" }.joined(), to: "list.txt")
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\told\n", to: "old.txt")
        let words =
            ["mirror", "list.txt", "-o", "l", "--sizes", "none", "--allow-private", "--no-robots", "--retries", "0"]
            + ["--per-host", "1", "--allow-port", "\(site.port)", "--cookies"]
        let ended = try Binary.run(words + ["old.txt"], folder: folder.url)
        #expect(ended.code == 4 && ended.err.contains("asks for a login"), "\(ended)")
        let manifest = try folder.text("l/manifest.jsonl")
        #expect(manifest.contains(#""cause":"session-ended""#), "\(manifest)")
        try folder.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t\(Self.cookie)\n", to: "new.txt")
        try Binary.run(words + ["new.txt"], folder: folder.url).require()
        #expect(sent.withLock { $0.values.sorted() } == [1, 1, 1])
    }

    private static let chromium = "/usr/bin/chromium"

    @Test(
        "The cookies that Chromium has stored are read from its profile",
        .enabled(if: Browser.isWanted, "chromium and chromedriver are not installed (Scripts/setup --browser)"))
    func browser() throws {
        let profile = folder.path("home/.config/chromium")
        let browser = try Running(
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--password-store=basic", "--user-data-dir=\(profile)",
                "--dump-dom", site.url("/welcome"),
            ], program: Self.chromium, environment: ["HOME": folder.path("home")], limit: 240
        ).end()
        try #require(browser.out.contains("Welcome"), "\(browser)")
        let words = ["mirror", site.url("/album"), "-o", "b", "--sizes", "none", "--cookies-from-browser", "chromium"]
        let ports = [site, other].flatMap { ["--allow-port", "\($0.port)"] }
        let run = try Running(
            words + ["--allow-private", "--no-robots"] + ports, environment: ["HOME": folder.path("home")],
            folder: folder.url
        ).end()
        #expect(run.code == 0 && sent.withLock { $0.values.reduce(0, +) } == 4, "\(run)")
    }

    @Test("Without cookies, and with cookies for a mirror of someone else, nothing is sent")
    func refused() throws {
        #expect(try run([], cookies: nil).code != 0)
        #expect(sent.withLock { $0.isEmpty })
        let both = try run(["--cookies-from-browser", "firefox"])
        #expect(both.code == 2 && both.err.contains("not from both"), "\(both)")
    }
}
