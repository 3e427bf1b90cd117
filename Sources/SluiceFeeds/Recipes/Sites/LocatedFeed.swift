// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The feed of a service at a site: if the service is not at the recipe's address, the feed looks for it.
///
/// It reads the page that the user named, which may link to the service, and then tries other usual addresses.
struct LocatedFeed: Feed {
    private let usual: RecipeFeed
    private let discovery: SiteDiscovery
    /// The address of the page to read.
    private let address: WebAddress
    /// Opens the feed of the service at another address.
    private let open: @Sendable (_ base: String) -> RecipeFeed?
    private let found = Locked<RecipeFeed?>(nil)

    init(
        _ usual: RecipeFeed, _ discovery: SiteDiscovery, page address: WebAddress,
        open: @escaping @Sendable (_ base: String) -> RecipeFeed?
    ) {
        (self.usual, self.discovery, self.address, self.open) = (usual, discovery, address, open)
    }

    var name: String { usual.name }
    var defaultVariant: String { usual.defaultVariant }
    var maxPages: Int? { usual.maxPages }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        if let feed = found.withLock(\.self) { return try await feed.page(number, at: cursor, token: token) }
        if let cursor, !cursor.rawValue.hasPrefix(usual.recipe.base) {
            let base = try await bases(token: token).first { cursor.rawValue.hasPrefix($0) }
            guard let feed = base.flatMap(open) else {
                throw Failure(.feedParse, "the service is no longer at \(cursor.rawValue.prefix { $0 != "?" })")
            }
            found.withLock { $0 = feed }
            return try await feed.page(number, at: cursor, token: token)
        }
        do throws(Failure) { return try await usual.page(number, at: cursor, token: token) } catch {
            guard cursor == nil, Self.isElsewhere(error) else { throw error }
            for base in try await bases(token: token) where base !== usual.recipe.base {
                guard let feed = open(base) else { continue }
                do throws(Failure) {
                    var page = try await feed.page(number, at: nil, token: token)
                    page.notes.insert("\(name) is at \(base)", at: 0)
                    found.withLock { $0 = feed }
                    return page
                } catch { guard Self.isElsewhere(error) else { throw error } }
            }
            throw error
        }
    }

    /// Whether a failure may mean that the service has another address.
    private static func isElsewhere(_ failure: Failure) -> Bool {
        if failure.cause == .feedParse { return true }
        guard case .httpClientError = failure.cause else { return false }
        return failure.status != 401
    }

    /// Returns the addresses to try: the one that the page states, and the usual ones.
    private func bases(token: CancellationToken) async throws(Failure) -> [String] {
        let usualBases = discovery.usualBases(at: address)
        do throws(Failure) {
            let response = try await usual.client.loadPage(address.text, token: token)
            let page = try WebPageReader.page(of: response.body, token: token)
            let place = WebAddress(response.url) ?? address
            return (discovery.base(in: page, at: place).map { [$0] } ?? []) + usualBases
        } catch {
            guard error.cause != .cancelled else { throw error }
            return usualBases
        }
    }
}
