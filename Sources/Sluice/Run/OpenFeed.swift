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
    private let origin: Origin?

    /// Opens what a SOURCE names.
    init(_ source: String, options: MirrorOptions, width: Int, token: Token) throws(MirrorError) {
        guard let known = Source(source) else {
            let names = Source.known.joined(separator: ", ")
            throw MirrorError(.usage, "unknown source \(source): this version mirrors \(names)")
        }
        var transferOptions = try TransferOptions(options, width: width)
        switch known {
        case .demo:
            let origin = try DemoOrigin.start()
            transferOptions.loopback = [DemoService.host: origin.port]
            self.origin = origin
        }
        var rules = HostRules(perHost: options.perHost)
        rules.interval = options.network.rate.map { .seconds(1 / $0) }
        // As many may wait as run: enough to keep every slot busy, and no more of the feed in memory than that.
        pool = WorkPool(width: width, backlog: width, hosts: rules, token: token)
        transfers = Transfers(transferOptions, pool: pool)
        var feedOptions = FeedOptions()
        feedOptions.perPage = options.perPage
        feedOptions.order = options.order
        feedOptions.headers = options.headers
        feed = known.feed(through: transfers, options: feedOptions)
    }

    /// What the user should know of the way to the feed; the demo's leads nowhere.
    var note: String? { origin == nil ? transfers.options.proxies.note : nil }
}
