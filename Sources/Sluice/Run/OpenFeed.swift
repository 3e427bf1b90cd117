// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceModel
internal import SluiceOrigin
internal import SluiceTransfer

/// A feed with all that it needs while it is read: the transfers, and for the demo the service itself.
struct OpenFeed: Sendable {
    let feed: any Feed
    let transfers: Transfers
    let pool: WorkPool
    /// Whether the photos' hosts are asked for their `robots.txt`.
    let keepsToRobots: Bool
    private let origin: Origin?

    /// Opens what a SOURCE names.
    init(_ source: String, options: MirrorOptions, width: Int, token: Token) throws(MirrorError) {
        let known = try MirrorError.atSource(try Source(source))
        var transferOptions = try TransferOptions(options, width: width)
        origin = known.isDemo ? try DemoOrigin.start() : nil
        if let origin { transferOptions.loopback = [DemoService.host: origin.port] }
        var rules = HostRules(perHost: min(options.perHost, known.manners.perHost ?? .max))
        rules.intervals = known.manners.intervals
        rules.interval = options.network.rate.map { .seconds(1 / $0) }
        // As many may wait as run: enough to keep every slot busy, and no more of the feed in memory than that.
        let pool = WorkPool(width: width, backlog: width, hosts: rules, token: token)
        let transfers = Transfers(transferOptions, pool: pool)
        var feedOptions = FeedOptions()
        feedOptions.perPage = options.perPage
        feedOptions.order = options.order
        feedOptions.headers = options.headers
        feed = try MirrorError.atSource(try known.feed(through: transfers, options: feedOptions))
        (self.pool, self.transfers) = (pool, transfers)
        keepsToRobots = options.network.keepsToRobots ?? known.manners.keepsToRobots
    }

    /// What the user should know of the way to the feed; the demo's leads nowhere.
    var note: String? { origin == nil ? transfers.options.proxies.note : nil }
}
