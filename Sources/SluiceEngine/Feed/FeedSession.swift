// SPDX-License-Identifier: MIT

internal import SluiceDemo
package import SluiceFeeds
internal import SluiceImaging
internal import SluiceLedger
package import SluiceModel
internal import SluiceOrigin
package import SluiceTransfer

/// An open feed with the transfers and the pool that it uses.
///
/// For the demo, it also holds the running service.
package struct FeedSession: Sendable {
    package let feed: any Feed
    package let transfers: Transfers
    package let pool: WorkPool
    /// Changes when the source argument refers to different pages than before.
    package let fingerprint: String
    /// Whether the photos are files in a local folder.
    package let isFolder: Bool
    /// Whether photos are downloaded only if their host's `robots.txt` allows it.
    package let respectsRobotsTxt: Bool
    /// Which photos to read, from the options and the service's terms.
    package let limits: ReadingLimits
    /// The limits for hosts.
    package let hosts: HostRules
    /// Whether the source is a list of photos.
    package let isList: Bool
    /// A note that says which key a recipe file sends to which host; `nil` if it sends none.
    package let keyNote: String?
    private let origin: OriginServer?
    private let ignoresEnvironmentProxy: Bool

    /// Opens the feed of a source argument.
    package init(_ source: String, options: MirrorOptions, width: Int, token: CancellationToken) throws(MirrorError) {
        try self.init(try MirrorError.atSource(try Source(source)), options: options, width: width, token: token)
    }

    /// Opens the feed of a source.
    ///
    /// With `shares`, this process uses only its part of the budgets of hosts that others share.
    package init(
        _ known: Source, options: MirrorOptions, width: Int, token: CancellationToken, shares: [String: Int] = [:]
    ) throws(MirrorError) {
        var transferOptions = try TransferOptions(
            options, agent: Self.userAgent(options, known.politeness), width: width)
        // Processes that share a host of the source share its bandwidth.
        let bandwidth = known.politeness.bandwidth.map { max(1, $0 / (shares.values.max() ?? 1)) }
        transferOptions.bandwidth = [transferOptions.bandwidth, bandwidth].compactMap(\.self).min()
        origin = known.isDemo ? try DemoOrigin.start() : nil
        transferOptions.addressGuard.trust(known.trustedAddresses, writtenBy: options.sourceAuthor)
        if let origin { transferOptions.loopbackPorts = [DemoService.host: origin.port] }
        // The user's own bucket has no limit per host.
        let perHost = known.isBucket ? width : min(options.perHost, known.politeness.perHost ?? .max)
        var rules = HostRules(perHost: perHost)
        rules.firstSlots = 2
        rules.intervals = known.politeness.intervals
        rules.interval = options.network.rate.map { .seconds(1 / $0) }
        rules.shares = shares
        // The backlog equals the width: that keeps every slot busy and bounds the memory. If all waiting items belong
        // to one dead host, reading further may help, but only local feeds can be read further at no cost to a server.
        let pool = WorkPool(
            width: width, backlog: width, lookahead: known.isLocal ? WorkPool.largeLookahead : 0, hosts: rules,
            token: token)
        let transfers = Transfers(transferOptions, pool: pool)
        var feedOptions = FeedOptions()
        feedOptions.perPage = options.perPage
        feedOptions.order = options.order
        feedOptions.headers = options.headers
        feedOptions.list = options.list
        feedOptions.depth = options.depth
        feedOptions.respectsRobotsTxt = options.network.respectsRobotsTxt ?? true
        feedOptions.respectsOptOut = options.network.respectsOptOut
        if let size = options.minSize { feedOptions.iconSize = (size.width ?? 0, size.height ?? 0) }
        feedOptions.makeFolderFeed = { FileFeed([$0], by: .paths) }
        feedOptions.buckets = BucketOpener(options: options.buckets)
        feed = try MirrorError.atSource(try known.feed(through: transfers, options: feedOptions))
        (self.pool, self.transfers) = (pool, transfers)
        ignoresEnvironmentProxy = options.network.proxy == nil
        fingerprint = known.fingerprint
        keyNote = known.keyNote
        isFolder = known.isFolder
        isList = known.isList
        hosts = rules
        let cap = options.hasPermission ? nil : known.politeness.cap
        let items = min(options.maxItems ?? .max, cap ?? .max)
        limits = ReadingLimits(
            pages: options.pages, items: items,
            termsNote: items == cap ? Self.termsNote(items, feed.name, known.politeness) : nil,
            selection: options.selection)
        respectsRobotsTxt = options.network.respectsRobotsTxt ?? known.politeness.respectsRobotsTxt
    }

    /// The feed, if the photos are objects in a bucket.
    package var bucketFeed: BucketFeed? { feed as? BucketFeed }

    /// A note about the proxies that are used or ignored; `nil` for the demo, folders and buckets.
    package var proxyNote: String? {
        guard origin == nil, !isFolder, bucketFeed == nil else { return nil }
        let isIgnored = ignoresEnvironmentProxy && ProxyRules().note != nil
        return isIgnored
            ? "the proxies in the environment are not used; \(CommandFlag.proxy)=\(NetworkOptions.environmentProxy) uses them"
            : transfers.options.proxies.note
    }

    /// Returns the user agent, with the user's contact if there is one.
    private static func userAgent(_ options: MirrorOptions, _ politeness: Politeness) throws(MirrorError) -> String {
        if let agent = options.userAgent { return agent }
        let name = "Sluice/\(Version.number)"
        guard let contact = options.contact else {
            guard !politeness.needsContact else {
                let terms = politeness.terms.map { " by its terms (\($0))" } ?? ""
                throw MirrorError(
                    .usage, "cannot use this service without a contact: it requires one\(terms)", hint: .setContact)
            }
            return name
        }
        return "\(name) (\(contact))"
    }

    private static func termsNote(_ count: Int, _ name: String, _ politeness: Politeness) -> String {
        let terms = politeness.terms.map { " (\($0))" } ?? ""
        return "stopped at \(count) photos, the limit of \(name)'s terms\(terms)"
    }
}

/// A feed that takes the first pages from the ledger, where an interrupted run left them, and requests only the rest.
///
/// A resumed run therefore processes every photo of the feed again, including failed and missing ones, without
/// requesting these pages again.
struct ResumedFeed: Feed {
    /// How long recorded pages remain valid, in seconds.
    ///
    /// Services ask clients to cache responses for a day.
    static let lifetime = 24 * 60 * 60

    let feed: any Feed
    let ledger: Ledger
    let walk: InterruptedWalk

    var name: String { feed.name }
    var defaultVariant: String { feed.defaultVariant }
    var maxPages: Int? { feed.maxPages }
    var iconSize: (width: Int, height: Int)? { feed.iconSize }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        if let page = try Failure.inLedger(ledger.page(number, of: walk)) { return page }
        return try await feed.page(number, at: cursor, token: token)
    }
}
