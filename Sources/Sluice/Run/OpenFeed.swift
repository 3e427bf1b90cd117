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
    /// A word that changes when the SOURCE comes to mean other pages.
    let fingerprint: String
    /// Whether its photos are files in a folder of the user's.
    let isFolder: Bool
    /// Whether the photos' hosts are asked for their `robots.txt`.
    let keepsToRobots: Bool
    /// How many items may be taken: what the user wants, and no more than the service's terms allow.
    let maxItems: Int
    /// What is to be said where the terms are the reason.
    let capNote: String?
    private let origin: Origin?

    /// Opens what a SOURCE names.
    init(_ source: String, options: MirrorOptions, width: Int, token: Token) throws(MirrorError) {
        let known = try MirrorError.atSource(try Source(source))
        var transferOptions = try TransferOptions(options, agent: Self.agent(options, known.manners), width: width)
        origin = known.isDemo ? try DemoOrigin.start() : nil
        transferOptions.addressGuard.homes = known.homes
        if let origin { transferOptions.loopback = [DemoService.host: origin.port] }
        var rules = HostRules(perHost: min(options.perHost, known.manners.perHost ?? .max))
        rules.intervals = known.manners.intervals
        rules.interval = options.network.rate.map { .seconds(1 / $0) }
        // As many may wait as run: enough to keep every slot busy, and no more of the feed in memory than that. Where all
        // of them are a dead host's, the next page may help, but is to be asked for in vain of nobody.
        let pool = WorkPool(
            width: width, backlog: width, reach: known.isAtHand ? WorkPool.farReach : 0, hosts: rules, token: token)
        let transfers = Transfers(transferOptions, pool: pool)
        var feedOptions = FeedOptions()
        feedOptions.perPage = options.perPage
        feedOptions.order = options.order
        feedOptions.headers = options.headers
        feedOptions.list = options.list
        feedOptions.listFiles = { FileFeed([$0], by: .paths) }
        feed = try MirrorError.atSource(try known.feed(through: transfers, options: feedOptions))
        (self.pool, self.transfers) = (pool, transfers)
        fingerprint = known.fingerprint
        isFolder = known.isFolder
        let cap = options.hasPermission ? nil : known.manners.cap
        maxItems = min(options.maxItems ?? .max, cap ?? .max)
        capNote = maxItems == cap ? Self.capNote(maxItems, feed.name, known.manners) : nil
        keepsToRobots = options.network.keepsToRobots ?? known.manners.keepsToRobots
    }

    /// What the user should know of the way to the feed; the demo's leads nowhere, and nor does a folder's.
    var note: String? { origin == nil && !isFolder ? transfers.options.proxies.note : nil }

    /// What Sluice calls itself, with whom to write to behind it where the user says so.
    private static func agent(_ options: MirrorOptions, _ manners: Manners) throws(MirrorError) -> String {
        if let agent = options.userAgent { return agent }
        let name = "Sluice/\(Version.number)"
        guard let contact = options.contact else {
            guard !manners.needsContact else {
                let words =
                    "this service wants to know whom to write to: give --contact with a mail or an address of yours"
                throw MirrorError(.usage, words + (manners.terms.map { " (\($0))" } ?? ""))
            }
            return name
        }
        return "\(name) (\(contact))"
    }

    private static func capNote(_ count: Int, _ name: String, _ manners: Manners) -> String {
        let terms = manners.terms.map { " (\($0))" } ?? ""
        return "\(count) photos are as many as \(name)'s terms allow a run\(terms); --i-have-permission lifts that"
    }
}
