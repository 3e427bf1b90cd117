// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceLedger
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceEngine

/// Keys that are stored on the disk.
@Suite("Stored keys", .timeLimit(.minutes(10))) struct StoredKeysTests {
    private let folder = TemporaryFolder()

    private func keys(_ capacity: Int) throws -> StoredKeys {
        StoredKeys(in: LocalStore(try Folder(folder.path)), capacity: capacity)
    }

    /// With these capacities, all keys are in memory, some are in runs, and runs are merged once and twice.
    @Test("Each key has its number, and others have none", arguments: [30_000, 1000, 300, 50])
    func dictionary(capacity: Int) throws {
        var keys = try keys(capacity)
        var expected: [Int: Int32] = [:]
        var random = SystemRandomNumberGenerator()
        for number in 0..<Int32(12_000) {
            let key = Int.random(in: .min ... .max, using: &random)
            #expect(try keys.number(of: key) == nil)
            try keys.add(key, number - 6000)
            expected[key] = number - 6000
            if number % 100 == 0 { #expect(try keys.number(of: key) == number - 6000) }
        }
        #expect(keys.count == 12_000)
        for (key, number) in expected { #expect(try keys.number(of: key) == number) }
        for _ in 0..<12_000 {
            #expect(try keys.number(of: Int.random(in: .min ... .max, using: &random)) == nil)
        }
        #expect(folder.names().isEmpty, "the files have no names")
    }

    /// A search that guesses positions would take as many steps as there are keys.
    @Test("Keys that are not evenly distributed are found, too")
    func uneven() throws {
        var keys = try keys(4000)
        let all = [.min, .max, 0, -1] + (1...5000).map { 1 << 62 + $0 * $0 } + (1...2000).map { -$0 * 3 }
        for (number, key) in all.enumerated() { try keys.add(key, Int32(number)) }
        for (number, key) in all.enumerated() { #expect(try keys.number(of: key) == Int32(number)) }
        for key in [1, -2, 1 << 62, .max - 1] { #expect(try keys.number(of: key) == nil) }
    }

    @Test("Few keys that a run lacks pass its filter")
    func filter() {
        var filter = KeyFilter(for: 10_000)
        var random = SystemRandomNumberGenerator()
        let keys = (0..<10_000).map { _ in UInt.random(in: .min ... .max, using: &random) }
        for key in keys { filter.add(key) }
        #expect(keys.allSatisfy(filter.mayContain))
        let passing = (0..<100_000).count { _ in filter.mayContain(.random(in: .min ... .max, using: &random)) }
        #expect(passing < 3000, "\(passing) of 100,000")
    }

    @Test("Keys that cannot be stored are an error")
    func failure() throws {
        let folder = TemporaryFolder()
        var keys = StoredKeys(in: LocalStore(try Folder(folder.path)), capacity: 2)
        try keys.add(1, 1)
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: FileError.self) { try keys.add(2, 2) }
    }
}

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

    @Test("Rows with one id are photos of their own if their addresses or captions differ")
    func rows() throws {
        var claims = UnrecordedClaims()
        var page = Page(number: 1, photos: ["1", "2", "1", "2"].map { photo("https://x.test/\($0)") })
        page.photos.append(photo("https://x.test/1"))
        page.photos[4].caption = "x"
        page.hasRows = true
        let claimed = try claims.claim(page) { _ in Issue.record("a conflict") }
        #expect(claimed.map(\.id) == ["a", page.photos[1].namedByRow.id, page.photos[4].namedByRow.id])
    }
}
