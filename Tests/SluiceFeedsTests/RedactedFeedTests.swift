// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// The pages of a feed hold no secret that its replies repeat.
@Suite("Redacted feeds", .timeLimit(.minutes(5))) struct RedactedFeedTests {
    private static let canary = "canary-KEY"

    /// A feed with the canary in every text.
    private struct Echo: Feed {
        let name = "echo"
        let defaultVariant = Variant.original

        static let failure = Failure(.feedParse, "has \(canary)", finalURL: "https://a.test/\(canary)")

        static var page: Page {
            var photo = Photo(id: "id-\(canary)", url: "https://a.test/?k=\(canary)")
            photo.variants[0].name = canary
            for case .text(let path) in PhotoField.all.map(\.property) { photo[keyPath: path] = "x \(canary)" }
            photo.columns = "{\"\(canary)\":\"\(canary)\"}"
            photo.invalidReason = failure
            var page = Page(number: 1, photos: [photo], next: Cursor(rawValue: "/?k=\(canary)"))
            page.notes = ["note \(canary)"]
            return page
        }

        func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
            guard cursor == nil else { throw Self.failure }
            return Self.page
        }

        func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) { throw Self.failure }
    }

    @Test("Every text of a page and of a failure is redacted")
    func texts() async throws {
        var options = TransferOptions(userAgent: "test")
        let address = try #require(WebAddress("https://a.test/"))
        options.secrets = [Secret(header: "X-Key: \(Self.canary)", for: address)]
        let feed = RedactedFeed(Echo(), through: Transfers(options))
        func text(_ page: Page) throws -> String { String(decoding: try JSONEncoder().encode(page), as: UTF8.self) }
        let count = try text(Echo.page).ranges(of: Self.canary).count
        #expect(count > 20)
        let shown = try text(await feed.page(1, at: nil, token: CancellationToken()))
        #expect(!shown.contains(Self.canary) && shown.ranges(of: "***").count == count, "\(shown)")
        let failures = [
            await #expect(throws: Failure.self) {
                try await feed.page(2, at: Cursor(rawValue: "2"), token: CancellationToken())
            },
            await #expect(throws: Failure.self) {
                try await feed.reportDownload(of: Photo(id: "1"), token: CancellationToken())
            },
        ]
        for failure in failures { #expect(failure == Failure(.feedParse, "has ***", finalURL: "https://a.test/***")) }
    }
}
