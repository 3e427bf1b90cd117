// SPDX-License-Identifier: MIT

internal import SluiceBrowser
internal import SluiceCookies
internal import SluiceDemo
package import SluiceFeeds
internal import SluiceImaging
internal import SluiceLedger
package import SluiceModel
internal import SluiceOrigin
internal import SluiceSystem
package import SluiceTransfer

/// Open feeds with the transfers and the pool that they use.
///
/// For the demo, it also holds the running service.
package struct FeedSession: Sendable {
    /// The feeds, in the order in which they are read.
    package private(set) var feeds: [SourceFeed]
    package let transfers: Transfers
    package let pool: WorkPool
    /// Changes when the source arguments refer to different pages than before.
    package let fingerprint: String
    /// Whether the photos are files in local folders.
    package let isFolder: Bool
    /// Whether photos are downloaded only if their host's `robots.txt` allows it, for a source at least.
    package let respectsRobotsTxt: Bool
    /// Which photos to read, from the options.
    package let limits: ReadingLimits
    package let hosts: HostRules
    /// Whether the source is a list of photos.
    package let isList: Bool
    /// Notes that say which key a recipe file sends to which host, and name better sources of the same photos.
    package let sourceNotes: [String]
    /// The WARC to which the transfers add their exchanges; `nil` for none.
    package let archive: WebArchive?
    private let origin: OriginServer?
    /// The user's limit of the bandwidth, and those of the sources; in bytes per second.
    private let ownBandwidth: Int?
    private let bandwidths: [Int]
    private let usesProxies: Bool
    private let ignoresEnvironmentProxy: Bool

    /// Opens the feeds of sources.
    ///
    /// With `shares`, this process uses only its part of the budgets of hosts that others share, and `originFiles`
    /// shares the files with hosts' rules.
    package init(
        _ sources: [Source], options: MirrorOptions, width: Int, token: CancellationToken, shares: [String: Int] = [:],
        originFiles: (any OriginFileSharing)? = nil
    ) throws(MirrorError) {
        let trusted = sources.flatMap(\.trustedAddresses)
        let hosts = HostRules(of: sources, options, width: width, shares: shares)
        var transferOptions = try TransferOptions(
            options, agent: try Self.userAgent(options, sources.map(\.politeness)), width: width)
        (ownBandwidth, bandwidths) = (transferOptions.bandwidth, sources.compactMap(\.politeness.bandwidth))
        transferOptions.bandwidth = Self.bandwidth(ownBandwidth, bandwidths, shares)
        transferOptions.secrets = try SourceHeaders(options.headers, for: trusted).secrets
        transferOptions.cookies = try Self.cookies(options)
        archive = options.archive.flatMap(ArchiveName.init).map(WebArchive.init)
        transferOptions.recorder = archive
        transferOptions.originFiles = originFiles
        let origin = sources.contains { $0.type == .demo } ? try DemoOrigin.start() : nil
        transferOptions.addressGuard.trust(trusted, writtenBy: options.sourceAuthor)
        if let origin { transferOptions.loopbackPorts = [DemoService.host: origin.port] }
        // The backlog equals the width: that keeps every slot busy and bounds the memory. If all waiting items belong
        // to one dead host, reading further may help. Local feeds can be read further at no cost to a server, and the
        // next of several sources may have other hosts.
        let readsAhead = sources.count > 1 || sources.allSatisfy(\.type.isLocal)
        let pool = WorkPool(
            width: width, backlog: width, lookahead: readsAhead ? WorkPool.largeLookahead : 0, hosts: hosts,
            token: token)
        let transfers = Transfers(transferOptions, pool: pool)
        var feedOptions = FeedOptions(options)
        feedOptions.browser = try Self.browser(options)
        var feeds: [SourceFeed] = []
        var (firstError, failed): (SourceError?, Int) = (nil, 0)
        for source in sources {
            let opened: [SourceFeed]
            do throws(SourceError) {
                opened = try source.feeds(through: transfers, options: feedOptions)
            } catch {
                firstError = firstError ?? error
                failed += 1
                opened = [SourceFeed(UnreadableFeed(error))]
            }
            feeds += opened.map { $0.named(after: source, hasPermission: options.hasPermission) }
        }
        // One of several sources that cannot be opened reports that when it is read.
        if let firstError, failed + sources.count(where: { $0.type == .unreadable }) == sources.count {
            throw MirrorError(firstError)
        }
        if feeds.count == 1 { feeds[0].source = nil }
        (self.feeds, self.pool, self.transfers, self.hosts, self.origin) = (feeds, pool, transfers, hosts, origin)
        ignoresEnvironmentProxy = options.network.proxy == nil
        usesProxies = sources.contains { !$0.type.isFolder && $0.type != .demo && $0.type != .bucket }
        fingerprint = sources.map(\.fingerprint).joined(separator: " ")
        sourceNotes = sources.flatMap { [$0.keyNote, $0.advice].compactMap(\.self) }
        isFolder = sources.allSatisfy(\.type.isFolder)
        isList = sources.allSatisfy { $0.type == .list }
        limits = ReadingLimits(
            pages: options.pages, items: options.maxItems ?? .max, selection: options.selection)
        respectsRobotsTxt =
            options.network.respectsRobotsTxt ?? sources.contains { $0.politeness.respectsRobotsTxt }
    }

    /// Returns the browser that builds web pages, if the user wants one.
    private static func browser(_ options: MirrorOptions) throws(MirrorError) -> InstalledBrowser? {
        guard let browser = options.browser else {
            guard options.browserProfile == nil else {
                throw MirrorError(.usage, "a browser profile is of use only with a browser", hint: .useBrowser)
            }
            return nil
        }
        do throws(BrowserError) {
            let path = browser == MirrorOptions.anyBrowser ? nil : browser
            return try InstalledBrowser(path: path, profile: options.browserProfile)
        } catch { throw MirrorError(.usage, error.message) }
    }

    /// Makes the jar of a run with the cookies that the user gave.
    private static func cookies(_ options: MirrorOptions) throws(MirrorError) -> CookieJar {
        do throws(CookieError) {
            if options.cookieFile != nil || options.cookieBrowser != nil,
                options.sourceAuthor == .ledger || options.sourceAuthor == .mirrorFile
            {
                throw CookieError("cannot send cookies: SOURCE is in a ledger that was not written here; name SOURCE")
            }
            switch (options.cookieFile, options.cookieBrowser) {
            case (nil, nil): return try CookieJar()
            case (let file?, nil): return try CookieJar(CookieSource(file: file))
            case (nil, let browser?):
                let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
                return try CookieJar(CookieSource(browser: browser, home: home))
            case (_?, _?): throw CookieError("the cookies of a run are from a file or from a browser, not from both")
            }
        } catch {
            throw MirrorError(.usage, error.message, hint: error.hint)
        }
    }

    /// The lowest limit of the bandwidth; processes that share a host of a source share the source's.
    private static func bandwidth(_ own: Int?, _ ofSources: [Int], _ shares: [String: Int]) -> Int? {
        let parts = ofSources.map { max(1, $0 / (shares.values.max() ?? 1)) }
        return ([own].compactMap(\.self) + parts).min()
    }

    /// Changes the number of processes that share each host, and so the parts of this process.
    package func setShares(_ shares: [String: Int]) {
        pool.setShares(shares)
        if let limit = Self.bandwidth(ownBandwidth, bandwidths, shares) { transfers.setBandwidth(limit) }
    }

    /// The names of the feeds, as the ledger records them.
    package var feedName: String { SourceSet(feeds.names).text }

    var walkFingerprint: String {
        feeds.count == 1 ? fingerprint : "\(fingerprint) \(Fingerprint(of: feeds.map { $0.source ?? "" }).text)"
    }

    /// The maximum number of photos that a run takes from the ledger.
    package var retriedItems: Int { ([limits.items] + feeds.compactMap(\.cap)).min() ?? .max }

    /// A note about the proxies that are used or ignored; `nil` for the demo, folders and buckets.
    package var proxyNote: String? {
        guard usesProxies else { return nil }
        let isIgnored = ignoresEnvironmentProxy && ProxyRules.environment.note != nil
        return isIgnored
            ? "the proxies in the environment are not used; \(CommandFlag.proxy)=\(NetworkOptions.environmentProxy) uses them"
            : transfers.options.proxies.note
    }

    /// Whether the names in a source lead to private addresses; `nil` if one cannot be resolved here.
    package static func isPrivate(
        _ source: Source, options: MirrorOptions, token: CancellationToken
    ) async throws(MirrorError) -> Bool? {
        let transfers = Transfers(try TransferOptions(options, agent: "", width: 1))
        var isPrivate = false
        for address in source.trustedAddresses where !address.isNumberOrLocal {
            guard let own = await transfers.isPrivate(address, token: token) else { return nil }
            isPrivate = isPrivate || own
        }
        return isPrivate
    }

    /// Returns the first address of a source that no request may reach, and the reason; `nil` if there is none.
    package static func refusal(
        of source: Source, options: MirrorOptions, token: CancellationToken
    ) async throws(MirrorError) -> (WebAddress, Failure)? {
        guard source.type != .demo else { return nil }
        var transferOptions = try TransferOptions(options, agent: "", width: 1)
        transferOptions.addressGuard.trust(source.trustedAddresses, writtenBy: options.sourceAuthor)
        let transfers = Transfers(transferOptions)
        for address in source.trustedAddresses {
            do throws(Failure) { try await transfers.checkReach(of: address, token: token) } catch {
                return (address, error)
            }
        }
        return nil
    }

    /// Returns the user agent, with the user's contact if there is one.
    private static func userAgent(_ options: MirrorOptions, _ all: [Politeness]) throws(MirrorError) -> String {
        if let agent = options.userAgent { return agent }
        let name = "Sluice/\(Version.number)"
        guard let contact = options.contact else {
            if let strict = all.first(where: \.needsContact) {
                let terms = strict.terms.map { " by its terms (\($0))" } ?? ""
                throw MirrorError(
                    .usage, "cannot use this service without a contact: it requires one\(terms)", hint: .setContact)
            }
            return name
        }
        return "\(name) (\(contact))"
    }
}

extension HostRules {
    /// Makes the rules for the hosts of sources.
    ///
    /// The limit of one source is that of all hosts; those of several apply to the hosts of their own photos.
    fileprivate init(of sources: [Source], _ options: MirrorOptions, width: Int, shares: [String: Int]) {
        let isBucket = sources.contains { $0.type == .bucket }
        let limit = sources.count == 1 ? sources[0].politeness.perHost ?? .max : .max
        // The user's own bucket has no limit per host.
        self.init(perHost: isBucket && sources.count == 1 ? width : min(options.perHost, limit))
        if isBucket { limits[""] = width }
        firstSlots = 2
        for source in sources { intervals.merge(source.politeness.intervals) { max($0, $1) } }
        interval = options.network.rate.map { .seconds(1 / $0) }
        self.shares = shares
    }
}

extension FeedOptions {
    fileprivate init(_ options: MirrorOptions) {
        self.init()
        perPage = options.perPage
        order = options.order
        list = options.list
        author = options.sourceAuthor
        depth = options.depth
        readsDetails = options.readsDetails
        explainsPictures = options.explainsPictures
        respectsRobotsTxt = options.network.respectsRobotsTxt ?? true
        respectsOptOut = options.network.respectsOptOut
        if let size = options.minSize { iconSize = (size.width ?? 0, size.height ?? 0) }
        let keepsPlaces = options.thumbnails.keptMetadata.contains(.gps)
        makeFolderFeed = { FileFeed($0, by: .paths, keepsPlaces: keepsPlaces) }
        makeMirrorFeeds = { (path) throws(SourceError) in try MirrorFeed.all(inMirrorAt: path) }
        buckets = BucketOpener(options: options.buckets)
    }
}

extension SourceFeed {
    /// Returns the feed with its source as name, unless it is that of a list in it, and with the cap of its terms.
    fileprivate func named(after source: Source, hasPermission: Bool) -> SourceFeed {
        var named = self
        // Named photos and the files in folders have their paths as ids.
        named.source = self.source ?? (source.type == .folder ? nil : source.texts.first.map { Userinfo.split($0).url })
        if idScope.isEmpty { named.idScope = named.source ?? "" }
        named.page = source.trustedAddresses.first?.hostName
        named.cap = hasPermission ? nil : politeness.cap
        return named
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
    /// The numbers of the walk's pages that are this feed's; `nil` if all are.
    let pages: [Int]?

    var name: String { feed.name }
    var defaultVariant: String { feed.defaultVariant }
    var maxPages: Int? { feed.maxPages }

    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page {
        guard let pages else {
            if let page = try Failure.inLedger(ledger.page(number, of: walk)) { return page }
            return try await feed.page(number, at: cursor, token: token)
        }
        if number <= pages.count, var page = try Failure.inLedger(ledger.page(pages[number - 1], of: walk)) {
            // Of several feeds, each cursor has the position of its feed in its first line.
            let own = page.next?.rawValue.drop { $0 != "\n" }.dropFirst() ?? ""
            page.next = own.isEmpty ? nil : Cursor(rawValue: String(own))
            return page
        }
        return try await feed.page(number, at: cursor, token: token)
    }
}
