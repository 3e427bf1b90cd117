// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceFeeds

/// Recipes against recorded replies of the real services, which are outside the repository.
@Suite("Recorded replies", .timeLimit(.minutes(10)))
struct RecordingsTests {
    /// The recorded replies; `nil` if the folder is missing.
    private static let folder: URL? = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../shared/recordings").standardized
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Makes the first page of a recorded reply.
    private func page(_ name: String, _ listing: String, _ file: String) async throws -> Page {
        let folder = try #require(Self.folder)
        let recorded = try JSON(parsing: Array(Data(contentsOf: folder.appending(path: file))))
        let body = try #require(recorded["body"]?.text)
        let stub = ServiceStub { _ in .json(body) }
        let recipe = try #require(BuiltInRecipes.named(name))
        return try await stub.feed(recipe, listing, key: recipe.key == nil ? nil : "no-key-at-all").page(
            1, at: nil, token: CancellationToken())
    }

    @Test(
        "Every picture of a recorded reply becomes a photo with its facts",
        .enabled(if: folder != nil, "the recorded replies are not here (../shared/recordings)"),
        arguments: [
            ("cleveland", "artworks", "cleveland/cma.json", 100), ("europeana", "search/x", "europeana/eu.json", 27),
            ("museumsvictoria", "search/x", "museums-victoria/mv.json", 41), ("vam", "search/x", "vna/vna.json", 20),
            ("flickr", "search/x", "flickr/04.json", 94), ("pixabay", "latest", "pixabay/pixabay.json", 20),
            ("unsplash", "photos", "unsplash/02.json", 10), ("unsplash", "search/x", "unsplash/10.json", 10),
        ])
    func photos(name: String, listing: String, file: String, count: Int) async throws {
        let page = try await page(name, listing, file)
        #expect(page.photos.count >= count, "\(page.notes)")
        #expect(page.photos.allSatisfy { $0.invalidReason == nil && !$0.variants.isEmpty })
        #expect(Set(page.photos.map(\.id)).count == page.photos.count)
        #expect(page.photos.contains { $0.caption != nil } && page.photos.contains { $0.author != nil })
        #expect(page.photos.allSatisfy { $0.author?.hasPrefix("http") != true })
    }

    @Test(
        "The Met's object has its additional pictures",
        .enabled(if: folder != nil, "the recorded replies are not here (../shared/recordings)"))
    func met() async throws {
        let folder = try #require(Self.folder)
        let recorded = try JSON(parsing: Array(Data(contentsOf: folder.appending(path: "met/met.json"))))
        let body = try #require(recorded["body"]?.text)
        let stub = ServiceStub { $0.path.hasSuffix("/search") ? .json(#"{"objectIDs":[45734]}"#) : .json(body) }
        let pages = try await pages(of: stub.feed(#require(BuiltInRecipes.named("met")), "search/x"))
        #expect(pages.flatMap(\.photos).map(\.id) == ["45734", "45734#2", "45734#3"])
        #expect(pages.flatMap(\.photos).allSatisfy { $0.author == "Kiyohara Yukinobu" && $0.license == "CC0-1.0" })
    }
}

/// Replies of a photo service as documented: three pages of photos, the last one short.
struct SimulatedService: Sendable, CustomStringConvertible {
    let name: String
    /// The listing to load, as in the SOURCE after the colon.
    let listing: String
    /// The photos' ids, page by page.
    let ids: [[String]]
    /// Returns the page number of a request; `nil` if it is not a page request.
    let number: @Sendable (OriginRequest) -> Int?
    /// Returns the reply for a page.
    let page: @Sendable (_ number: Int, _ ids: [[String]], OriginRequest) -> OriginReply
    /// The reply to too many requests.
    var throttled = OriginReply.text("slow down", status: 429, headers: [OriginHeader("Retry-After", "0")])

    var description: String { name }

    /// Returns the reply to a request.
    func reply(to request: OriginRequest) -> OriginReply {
        if request.method == "POST" { return .json(#"{"access_token":"granted-TOKEN","expires_in":36000}"#) }
        guard let number = number(request) else { return .text("not found", status: 404) }
        return page(number, ids, request)
    }

    static let all: [SimulatedService] = [
        unsplash, picsum, commons, met, artic, nasa, pexels, pixabay, openverse, flickr, archive, loc,
    ]

    /// Returns a JSON array of records.
    static func list(_ ids: [String], _ record: (String) -> String) -> String {
        "[" + ids.map(record).joined(separator: ",") + "]"
    }

    /// Three pages, the last one short.
    static let threePages = [["1", "2"], ["3", "4"], ["5"]]

    /// Reads the page number from a query parameter.
    static func pageNumber(_ parameter: String) -> @Sendable (OriginRequest) -> Int? {
        { request in request.query(parameter).flatMap { Int($0) } }
    }
}
