// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceFeeds

/// Every built-in service against a double that serves what is documented of it, with its traps.
@Suite("Built-in services", .timeLimit(.minutes(10))) struct ServicesTests {
    /// As many on a page as the doubles serve, so that counted pages are full.
    private func options(_ service: ServiceDouble) -> FeedOptions {
        var options = FeedOptions()
        options.perPage = service.name == "met" ? 3 : service.ids[0].count
        return options
    }

    private func feed(_ double: Doubled, _ service: ServiceDouble, retries: Int = 0) throws -> RecipeFeed {
        let recipe = try #require(BuiltIn.named(service.name))
        return try double.feed(
            recipe, service.listing, key: recipe.key == nil ? nil : "the-KEY", retries: retries, options(service))
    }

    @Test("A walk has every photo once, from the first page to the end", arguments: ServiceDouble.all)
    func whole(service: ServiceDouble) async throws {
        let double = Doubled(service.reply)
        defer { double.stop() }
        let pages = try await pages(of: feed(double, service))
        #expect(pages.flatMap(\.photos).map(\.id) == service.ids.flatMap(\.self))
        #expect(pages.flatMap(\.photos).allSatisfy { $0.flaw == nil && !$0.variants.isEmpty })
    }

    @Test("A walk goes on in the middle, with nothing but a cursor", arguments: ServiceDouble.all)
    func resumed(service: ServiceDouble) async throws {
        let double = Doubled(service.reply)
        defer { double.stop() }
        let first = try await feed(double, service).page(1, at: nil, token: Token())
        #expect(first.photos.map(\.id) == service.ids[0])
        var rest: [String] = []
        var (number, cursor) = (2, first.next)
        let other = try feed(double, service)
        while let at = cursor {
            let page = try await other.page(number, at: at, token: Token())
            rest += page.photos.map(\.id)
            (number, cursor) = (number + 1, page.photos.isEmpty && !page.mayBeEmpty ? nil : page.next)
        }
        #expect(rest == service.ids.dropFirst().flatMap(\.self))
        #expect(first.next?.rawValue.contains("the-KEY") == false, "a cursor is kept in the ledger")
    }

    @Test(
        "A page in the middle that fails and recovers is tried again, and nothing is lost", arguments: ServiceDouble.all
    )
    func recovering(service: ServiceDouble) async throws {
        let failures = Locked(0)
        let double = Doubled { request in
            let isFirst =
                service.number(request) == 2
                && failures.withLock {
                    $0 += 1
                    return $0 == 1
                }
            return isFirst
                ? .text("", status: 503, headers: [OriginHeader("Retry-After", "0")]) : service.reply(to: request)
        }
        defer { double.stop() }
        let pages = try await pages(of: feed(double, service, retries: 2))
        #expect(failures.withLock { $0 } == 2)
        #expect(pages.flatMap(\.photos).map(\.id) == service.ids.flatMap(\.self))
    }

    @Test(
        "A page in the middle that stays failed is a failure, behind what came before it", arguments: ServiceDouble.all)
    func failing(service: ServiceDouble) async throws {
        let double = Doubled { service.number($0) == 2 ? .text("", status: 500) : service.reply(to: $0) }
        defer { double.stop() }
        var walk = Walk(try feed(double, service))
        let first = try await walk.nextPage(token: Token())
        if service.name == "met" {
            // One photo of many, and the others are not its page's to lose.
            #expect(first?.photos.map(\.flaw?.cause) == [nil, .httpServerError])
            return
        }
        #expect(first?.photos.map(\.id) == service.ids[0])
        let failure = await #expect(throws: Failure.self) { try await walk.nextPage(token: Token()) }
        #expect(failure?.cause == .httpServerError && walk.nextNumber == nil)
    }

    @Test("One who asks too often is told so in each service's way, and it means later", arguments: ServiceDouble.all)
    func throttled(service: ServiceDouble) async throws {
        let double = Doubled { $0.method == "POST" ? service.reply(to: $0) : service.throttled }
        defer { double.stop() }
        let feed = try feed(double, service)
        let failure = await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: Token()) }
        #expect(failure?.cause.isWorthRetry == true, "\(failure.map(\.description) ?? "")")
    }

    @Test("A key goes where the service looks for it, and is in nothing that a page says", arguments: ServiceDouble.all)
    func key(service: ServiceDouble) async throws {
        let recipe = try #require(BuiltIn.named(service.name))
        guard let key = recipe.key else { return }
        let double = Doubled(service.reply)
        defer { double.stop() }
        let pages = try await pages(of: feed(double, service))
        #expect(!"\(pages)".contains("the-KEY") && !"\(pages)".contains("granted-TOKEN"))
        let word = key.token == nil ? "the-KEY" : "granted-TOKEN"
        for request in double.requests where request.method == "GET" {
            if let header = key.header {
                #expect(request.header(header) == key.value.replacing("{key}", with: word))
                #expect(!request.target.contains(word))
            } else {
                #expect(request.query(key.query ?? "") == word)
            }
        }
        #expect(double.requests.count { $0.method == "POST" } == (key.token == nil ? 0 : 1))
    }

    @Test("A token that has ended is had anew, once, and a second refusal is the key's")
    func tokens() async throws {
        let granted = Locked(0)
        let double = Doubled { request in
            if request.method == "POST" {
                let number = granted.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"access_token":"T\#(number)"}"#)
            }
            let isGood = request.header("Authorization") == "Bearer T2" && request.query("page") != "3"
            return isGood || request.query("page") == "1"
                ? ServiceDouble.openverse.reply(to: request) : .json("{}", status: 401)
        }
        defer { double.stop() }
        let feed = try feed(double, .openverse)
        let first = try await feed.page(1, at: nil, token: Token())
        let second = try await feed.page(2, at: first.next, token: Token())
        #expect(second.photos.map(\.id) == ["3", "4"] && granted.withLock { $0 } == 2)
        let failure = await #expect(throws: Failure.self) { try await feed.page(3, at: second.next, token: Token()) }
        #expect(failure?.detail.hasPrefix("openverse refused the key in OPENVERSE_CLIENT_ID") == true)
        let form = double.requests.first { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(form == "grant_type=client_credentials&client_id=the-KEY&client_secret=the-secret")
        #expect(double.requests.allSatisfy { !$0.target.contains("the-KEY") })
    }

    @Test("Every service says what it asks of its users, and where")
    func rules() {
        for recipe in BuiltIn.all where !["demo", "catalog"].contains(recipe.name) {
            #expect(recipe.rules != nil && recipe.terms?.hasPrefix("https://") == true, "\(recipe.name)")
            #expect(recipe.manners.perHost != nil, "\(recipe.name)")
        }
        let capped = BuiltIn.all.filter { $0.manners.cap != nil }.map(\.name)
        #expect(capped == ["unsplash", "pexels", "pixabay", "openverse"])
        #expect(BuiltIn.all.map(\.name) == BuiltIn.names)
    }
}
