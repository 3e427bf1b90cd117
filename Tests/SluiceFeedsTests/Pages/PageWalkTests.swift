// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Walks web pages and site maps on a server with fixed replies.
@Suite("Walks of web pages", .timeLimit(.minutes(10))) struct PageWalkTests {
    private func reply(_ body: String, _ type: String = "text/html", headers: String = "") -> [RawServer.Step] {
        [
            .text(
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        ]
    }

    private func feed(_ address: String, _ change: (inout FeedOptions) -> Void = { _ in }) throws -> any Feed {
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = 0
        var options = FeedOptions()
        change(&options)
        let source = try #require(try SyndicationSource(address))
        transferOptions.addressGuard.trust(source.trustedAddresses.compactMap { WebAddress($0) }, writtenBy: .user)
        return source.feed(through: Transfers(transferOptions), options: options)
    }

    /// Returns the paths of the photos, the notes, and the failure that ended the walk.
    private func walk(
        _ server: RawServer, _ path: String, _ change: (inout FeedOptions) -> Void = { _ in }
    ) async throws -> (photos: [String], notes: [String], failure: Failure?) {
        let (pages, failure) = await SluiceFeedsTests.walk(try feed(server.url(path), change))
        let photos = pages.flatMap(\.photos).map { $0.id.replacing(server.url(""), with: "") }
        return (photos, pages.flatMap(\.notes), failure)
    }

    @Test("Follows the next page, ends at a page that was read, and counts the pictures that are left out")
    func paging() async throws {
        let server = try RawServer([
            "/x": reply("<img src=/1.jpg><img src=i.png width=9><link rel=next href='/x?p=2'>"),
            "/x?p=2": reply("<img src=/1.jpg><img src=/2.jpg><link rel=next href=/x>"),
        ])
        let (photos, notes, failure) = try await walk(server, "/x")
        #expect(photos == ["/1.jpg", "/2.jpg"] && failure == nil && notes == ["left out 1 small image"])
    }

    @Test("Reads linked pages of the same origin to the depth, each once, and reports those that fail")
    func depth() async throws {
        let other = try RawServer([:])
        let server = try RawServer([
            "/": reply(
                "<img src=/0.jpg><a href=a>a</a><a href=b>b</a><a href='\(other.url("/"))'>c</a><a href=gone>d</a>"),
            "/a": reply("<img src=/1.jpg><a href=/>home</a><a href=deep>deep</a>"),
            "/b": reply("<img src=/0.jpg><img src=/2.jpg>"), "/deep": reply("<img src=/3.jpg>"),
        ])
        #expect(try await walk(server, "/").photos == ["/0.jpg"])
        let (photos, notes, failure) = try await walk(server, "/") { $0.depth = 1 }
        #expect(photos == ["/0.jpg", "/1.jpg", "/2.jpg"] && failure == nil)
        #expect(notes.count == 1 && notes[0].contains("/gone") && notes[0].contains("404"), "\(notes)")
        #expect(try await walk(server, "/") { $0.depth = 2 }.photos == ["/0.jpg", "/1.jpg", "/3.jpg", "/2.jpg"])
        #expect(other.requests.isEmpty)
    }

    @Test("Resumes at a cursor below the root")
    func resumed() async throws {
        let server = try RawServer([
            "/": reply("<img src=/0.jpg><a href=a>a</a><a href=b>b</a>"), "/a": reply("<img src=/1.jpg>"),
            "/b": reply("<img src=/2.jpg>"),
        ])
        let token = CancellationToken()
        let first = try await feed(server.url("/")) { $0.depth = 1 }.page(1, at: nil, token: token)
        let second = try await feed(server.url("/")) { $0.depth = 1 }.page(2, at: first.next, token: token)
        let third = try await feed(server.url("/")) { $0.depth = 1 }.page(3, at: second.next, token: token)
        #expect(second.photos.map(\.id) == [server.url("/1.jpg")] && third.photos.map(\.id) == [server.url("/2.jpg")])
        #expect(third.next == nil)
    }

    @Test("robots.txt, headers and elements forbid reading pages and taking pictures")
    func robots() async throws {
        let server = try RawServer([
            "/robots.txt": reply("User-agent: *\nDisallow: /no\n", "text/plain"), "/no": reply("<img src=/1.jpg>"),
            "/tag": reply("<img src=/1.jpg>", headers: "X-Robots-Tag: noimageindex\r\n"),
            "/": reply("<img src=/0.jpg><a href=/no>no</a>"),
        ])
        #expect(try await walk(server, "/no").failure?.cause == .optedOut)
        #expect(try await walk(server, "/no") { $0.respectsRobotsTxt = false }.photos == ["/1.jpg"])
        #expect(try await walk(server, "/no").failure?.hint == .ignoreRobots)
        let deeper = try await walk(server, "/") { $0.depth = 1 }
        #expect(deeper.photos == ["/0.jpg"] && deeper.notes.first?.contains("robots.txt") == true)
    }

    /// A page that the user named was refused, and no message named the option.
    @Test("Rules for robots are recorded with the photos of a named page, and respected on pages that it leads to")
    func purposes() async throws {
        let tag = "X-Robots-Tag: noimageindex\r\n"
        let server = try RawServer([
            "/": reply(
                "<meta name=robots content=noai><img src=/0.jpg><a href=a>a</a><link rel=next href=/2>", headers: tag),
            "/a": reply("<img src=/1.jpg>", headers: tag), "/2": reply("<img src=/2.jpg>", headers: tag),
        ])
        let first = try await feed(server.url("/")) { $0.depth = 1 }.page(1, at: nil, token: CancellationToken())
        #expect(first.photos.map(\.usage) == ["page robots: noimageindex, noai"])
        #expect(UsageTerms(text: first.photos[0].usage ?? "").reservesTraining)
        let (photos, notes, failure) = try await walk(server, "/") { $0.depth = 1 }
        #expect(photos == ["/0.jpg"] && failure == nil)
        #expect(notes.count == 3 && notes[0].contains("`export` leaves"), "\(notes)")
        #expect(notes[1...].allSatisfy { $0.contains("(noimageindex); --ignore-opt-out") }, "\(notes)")
        let all = try await walk(server, "/") { ($0.depth, $0.respectsOptOut) = (1, false) }.photos
        #expect(all == ["/0.jpg", "/1.jpg", "/2.jpg"])
    }

    @Test("A page without photos says so, and whether its scripts may show some")
    func empty() async throws {
        let server = try RawServer([
            "/script": reply("<script src=app.js></script><div id=app></div>"), "/plain": reply("<p>hello"),
        ])
        let script = try await walk(server, "/script").failure
        #expect(script?.cause == .scripts && script?.detail.contains("without its scripts") == true)
        #expect(try await walk(server, "/plain").failure?.detail == "there are no photos here")
    }

    @Test("Site maps give the pictures of their pages; indexes and robots.txt lead to site maps")
    func siteMaps() async throws {
        let map = """
            <?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
            xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>https://a.test/page</loc>
            <image:image><image:loc>https://a.test/1.jpg</image:loc><image:caption>One</image:caption></image:image>
            <image:image><image:loc>https://a.test/logo.svg</image:loc></image:image></url></urlset>
            """
        let server = try RawServer(["/map.xml": reply(map, "application/xml")])
        #expect(try await walk(server, "/map.xml").photos == ["https://a.test/1.jpg"])
        let index = try RawServer([
            "/map.xml": reply(map, "text/xml"), "/empty.xml": reply("<urlset/>", "text/xml"),
            "/robots.txt": reply("User-agent: *\nDisallow:\nSitemap: /index.xml\n", "text/plain"),
            "/index.xml": reply(
                "<sitemapindex><sitemap><loc>MAP/empty.xml</loc></sitemap><sitemap><loc>MAP/map.xml</loc></sitemap></sitemapindex>",
                "text/xml"),
        ])
        // The addresses in an index are absolute, so the index of this test leads nowhere.
        #expect(try await walk(index, "/robots.txt").failure?.detail == "there are no photos here")
        let document = try SiteMap.document(
            Array("<sitemapindex><sitemap><loc>https://a.test/m.xml</loc></sitemap></sitemapindex>".utf8),
            followsLinks: false, token: CancellationToken())
        #expect(document.links.map(\.address) == ["https://a.test/m.xml"] && document.links.allSatisfy { !$0.isDeeper })
    }

    @Test("A site map without pictures names the pages that can be read")
    func pagesOnly() async throws {
        let server = try RawServer([
            "/map.xml": reply("<urlset><url><loc>https://a.test/1</loc></url></urlset>", "text/xml")
        ])
        let failure = try await walk(server, "/map.xml").failure
        #expect(failure?.detail == "the site map lists 1 page and no pictures; a depth of 1 reads the pages")
    }

    @Test("A saved page is read with its base or its canonical address")
    func saved() async throws {
        let file = try TemporaryList(
            "<!DOCTYPE html><link rel=canonical href=https://a.test/x/><img src=1.jpg>", named: "page.html")
        let page = try await Source(file.path).feeds(
            through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions()
        )[0].feed.page(1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["https://a.test/x/1.jpg"] && page.next == nil)
        let bare = try TemporaryList("<!DOCTYPE html><img src=1.jpg>", named: "bare.html")
        let failure = await #expect(throws: Failure.self) {
            try await Source(bare.path).feeds(
                through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions()
            )[0].feed.page(1, at: nil, token: CancellationToken())
        }
        #expect(failure?.detail.contains("<base href=") == true)
    }

    /// A browser saves pictures in a folder beside the page, and changes their addresses to that folder.
    @Test("A saved page names the folder that has its pictures, as an error or as a note beside other pictures")
    func savedFolder() async throws {
        let folder = TemporaryFolder()
        try folder.write([1], named: Array("The lake_files/a.jpg".utf8))
        func page(_ html: String) async throws -> Page {
            try folder.write(Array("<!DOCTYPE html>\(html)".utf8), named: Array("The lake.html".utf8))
            return try await Source(folder.path("The lake.html")).feeds(
                through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions()
            )[0].feed.page(1, at: nil, token: CancellationToken())
        }
        let pictures = "<img src='./The%20lake_files/a.jpg'><img src='./The%20lake_files/b.jpg'>"
        let failure = await #expect(throws: Failure.self) { try await page(pictures) }
        let text = "2 pictures of the saved page may be in the folder beside it; name the folder as SOURCE: "
        #expect(failure?.detail == "\(text)'\(folder.path("The lake_files"))'")
        let other = try await page("<img src=https://a.test/1.jpg>" + pictures)
        #expect(other.photos.map(\.id) == ["https://a.test/1.jpg"] && other.notes.first?.hasPrefix(text) == true)
        // An encoded slash or point named '/etc' and '..'.
        for picture in ["x/a.jpg", "%2Fetc/x.jpg", "%2fetc%2Fx.jpg", "%2e%2e/x.jpg", ".%2e/x.jpg", "./%2E%2e/x.jpg"] {
            #expect(try await page("<img src=https://a.test/1.jpg><img src='\(picture)'>").notes.isEmpty, "\(picture)")
        }
        let encoded = try await page("<img src=https://a.test/1.jpg><img src='The%20lake_files%2Fa.jpg'>")
        #expect(encoded.notes.first?.hasPrefix("1 picture of the saved page") == true)
    }

    @Test("A saved part of a page and a JSON Feed with a late version are no lists")
    func savedParts() async throws {
        func photos(_ bytes: [UInt8], _ name: String) async throws -> [String] {
            let file = try TemporaryList(bytes, named: name)
            return try await Source(file.path).feeds(
                through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions()
            )[0].feed.page(1, at: nil, token: CancellationToken()).photos.map { $0.variants[0].url }
        }
        let picture = "https://a.test/1.jpg"
        #expect(try await photos(Array("<div><img src='\(picture)'></div>".utf8), "part.html") == [picture])
        let text = String(repeating: "x", count: 5000)
        let feed = """
            {"title":"T","items":[{"id":"1","content_text":"\(text)","image":"\(picture)"}],
            "version":"https://jsonfeed.org/version/1.1"}
            """
        #expect(try await photos(Array(feed.utf8), "feed.json") == [picture])
    }

    @Test("What became of each picture is explained, with the evidence and its weights")
    func explained() async throws {
        let server = try RawServer([
            "/": reply("<figure><img src=/1.jpg></figure><img src=/1.jpg?w=900><img src=/logo.png><img src=/x.svg>")
        ])
        let (_, notes, _) = try await walk(server, "/") { $0.explainsPictures = true }
        let texts = notes.map { $0.replacing(server.url(""), with: "") }
        #expect(texts.contains("photo: /1.jpg (shown or linked +1, in a figure +2, a format of photos +1)"), "\(texts)")
        #expect(texts.contains { $0.hasPrefix("another rendition: /1.jpg?w=900, of /1.jpg (") })
        #expect(texts.contains("left out, 1 icon: /logo.png (shown or linked +1, a name of decoration -6)"), "\(texts)")
        #expect(texts.contains("left out, 1 drawing: /x.svg"), "\(texts)")
    }

    /// An index of old galleries gave its thumbnails as photos, and both with `--depth 1`.
    @Test("An index gives the photos behind its thumbnails, and a thumbnail only if its page cannot be read")
    func details() async throws {
        func view(_ number: Int) -> [RawServer.Step] {
            reply(
                "<img src=/nav.gif><img src=/photos/\(number).jpg alt='Photo \(number)'><a href=/view4.html><img src=/t4.jpg></a>"
            )
        }
        let index = (1...4).map { "<a href=view\($0).html><img src=/t\($0).jpg></a>" }.joined() + "<img src=/hero.jpg>"
        let server = try RawServer([
            "/": reply(index), "/view1.html": view(1), "/view2.html": view(2), "/view3.html": view(3),
            "/two": reply("<a href=view1.html><img src=/t1.jpg></a><a href=view2.html><img src=/t2.jpg></a>"),
            "/article": reply("<meta property=og:type content=article>" + index),
            "/small": reply(
                "<title>Index of pictures</title>"
                    + index.replacing("<img src=/t", with: "<img width=113 height=75 src=/t")),
            "/large": reply(index.replacing("<img ", with: "<img width=900 ")),
        ])
        let photos = ["/photos/1.jpg", "/photos/2.jpg", "/photos/3.jpg", "/t4.jpg", "/hero.jpg"]
        #expect(try await walk(server, "/").photos == photos)
        #expect(try await walk(server, "/") { $0.depth = 1 }.photos == photos + ["/nav.gif"])
        let thumbnails = ["/t1.jpg", "/t2.jpg", "/t3.jpg", "/t4.jpg", "/hero.jpg"]
        #expect(try await walk(server, "/") { $0.readsDetails = false }.photos == thumbnails)
        #expect(try await walk(server, "/small").photos == [photos[4]] + photos[..<4])
        #expect(try await walk(server, "/two").photos == ["/t1.jpg", "/t2.jpg"])
        #expect(try await walk(server, "/article").photos == thumbnails)
        #expect(try await walk(server, "/large").photos == thumbnails)
    }

    @Test(
        "A page in place of photos says what it is",
        arguments: [
            ("<input type=password>", Cause.login), ("<title>Just a moment...</title><script></script>", .challenge),
            ("<script src=https://x.captcha-delivery.com/c.js></script>", .challenge),
            (#"<script type=application/ld+json>{"@graph":[{"isAccessibleForFree":"False"}]}</script>"#, .paywall),
            ("<div id=app></div><script src=app.js></script>", .scripts), ("<p>hello", .feedParse),
        ])
    func absence(html: String, cause: Cause) async throws {
        let server = try RawServer(["/": reply(html)])
        let failure = try await walk(server, "/").failure
        #expect(failure?.cause == cause && failure?.hint != nil, "\(html): \(String(describing: failure))")
    }

    /// The hero image of a login page was a photo, and the run a success.
    @Test("A page that a redirect shows in place of another gives no photos")
    func replacement() async throws {
        func redirect(_ target: String) -> [RawServer.Step] {
            [.text("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")]
        }
        let form = "<img src=/hero.jpg><input type=password>"
        let server = try RawServer([
            "/private": redirect("/login"), "/login": reply(form), "/other": redirect("/start?next=%2Fother"),
            "/start?next=%2Fother": reply(form), "/wall": redirect("/consent/x"),
            "/consent/x": reply("<img src=/a.jpg>"),
            "/moved": redirect("/here"), "/here": reply(form),
        ])
        let login = try await walk(server, "/private").failure
        #expect(login?.cause == .login, "\(String(describing: login))")
        #expect(try await walk(server, "/other").failure?.cause == .login)
        #expect(try await walk(server, "/wall").failure?.cause == .consent)
        #expect(try await walk(server, "/moved").photos == ["/hero.jpg"], "many pages have a hidden login")
        #expect(try await walk(server, "/login").photos == ["/hero.jpg"], "the user asked for this page")
    }

    @Test(
        "A file of another kind is named",
        arguments: [
            ("%PDF-1.7", "application/pdf", "PDF"), ("PK\u{3}\u{4}", "application/octet-stream", "ZIP archive"),
            ("#EXTM3U\n", "text/plain", "playlist"), ("d8:announce3:x", "application/octet-stream", "torrent"),
            ("\u{0}\u{0}\u{0}\u{18}ftypmp42", "video/mp4", "video"), ("p { }", "text/css", "style sheet"),
        ])
    func foreign(body: String, type: String, name: String) async throws {
        let server = try RawServer(["/": reply(body, type)])
        let failure = try await walk(server, "/").failure
        #expect(
            failure?.cause == .wrongType && failure?.detail.contains(name) == true, "\(String(describing: failure))")
    }

    @Test("Frames are parts of their page, and a page that loads another one continues there")
    func framesAndRefreshes() async throws {
        let other = try RawServer([:])
        let server = try RawServer([
            "/frames": reply("<html><frameset cols='1,2'><frame src=menu.html><frame src='/main.html'></frameset>"),
            "/menu.html": reply("<a href=/deep.html>x</a>"), "/main.html": reply("<img src=/1.jpg>"),
            "/old": reply("<meta http-equiv=Refresh content='0; URL=/new'><p>moved"), "/new": reply("<img src=/2.jpg>"),
            "/self": reply("<meta http-equiv=refresh content=300><img src=/3.jpg>"),
            "/away": reply("<meta http-equiv=refresh content='0;url=\"\(other.url("/x"))\"'>"),
        ])
        #expect(try await walk(server, "/frames").photos == ["/1.jpg"])
        #expect(try await walk(server, "/old").photos == ["/2.jpg"])
        #expect(try await walk(server, "/self").photos == ["/3.jpg"])
        let failure = try await walk(server, "/away").failure
        #expect(
            failure?.detail == "the page leads to \(other.url("/x")), which is at another origin; name that address")
    }
}
