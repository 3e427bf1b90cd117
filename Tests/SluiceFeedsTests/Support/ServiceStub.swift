// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer

@testable import SluiceFeeds

/// A service on loopback whose replies a test defines, and feeds of recipes that use it instead of the real service.
final class ServiceStub: OriginService {
    private let answer: @Sendable (OriginRequest) -> OriginReply
    private let origins = Locked<[OriginServer]>([])
    private let seen = Locked<[OriginRequest]>([])

    init(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) { self.answer = answer }

    func reply(to request: OriginRequest) -> OriginReply {
        seen.withLock { $0.append(request) }
        return answer(request)
    }

    /// The requests so far, in order.
    var requests: [OriginRequest] { seen.withLock { $0 } }

    /// Makes a feed of the recipe with this stub as its service.
    func feed(
        _ recipe: Recipe, _ listing: String = "", key: String? = nil, retries: Int = 0,
        _ options: FeedOptions = FeedOptions()
    ) throws -> RecipeFeed {
        let origin = try OriginServer(self)
        origins.withLock { $0.append(origin) }
        let host = WebAddress(recipe.base)?.host ?? ""
        let text = String(decoding: recipe.text, as: UTF8.self)
            .replacing("\"base\": \"https://\(host)", with: "\"base\": \"http://\(host)")
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.loopbackPorts = [host: origin.port]
        transferOptions.retry.retries = retries
        // Redirects lead to other servers of the test.
        transferOptions.addressGuard.allowsPrivate = true
        transferOptions.addressGuard.ports = Set(1...65535)
        let source = try RecipeSource(Recipe(Array(text.utf8)), listing)
        return source.feed(
            through: Transfers(transferOptions), options: options,
            access: key.flatMap { source.recipe.key?.access(to: source.recipe, key: $0, clientSecret: "the-secret") })
    }

    func stop() {
        for origin in origins.withLock({ $0 }) { origin.stop() }
    }
}

/// Loads all pages of a feed.
func pages(of feed: any Feed, limit: Int? = nil) async throws -> [Page] {
    var walker = PageWalker(feed, limit: limit)
    var pages: [Page] = []
    while let page = try await walker.nextPage(token: CancellationToken()) { pages.append(page) }
    return pages
}

func recipe(_ text: String) throws -> Recipe { try Recipe(Array(text.utf8)) }
