// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Cursors of a ledger that someone else wrote.
@Suite("Forged cursors", .timeLimit(.minutes(10))) struct ForgedCursorTests {
    /// `$` stands for another origin, and `%` for that of SOURCE.
    private static let cursors = [
        "$/steal", "//$/steal", "pages\n0 0 $/steal", "pages\n0 0 %/page\n0 1 $/steal",
        "pages\n0 0 $/steal\n0 1 %/page",
        "pages\n9223372036854775807 9223372036854775807 %/page", "pages\n-9223372036854775808 -1 %/page", "pages\n",
        "pages\n0 0 $/steal\n9223372036854775807 0 %/page",
        "oai\n$/steal", "oai\n&verb=x#$/steal", "iiif\n$/steal", "iiif\n9223372036854775807", "list\n$/steal",
        "list\n-9223372036854775808", "list\n9223372036854775807", "$/steal\n%/list", "%/list\n$/steal",
        "foreign $/steal", "$/steal\n", "0\n$/steal", "-9223372036854775808", "9223372036854775807", "", "\n", "0",
        "%@$/steal", "%/list?p=9223372036854775807&n=9223372036854775807",
    ]

    private static func reply(_ body: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    private static let feed = """
        <feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>\
        <link rel='enclosure' type='image/jpeg' href='/1.jpg'/></entry></feed>
        """
    private static let replies = [
        "/list": #"{"items":[{"id":"1","url":"http://i.test/1"}],"next":"/list?p=2"}"#, "/feed": feed,
        "/page": "<img src=/1.jpg width=400 height=400><a href=/page>a</a>", "/list.csv": "url\nhttp://i.test/1.jpg\n",
        "/iiif": #"{"type":"Collection","items":[]}"#, "/oai": "<OAI-PMH><error code='noRecordsMatch'/></OAI-PMH>",
    ]

    /// Opens a feed as a run does, with a secret for the origin of its source.
    private func feed(_ kind: String, at home: RawServer) throws -> any Feed {
        var options = TransferOptions(userAgent: "Sluice/test")
        options.retry.retries = 0
        options.addressGuard.allowsPrivate = true
        options.addressGuard.ports = Set(1...65535)
        options.secrets = [Secret(header: "X-Key: canary", for: try #require(WebAddress(home.url("/"))))]
        guard ["by", "tree"].contains(kind) else {
            let place = ["iiif", "oai"].contains(kind) ? "\(kind):" : ""
            let name = kind == "list" ? "list.csv" : kind
            let source = try Source(place + home.url("/\(name)"))
            return try source.feeds(through: Transfers(options), options: FeedOptions())[0].feed
        }
        let paging = kind == "tree" ? #"{"by":"tree","path":"more[]"}"# : #"{"by":"url","path":"next"}"#
        let source = try RecipeSource(
            recipe(
                """
                {"recipe":"x","base":"\(home.url(""))","listings":{"all":{"path":"/list"}},"paging":\(paging),
                "records":"items","photo":{"id":"id"},"variants":{"full":"url"},
                "key":{"environment":"X_KEY","from":"https://a.test/","header":"X-Key"}}
                """), "")
        let access = source.recipe.key?.access(to: source.recipe, key: "canary")
        return source.feed(through: Transfers(options), options: FeedOptions(), access: access)
    }

    @Test(
        "A feed that is opened at a forged cursor requests nothing at another origin",
        arguments: ["by", "tree", "feed", "page", "iiif", "oai", "list"])
    func elsewhere(kind: String) async throws {
        let home = try RawServer(Self.replies.mapValues(Self.reply))
        let other = try RawServer(["/steal": Self.reply(Self.feed)])
        for text in Self.cursors {
            let cursor = text.replacing("$", with: other.url("")).replacing("%", with: home.url(""))
            // Some cursors only end the feed.
            _ = try? await feed(kind, at: home).page(2, at: Cursor(rawValue: cursor), token: CancellationToken())
        }
        #expect(other.requests.isEmpty, "\(other.requests)")
    }

    @Test("The failure names the address and the source", arguments: ["by", "tree", "feed", "page"])
    func message(kind: String) async throws {
        let home = try RawServer(Self.replies.mapValues(Self.reply))
        let other = try RawServer([:])
        let prefix = kind == "page" ? "pages\n0 0 " : ""
        let failure = await #expect(throws: Failure.self) {
            try await feed(kind, at: home).page(
                2, at: Cursor(rawValue: prefix + other.url("/steal")), token: CancellationToken())
        }
        let source = ["by", "tree"].contains(kind) ? home.url("") : home.url("/\(kind)")
        #expect(
            failure
                == Failure(
                    .crossOriginNext,
                    "the ledger of this mirror continues at \(other.url("/steal")), which is not at the origin of \(source)"
                ))
    }

    @Test("A feed continues at the origin to which its source redirects, without the secrets of the source")
    func redirected() async throws {
        let moved = try RawServer(["/feed": Self.reply(Self.feed), "/feed?p=2": Self.reply(Self.feed)])
        let home = try RawServer([
            "/feed": [.text("HTTP/1.1 301 Moved\r\nLocation: \(moved.url("/feed"))\r\nContent-Length: 0\r\n\r\n")]
        ])
        let page = try await feed("feed", at: home).page(
            2, at: Cursor(rawValue: moved.url("/feed?p=2")), token: CancellationToken())
        #expect(page.photos.map(\.id) == ["1"])
        #expect(home.requests.count == 1 && home.requests[0].contains("X-Key: canary"))
        #expect(moved.requests.count == 2 && moved.requests.allSatisfy { !$0.contains("canary") })
    }
}
