// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer

@testable import SluiceFeeds

/// A service on loopback that a test speaks for, and feeds of recipes that take it for the real one.
final class Doubled: OriginService {
    private let answer: @Sendable (OriginRequest) -> OriginReply
    private let origins = Locked<[Origin]>([])
    private let seen = Locked<[OriginRequest]>([])

    init(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) { self.answer = answer }

    func reply(to request: OriginRequest) -> OriginReply {
        seen.withLock { $0.append(request) }
        return answer(request)
    }

    /// What was asked for, in order.
    var requests: [OriginRequest] { seen.withLock { $0 } }

    /// A feed of a recipe whose service is at this double in place of its own address.
    func feed(
        _ recipe: Recipe, _ listing: String = "", key: String? = nil, retries: Int = 0,
        _ options: FeedOptions = FeedOptions()
    ) throws -> RecipeFeed {
        let origin = try Origin(self)
        origins.withLock { $0.append(origin) }
        let host = WebAddress(recipe.base)?.host ?? ""
        let text = String(decoding: recipe.text, as: UTF8.self)
            .replacing("\"base\": \"https://\(host)", with: "\"base\": \"http://\(host)")
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.loopback = [host: origin.port]
        transferOptions.retry.retries = retries
        // Redirects lead to other servers of the test's own.
        transferOptions.addressGuard.allowsPrivate = true
        transferOptions.addressGuard.ports = Set(1...65535)
        let source = try RecipeSource(Recipe(Array(text.utf8)), listing)
        return source.feed(
            through: Transfers(transferOptions), options: options,
            secret: key.map { Secret(key: $0, clientSecret: "the-secret") })
    }

    func stop() {
        for origin in origins.withLock({ $0 }) { origin.stop() }
    }
}

/// Walks a feed to its end.
func pages(of feed: any Feed, limit: Int? = nil) async throws -> [Page] {
    var walk = Walk(feed, limit: limit)
    var pages: [Page] = []
    while let page = try await walk.nextPage(token: Token()) { pages.append(page) }
    return pages
}

func recipe(_ text: String) throws -> Recipe { try Recipe(Array(text.utf8)) }
