// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceFeeds

/// Tests every built-in service against a simulation of its documented replies, with their peculiarities.
@Suite("Built-in services", .timeLimit(.minutes(10))) struct ServicesTests {
    /// Requests the page size of the simulated service, so that its numbered pages are full.
    private func options(_ service: SimulatedService) -> FeedOptions {
        var options = FeedOptions()
        options.perPage = service.name == "met" ? 3 : service.ids[0].count
        return options
    }

    private func feed(_ stub: ServiceStub, _ service: SimulatedService, retries: Int = 0) throws -> RecipeFeed {
        let recipe = try #require(BuiltInRecipes.named(service.name))
        return try stub.feed(
            recipe, service.listing, key: recipe.key == nil ? nil : "the-KEY", retries: retries, options(service))
    }

    @Test("Lists every photo once", arguments: SimulatedService.all)
    func whole(service: SimulatedService) async throws {
        let stub = ServiceStub(service.reply)
        let pages = try await pages(of: feed(stub, service))
        #expect(pages.flatMap(\.photos).map(\.id) == service.ids.flatMap(\.self))
        #expect(pages.flatMap(\.photos).allSatisfy { $0.invalidReason == nil && !$0.variants.isEmpty })
    }

    @Test("Resumes at a cursor", arguments: SimulatedService.all)
    func resumed(service: SimulatedService) async throws {
        let stub = ServiceStub(service.reply)
        let first = try await feed(stub, service).page(1, at: nil, token: CancellationToken())
        #expect(first.photos.map(\.id) == service.ids[0])
        var rest: [String] = []
        var (number, cursor) = (2, first.next)
        let other = try feed(stub, service)
        while let current = cursor {
            let page = try await other.page(number, at: current, token: CancellationToken())
            rest += page.photos.map(\.id)
            (number, cursor) = (number + 1, page.photos.isEmpty && !page.mayBeEmpty ? nil : page.next)
        }
        #expect(rest == service.ids.dropFirst().flatMap(\.self))
        #expect(first.next?.rawValue.contains("the-KEY") == false, "the ledger stores cursors")
    }

    /// A ledger may be damaged; a negative position was used as an index.
    @Test("Invalid cursors do not trap", arguments: SimulatedService.all)
    func invalidCursors(service: SimulatedService) async throws {
        let stub = ServiceStub(service.reply)
        for cursor in ["-1", "-9223372036854775808", "9223372036854775807", "", "\n", "http://"] {
            _ = try? await feed(stub, service).page(
                2, at: Cursor(rawValue: cursor), token: CancellationToken())
        }
    }

    @Test(
        "Retries a page that fails temporarily and loses no photo", arguments: SimulatedService.all
    )
    func recovering(service: SimulatedService) async throws {
        let failures = Locked(0)
        let stub = ServiceStub { request in
            let isFirst =
                service.number(request) == 2
                && failures.withLock {
                    $0 += 1
                    return $0 == 1
                }
            return isFirst
                ? .text("", status: 503, headers: [OriginHeader("Retry-After", "0")]) : service.reply(to: request)
        }
        let pages = try await pages(of: feed(stub, service, retries: 2))
        #expect(failures.withLock { $0 } == 2)
        #expect(pages.flatMap(\.photos).map(\.id) == service.ids.flatMap(\.self))
    }

    @Test(
        "Reports a page that fails permanently, after the photos before it", arguments: SimulatedService.all)
    func failing(service: SimulatedService) async throws {
        let stub = ServiceStub { service.number($0) == 2 ? .text("", status: 500) : service.reply(to: $0) }
        var walker = PageWalker(try feed(stub, service))
        let first = try await walker.nextPage(token: CancellationToken())
        if service.name == "met" {
            // Each photo has its own request, so only one photo fails.
            #expect(first?.photos.map(\.invalidReason?.cause) == [nil, .httpServerError])
            return
        }
        #expect(first?.photos.map(\.id) == service.ids[0])
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure?.cause == .httpServerError && walker.nextPageNumber == nil)
    }

    @Test("Recognises each service's reply to too many requests as retryable", arguments: SimulatedService.all)
    func throttled(service: SimulatedService) async throws {
        let stub = ServiceStub { $0.method == "POST" ? service.reply(to: $0) : service.throttled }
        let feed = try feed(stub, service)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(1, at: nil, token: CancellationToken())
        }
        #expect(failure?.cause.isRetryable == true, "\(failure.map(\.description) ?? "")")
    }

    @Test("Sends the key where the service expects it and keeps it out of pages", arguments: SimulatedService.all)
    func key(service: SimulatedService) async throws {
        let recipe = try #require(BuiltInRecipes.named(service.name))
        guard let key = recipe.key else { return }
        let stub = ServiceStub(service.reply)
        let pages = try await pages(of: feed(stub, service))
        #expect(!"\(pages)".contains("the-KEY") && !"\(pages)".contains("granted-TOKEN"))
        let word = key.token == nil ? "the-KEY" : "granted-TOKEN"
        for request in stub.requests where request.method == "GET" {
            if let header = key.header {
                #expect(request.header(header) == key.value.replacing("{key}", with: word))
                #expect(!request.target.contains(word))
            } else {
                #expect(request.query(key.query ?? "") == word)
            }
        }
        #expect(stub.requests.count { $0.method == "POST" } == (key.token == nil ? 0 : 1))
    }

    @Test("Renews an expired access token once; a second rejection is reported as a bad key")
    func tokens() async throws {
        let granted = Locked(0)
        let stub = ServiceStub { request in
            if request.method == "POST" {
                let number = granted.withLock { count in
                    count += 1
                    return count
                }
                return .json(#"{"access_token":"T\#(number)"}"#)
            }
            let isGood = request.header("Authorization") == "Bearer T2" && request.query("page") != "3"
            return isGood || request.query("page") == "1"
                ? SimulatedService.openverse.reply(to: request) : .json("{}", status: 401)
        }
        let feed = try feed(stub, .openverse)
        let first = try await feed.page(1, at: nil, token: CancellationToken())
        let second = try await feed.page(2, at: first.next, token: CancellationToken())
        #expect(second.photos.map(\.id) == ["3", "4"] && granted.withLock { $0 } == 2)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(3, at: second.next, token: CancellationToken())
        }
        #expect(failure?.detail.hasPrefix("openverse rejected the key in OPENVERSE_CLIENT_ID") == true)
        let form = stub.requests.first { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(form == "grant_type=client_credentials&client_id=the-KEY&client_secret=the-secret")
        #expect(stub.requests.allSatisfy { !$0.target.contains("the-KEY") })
    }

    @Test("Every service has a summary of its terms and their address")
    func rules() {
        for recipe in BuiltInRecipes.all where !["demo", "catalog"].contains(recipe.name) {
            #expect(recipe.rules != nil && recipe.terms?.hasPrefix("https://") == true, "\(recipe.name)")
            #expect(recipe.politeness.perHost != nil, "\(recipe.name)")
        }
        let capped = BuiltInRecipes.all.filter { $0.politeness.cap != nil }.map(\.name)
        #expect(capped == ["unsplash", "pexels", "pixabay", "openverse"])
        #expect(BuiltInRecipes.all.map(\.name) == BuiltInRecipes.names)
    }
}
