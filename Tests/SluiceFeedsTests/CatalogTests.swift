// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// The second app's catalogue: one object of named lists.
@Suite("Catalogue", .timeLimit(.minutes(10))) struct CatalogTests {
    private func feed(_ address: String) throws -> any Feed {
        var options = TransferOptions(userAgent: "Sluice/test")
        options.retry.retries = 0
        let source = try Source("catalog:\(address)")
        options.addressGuard.homes = source.homes
        return try source.feed(through: Transfers(options), options: FeedOptions())
    }

    private func failure(_ reply: OriginReply) async throws -> Failure {
        let origin = try Origin(Doubled { _ in reply })
        defer { origin.stop() }
        let feed = try feed("http://127.0.0.1:\(origin.port)/catalog")
        return try #require(await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: Token()) })
    }

    @Test("Each list is a collection, ids are its own, and bad records fall out one at a time")
    func collections() async throws {
        let body = """
            {"Albums":[{"id":1,"name":"Rain","album_art_work":"https://a.test/1.jpg","artist":"Ida"},{"id":2,"name":"No art"},7],
            "Tracks":[{"id":1,"name":"Drops","track_art_work":"/art/t1.png","track_album":"Rain","artist":"Ida"},{"name":"x"}],
            "version":3,"Empty":[]}
            """
        let double = Doubled { _ in .json(body) }
        let origin = try Origin(double)
        defer { origin.stop() }
        let page = try await feed("http://127.0.0.1:\(origin.port)/v1/catalog?lang=en").page(1, at: nil, token: Token())
        #expect(double.requests.map(\.target) == ["/v1/catalog?lang=en"])
        let good = page.photos.filter { $0.flaw == nil }
        #expect(good.map(\.collection) == ["Albums", "Tracks"] && good.map(\.id) == ["1", "1"])
        #expect(good.map(\.caption) == ["Rain", "Drops"] && good.map(\.author) == ["Ida", "Ida"])
        #expect(
            good.map { $0.variants[0].url } == ["https://a.test/1.jpg", "http://127.0.0.1:\(origin.port)/art/t1.png"])
        #expect(
            page.photos.compactMap(\.flaw?.detail) == [
                "Albums, record 2 of page 1 has no address of a picture", "Albums, record 3 of page 1 is no object",
                "Tracks, record 2 of page 1 has no id",
            ])
        #expect(page.next == nil)
    }

    @Test("What it says of a failure is told in its words, and else in ours")
    func messages() async throws {
        let told = try await failure(.json(#"{"message":"This catalogue is closed"}"#, status: 404))
        #expect(told == Failure(.httpClientError(404), "This catalogue is closed", status: 404))
        #expect(try await failure(.text("", status: 500)).detail.hasPrefix("The catalogue cannot be read"))
        #expect(try await failure(.json("[]")).cause == .feedParse)
        // Nobody listens at the first port.
        let offline = await #expect(throws: Failure.self) {
            try await feed("http://127.0.0.1:1/").page(1, at: nil, token: Token())
        }
        #expect(offline?.cause == .connect, "\(offline as Any)")
        #expect(offline?.detail.hasPrefix("There is no connection to the catalogue") == true)
    }

    @Test("A reply may take ten seconds")
    func patience() {
        #expect(BuiltIn.catalog(at: "http://a.test/").timeout == .seconds(10))
    }

    @Test("It needs an address", arguments: ["catalog", "catalog:", "catalog:x", "catalog:ftp://a.test/"])
    func address(source: String) {
        #expect(throws: SourceError.self) { try Source(source) }
    }
}
