// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel
import Testing

@testable import SluiceEngine

@Suite("Unrecorded claims", .timeLimit(.minutes(10))) struct UnrecordedClaimsTests {
    private func photo(_ url: String) -> Photo { Photo(id: "a", variants: [Variant(name: "full", url: url)]) }

    /// Each repeat was once compared with the latest URL, so that a repeat of the first one counted as a conflict.
    @Test("A repeated photo conflicts only if its URL differs from the first")
    func firstURL() throws {
        var claims = UnrecordedClaims()
        var conflicts: [String] = []
        for url in ["https://x.test/1", "https://x.test/2", "https://x.test/1"] {
            _ = try claims.claim(Page(number: 1, photos: [photo(url)])) { conflicts.append($0.variants[0].url) }
        }
        #expect(conflicts == ["https://x.test/2"])
        #expect(claims.count == 1)
    }

    @Test("The same id of another source is another photo, unless both have the same ids or the same URL")
    func sources() throws {
        var claims = UnrecordedClaims()
        var conflicts = 0
        func claim(_ url: String, _ source: String, peers: [String]) throws -> [String] {
            var page = Page(number: 1, photos: [photo(url)])
            (page.feed, page.peers) = ("list", peers)
            page.photos[0].source = source
            return try claims.claim(page) { _ in conflicts += 1 }.map(\.id)
        }
        #expect(try claim("https://x.test/1", "a.csv", peers: ["a.csv"]) == ["a"])
        #expect(try claim("https://x.test/1", "b.csv", peers: ["b.csv"]) == [])
        #expect(try claim("https://x.test/2", "b.csv", peers: ["b.csv"]) == ["a@b.csv"])
        #expect(try claim("https://x.test/3", "demo:x", peers: ["a.csv", "demo:x"]) == [])
        #expect(conflicts == 1)
    }

    @Test("Each photo seen is known by its key, and no other")
    func keys() throws {
        let photos = (1...1000).map { Photo(id: "\($0)") }
        var claims = UnrecordedClaims()
        let listed = Array(photos[..<400] + photos[..<10] + photos[390..<500])
        let new = try claims.claim(Page(number: 1, photos: listed)) { _ in }
        #expect(new == Array(photos[..<500]) && claims.count == 500)
        #expect(try photos.filter { try claims.contains(Ledger.key(of: $0)) } == new)
    }
}
