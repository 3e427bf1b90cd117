// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Loads feeds over HTTP from a server with fixed replies.
@Suite("Feeds over HTTP", .timeLimit(.minutes(10))) struct SyndicationFeedTests {
    private func reply(_ number: Int, next: String? = nil) -> [RawServer.Step] {
        let link = next.map { "<link rel='next' href='\($0)'/>" } ?? ""
        let body = """
            <feed xmlns='http://www.w3.org/2005/Atom'>\(link)<entry><id>\(number)</id>\
            <link rel='enclosure' type='image/jpeg' href='/\(number).jpg'/></entry></feed>
            """
        return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    /// Returns the ids of all pages, and the failure that ended the walk, if any.
    private func walk(_ server: RawServer, headers: [String] = []) async throws -> (ids: [String], failure: Failure?) {
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = 1
        transferOptions.retry.baseDelay = .milliseconds(1)
        let home = try #require(WebAddress(server.url("/feed")))
        transferOptions.secrets = headers.map { Secret(header: $0, for: home) }
        let source = try #require(try SyndicationSource(server.url("/feed")))
        transferOptions.addressGuard.trust(source.trustedAddresses.compactMap { WebAddress($0) }, writtenBy: .user)
        let (pages, failure) = await SluiceFeedsTests.walk(
            source.feed(through: Transfers(transferOptions), options: FeedOptions()))
        return (pages.flatMap(\.photos).map(\.id), failure)
    }

    @Test("Loads all pages with the user's headers")
    func pages() async throws {
        let server = try RawServer([
            "/feed": reply(1, next: "?page=2"), "/feed?page=2": reply(2, next: "/last"), "/last": reply(3),
        ])
        let (ids, failure) = try await walk(server, headers: ["X-Key: secret"])
        #expect(ids == ["1", "2", "3"] && failure == nil)
        #expect(server.requests.count == 3 && server.requests.allSatisfy { $0.contains("X-Key: secret") })
    }

    @Test("Reports a repeated page as a loop and does not request a next page on another host")
    func traps() async throws {
        let elsewhere = try RawServer(["/2": reply(2)])
        let server = try RawServer(["/feed": reply(1, next: "/2"), "/2": reply(2, next: "/2")])
        let loop = try await walk(server)
        #expect(loop.ids == ["1", "2"] && loop.failure?.cause == .paginationLoop)
        let leaving = try RawServer(["/feed": reply(1, next: elsewhere.url("/2"))])
        let (ids, failure) = try await walk(leaving)
        #expect(ids == ["1"] && failure?.cause == .crossOriginNext, "the page that was read counts")
        #expect(elsewhere.requests.isEmpty)
    }

    @Test(
        "Reports a reply that is not a feed with its cause",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>", Cause.feedParse),
            ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", .feedParse),
            ("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", .httpClientError(403)),
        ])
    func notAFeed(reply: String, cause: Cause) async throws {
        let server = try RawServer(["/feed": [.text(reply)]])
        #expect(try await walk(server).failure?.cause == cause)
    }

    @Test(
        "A web page without photos is named as one",
        arguments: ["<!DOCTYPE html><p>hi<br>", "<html><body/></html>", "\n<HTML lang=en>"])
    func webPage(text: String) async throws {
        let server = try RawServer([
            "/feed": [.text("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
        ])
        let failure = try await walk(server).failure
        #expect(failure?.detail == "there are no photos here" && failure?.hint == .chooseFeed)
    }

    @Test("The address of a photo is a feed with this photo")
    func photo() async throws {
        let server = try RawServer([
            "/feed": [.text("HTTP/1.1 200 OK\r\nContent-Type: Image/JPEG\r\nContent-Length: 3\r\n\r\nxyz")]
        ])
        let (ids, failure) = try await walk(server)
        #expect(ids == [server.url("/feed")] && failure == nil && server.requests.count == 1)
    }

    @Test("A page that fails ends the walk and keeps the photos before it")
    func failingPage() async throws {
        let server = try RawServer([
            "/feed": reply(1, next: "/2"), "/2": [.text("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n")],
        ])
        let (ids, failure) = try await walk(server)
        #expect(ids == ["1"] && failure?.cause == .httpServerError)
    }

    private func busyReply(_ status: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 \(status)\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n")]
    }

    @Test("Retries a page after status 429 or 503", arguments: ["429 Later", "503 Later"])
    func retries(status: String) async throws {
        let server = try RawServer(sequences: [
            "/feed": [busyReply(status), reply(1, next: "/2")], "/2": [busyReply(status), reply(2)],
        ])
        let (ids, failure) = try await walk(server)
        #expect(ids == ["1", "2"] && failure == nil && server.requests.count == 4)
    }

    @Test("Resumes at a cursor")
    func resumed() async throws {
        let server = try RawServer(["/feed": reply(1, next: "/2"), "/2": reply(2, next: "/3"), "/3": reply(3)])
        func feed() throws -> any Feed {
            let source = try #require(try SyndicationSource(server.url("/feed")))
            var options = TransferOptions(userAgent: "Sluice/test")
            options.addressGuard.trust(source.trustedAddresses.compactMap { WebAddress($0) }, writtenBy: .user)
            return source.feed(through: Transfers(options), options: FeedOptions())
        }
        let first = try await feed().page(1, at: nil, token: CancellationToken())
        let second = try await feed().page(2, at: first.next, token: CancellationToken())
        let third = try await feed().page(3, at: second.next, token: CancellationToken())
        #expect(second.photos.map(\.id) == ["2"] && third.photos.map(\.id) == ["3"] && third.next == nil)
        #expect(server.requests.count == 3)
    }

    @Test("Reads a saved file without following its links, and distinguishes it from a list by content")
    func saved() async throws {
        let file = try TemporaryList(
            "\u{FEFF}\n<rss><channel><item><enclosure url='https://a.test/1.jpg'/></item></channel></rss>",
            named: "cats.txt")
        #expect(try SyndicationSource(file.path) != nil)
        let list = try TemporaryList("https://a.test/1.jpg\n", named: "cats.xml")
        #expect(try SyndicationSource(list.path) == nil && ListSource(list.path) != nil)
        let page = try await Source(file.path).feeds(
            through: Transfers(TransferOptions(userAgent: "x")), options: FeedOptions()
        )[0].feed.page(1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["https://a.test/1.jpg"] && page.next == nil)
    }
}
