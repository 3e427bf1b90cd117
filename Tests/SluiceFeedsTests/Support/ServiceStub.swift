// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport

@testable import SluiceFeeds

/// A service on loopback whose replies a test defines, and feeds of recipes that use it instead of the real service.
final class ServiceStub: OriginService {
    private let service: ScriptedService
    private let origins = Locked<[OriginServer]>([])

    init(_ answer: @escaping @Sendable (OriginRequest) -> OriginReply) { service = ScriptedService(answer) }

    func reply(to request: OriginRequest) -> OriginReply { service.reply(to: request) }

    /// The requests so far, in order.
    var requests: [OriginRequest] { service.requests }

    /// Makes a feed of the recipe with this stub as its service.
    func feed(
        _ recipe: Recipe, _ listing: String = "", key: String? = nil, retries: Int = 0,
        _ options: FeedOptions = FeedOptions()
    ) throws -> RecipeFeed {
        let origin = try OriginServer(service)
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
}

extension Source {
    /// The source's feed, through transfers that may request its hosts; some of them are ports of this machine.
    func feed(
        _ options: FeedOptions = FeedOptions(), ports: [String: UInt16] = [:],
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> any Feed {
        var transferOptions = TransferOptions(userAgent: "Sluice/test")
        transferOptions.retry.retries = 0
        transferOptions.loopbackPorts = ports
        transferOptions.addressGuard.trust(trustedAddresses, writtenBy: .user)
        change(&transferOptions)
        return try feeds(through: Transfers(transferOptions), options: options)[0].feed
    }
}

/// Reads the pages of a feed until its end or a failure.
func walk(_ feed: any Feed) async -> (pages: [Page], failure: Failure?) {
    var walker = PageWalker(feed)
    var pages: [Page] = []
    do throws(Failure) {
        while let page = try await walker.nextPage(token: CancellationToken()) { pages.append(page) }
    } catch {
        return (pages, error)
    }
    return (pages, nil)
}

/// Loads all pages of a feed.
func pages(of feed: any Feed, limit: Int? = nil) async throws -> [Page] {
    var walker = PageWalker(feed, limit: limit)
    var pages: [Page] = []
    while let page = try await walker.nextPage(token: CancellationToken()) { pages.append(page) }
    return pages
}

func recipe(_ text: String) throws -> Recipe { try Recipe(Array(text.utf8)) }

extension Feed {
    /// The pages from a cursor to the end of the feed.
    func pages(from cursor: Cursor? = nil) async throws -> [Page] {
        var pages: [Page] = []
        var next = cursor
        repeat {
            let page = try await page(pages.count + 1, at: next, token: CancellationToken())
            pages.append(page)
            next = page.next
        } while next != nil
        return pages
    }
}
