// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel

/// A feed of which an interrupted run knows the first pages: those come from the ledger, and the feed is asked for the rest.
///
/// So a run goes on in the middle of a walk, and still every photo of the walk has its turn: what failed is tried again,
/// and what is missing is made again, without one request to the service.
struct RememberedFeed: Feed {
    /// Services ask that their replies be kept for a day, and addresses in them are good for as long.
    static let freshness = 24 * 60 * 60

    let feed: any Feed
    let ledger: Ledger
    let walk: InterruptedWalk

    var name: String { feed.name }
    var defaultVariant: String { feed.defaultVariant }
    var longest: Int? { feed.longest }

    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page {
        if let page = try Failure.inLedger(ledger.page(number, of: walk)) { return page }
        return try await feed.page(number, at: cursor, token: token)
    }
}
