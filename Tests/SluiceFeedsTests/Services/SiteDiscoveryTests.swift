// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// Finds the service of a site whose address is not the usual one.
@Suite("Services of sites", .timeLimit(.minutes(10))) struct SiteDiscoveryTests {
    private static let reply = """
        {"continue":{"gcmcontinue":"2"},"query":{"pages":[{"pageid":7,"title":"File:A.jpg",
        "imageinfo":[{"url":"https://i.test/a.jpg","mime":"image/jpeg"}]}]}}
        """

    private struct Result {
        var page: Page?
        var failure: Failure?
        var paths: [String]
    }

    /// Loads the first page of a source, or the one at a cursor, from a site that serves `documents`.
    private func read(_ text: String, at cursor: Cursor? = nil, _ documents: [String: String]) async throws -> Result {
        let stub = ServiceStub { request in
            guard let document = documents[String(request.path.prefix { $0 != "?" })] else {
                return .text("<html>Not found", status: 404)
            }
            return document.hasPrefix("<") ? .text(document) : .json(document)
        }
        let origin = try OriginServer(stub)
        var options = TransferOptions(userAgent: "Sluice/test")
        options.loopbackPorts = ["wiki.test": origin.port]
        options.retry.retries = 0
        let source = try #require(try RecipeSource(text))
        let feed = try source.feed(through: Transfers(options), options: FeedOptions())
        var (page, failure): (Page?, Failure?) = (nil, nil)
        do throws(Failure) {
            page = try await feed.page(1, at: cursor, token: CancellationToken())
        } catch { failure = error }
        return Result(
            page: page, failure: failure, paths: stub.requests.map { String($0.path.prefix { $0 != "?" }) })
    }

    @Test(
        "MediaWiki: the page's link to the API, or else the usual places",
        arguments: [
            ("<link rel='EditURI' href='//wiki.test/php/api.php?action=rsd'>", "/php/api.php"),
            ("<link rel='EditURI' href='/xmlrpc.php?rsd'>", "/api.php"), ("<p>No link</p>", "/wiki/api.php"),
            ("<link rel='EditURI' href='http://other.test/api.php'>", "/api.php"),
        ])
    func mediawiki(html: String, api: String) async throws {
        let documents = ["/": "<html>\(html)", api: Self.reply]
        let found = try await read("mediawiki:http://wiki.test/category/Lakes", documents)
        let page = try #require(found.page, "\(String(describing: found.failure))")
        #expect(page.photos.map(\.id) == ["7"] && page.notes.first == "mediawiki is at http://wiki.test\(api)")
        #expect(found.paths.first == "/w/api.php" && found.paths.last == api)
        let next = try #require(page.next)
        #expect(next.rawValue.hasPrefix("http://wiki.test\(api)?") && next.rawValue.contains("gcmcontinue=2"))
        let resumed = try await read("mediawiki:http://wiki.test/category/Lakes", at: next, documents)
        #expect(resumed.page?.photos.map(\.id) == ["7"] && resumed.paths == ["/", api])
    }

    @Test("The usual address needs no further request, and its other failures are not searched elsewhere")
    func usual() async throws {
        let found = try await read("mediawiki:http://wiki.test/category/Lakes", ["/w/api.php": Self.reply])
        #expect(found.page?.photos.count == 1 && found.page?.notes.isEmpty == true && found.paths == ["/w/api.php"])
        let busy = #"{"error":{"code":"ratelimited","info":"Later"}}"#
        let limited = try await read("mediawiki:http://wiki.test/category/Lakes", ["/w/api.php": busy])
        #expect(limited.failure?.cause == .httpTooManyRequests && limited.paths == ["/w/api.php"])
        let none = try await read("mediawiki:http://wiki.test/category/Lakes", ["/": "<html>"])
        #expect(none.failure?.status == 404 && none.paths.count == 5)
    }

    @Test(
        "A page's address is a source: a category, a file, or the files of a page",
        arguments: [
            ("wiki/Category:Big_lakes", "gcmtitle", "Category:Big lakes"),
            ("w/index.php?title=Kategorie:Seen&x=1", "gcmtitle", "Category:Seen"),
            ("index.php/Datei:A_b.jpg", "titles", "File:A b.jpg"), ("wiki/Lake/History#a", "titles", "Lake/History"),
            ("wiki/%C3%85", "titles", "Å"), ("Lake", "titles", "Lake"),
        ])
    func pages(path: String, parameter: String, value: String) throws {
        let source = try #require(try RecipeSource("mediawiki:https://wiki.test/\(path)"))
        let address = source.feed(
            through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions(), access: nil
        )
        .firstAddress.text
        #expect(PageAddress.value(of: parameter, in: address) == value.percentEncoded())
        #expect(address.hasPrefix("https://wiki.test/w/api.php?"))
    }

    @Test("WordPress: a site in a folder states its service, and one without rewriting none")
    func wordpress() async throws {
        let reply = #"[{"id":1,"media_type":"image","source_url":"https://i.test/a.jpg"}]"#
        let link = "<link rel='https://api.w.org/' href='http://wiki.test/blog/wp-json/'>"
        let found = try await read(
            "wordpress:http://wiki.test/media", ["/": link, "/blog/wp-json/wp/v2/media": reply])
        #expect(found.page?.photos.map(\.id) == ["1"])
        let query = "<link rel='https://api.w.org/' href='http://wiki.test/index.php?rest_route=/'>"
        let none = try await read("wordpress:http://wiki.test/media", ["/": query])
        #expect(none.failure?.status == 404)
    }

    @Test("A recipe with a key does not let a page name the host of the service")
    func key() {
        #expect(throws: InvalidRecipe.self) {
            try recipe(
                """
                {"recipe":"x","base":"https://{site}/api","discover":{"rel":"api"},"key":{"environment":"X_KEY",
                "from":"https://a.test","query":"key"},"listings":{"all":{"path":"/"}},"photo":{"id":"id"},
                "variants":{"full":"url"}}
                """)
        }
    }

    @Test("A note names the source of a wiki's page")
    func advice() async throws {
        let stub = ServiceStub { _ in
            .text("<html><link rel='EditURI' href='/api.php?action=rsd'><img src='/a.jpg'>")
        }
        let origin = try OriginServer(stub)
        var options = TransferOptions(userAgent: "Sluice/test")
        options.loopbackPorts = ["wiki.test": origin.port]
        let feed = try Source("http://wiki.test/wiki/Lake").feeds(through: Transfers(options), options: FeedOptions())[
            0
        ].feed
        let page = try await feed.page(1, at: nil, token: CancellationToken())
        #expect(
            page.notes.contains { $0.hasPrefix("try the source 'mediawiki:http://wiki.test/wiki/Lake'") },
            "\(page.notes)")
    }
}
