// SPDX-License-Identifier: MIT

import SluiceFeeds
import SluiceImaging
import SluiceModel
import Testing

@testable import SluiceEngine

/// The table of a run's options, from which all lists of options are derived.
@Suite("Option fields", .timeLimit(.minutes(10))) struct OptionFieldTests {
    /// Options that all differ from their defaults.
    private static var changed: MirrorOptions {
        get throws {
            var options = MirrorOptions()
            (options.depth, options.readsDetails, options.explainsPictures) = (1, false, true)
            (options.pages, options.perPage, options.maxItems, options.stopAfterSeen) = (1, 2, 3, 4)
            (options.variant, options.order, options.name) = ("small", "latest", "{seq}")
            (options.refreshes, options.skipsDeleted, options.hasPermission) = (true, true, true)
            options.retriedCauses = CauseSet("dns")
            options.prune = PruneOptions()
            (options.minSize, options.aspect) = (ThumbnailSize(width: 9, height: nil), 1...2)
            options.selection.positions = PositionRanges("1-3")
            options.selection.filter = try Filter("width>1")
            (options.selection.collections, options.selection.since) = (["a"], 7)
            (options.list.urlColumn, options.list.idColumn, options.list.captionColumn) = ("u", "i", "c")
            options.list.keptColumns = ["k"]
            (options.concurrency, options.perHost, options.retries) = (1, 1, 1)
            (options.timeout, options.userAgent, options.contact) = (.seconds(1), "a", "c")
            (options.headers, options.keepsOriginals, options.fetch) = (["A: b"], false, .enough)
            (options.cookieFile, options.cookieBrowser) = ("c", "firefox")
            (options.browser, options.browserProfile) = ("b", "p")
            (options.sharesContent, options.keepsUndecodable, options.datesFiles) = (false, false, true)
            options.archive = "a.warc"
            (options.writesSidecars, options.skipsSimilar, options.blocklist) = (true, true, "b.txt")
            network(&options.network)
            run(&options.run)
            return options
        }
    }

    private static func network(_ network: inout NetworkOptions) {
        (network.connectTimeout, network.firstByteTimeout) = (.seconds(1), .seconds(1))
        (network.minimumSpeed, network.http, network.proxy) = (0, .http2, "http://me:secret@proxy:1")
        (network.allowsPrivate, network.allowedAddresses, network.allowedPorts) = (true, ["10.0.0.1"], [81])
        (network.readsNetrc, network.certificates, network.rate) = (true, "f", 1)
        (network.bandwidth, network.respectsRobotsTxt, network.respectsOptOut) = (1, true, false)
        (network.nameServers, network.resolved) = (["1.1.1.1"], ["a:1:1.1.1.1"])
    }

    private static func run(_ run: inout RunOptions) {
        run.thumbnails = WorkerCoderTests.options
        (run.limits.failures, run.limits.time, run.limits.transfer) = (.count(1), .seconds(1), 1)
        (run.limits.drain, run.lockTimeout) = (.seconds(1), .seconds(1))
        (run.maxBytes, run.memory, run.isolation) = (1, 1, .ownWorkers.acceptingWeakSandbox)
        (run.retriesQuarantined, run.durability, run.allowsUntrustedFolder) = (true, .each, true)
        (run.writesGallery, run.writesParquet, run.trace, run.metrics) = (false, true, "t", "m")
        (run.appearance.title, run.appearance.theme, run.appearance.style) = ("t", .dark, "s")
        (run.buckets.endpoint, run.buckets.region, run.buckets.profile) = ("e", "r", "p")
        (run.buckets.usesRole, run.buckets.addressing, run.buckets.allowsUnsafeCommits) = (true, .path, true)
        (run.buckets.leaseSeconds, run.buckets.stateFolder, run.buckets.readsAnonymously) = (1, "s", true)
    }

    /// The fields that belong to another option, or that no option sets.
    private static let others: Set<String> = [
        "adaptsConcurrency", "commandLine", "unreportedWords", "givenOptions", "sourceAuthor", "readsHeaders",
        "acceptsEmpty", "forecast", "publicNames",
    ]

    @Test("Every stored value of a run's options is in the table")
    func complete() throws {
        let changed = try Self.changed
        let plain = MirrorOptions()
        let groups: [(Any, Any)] = [
            (changed, plain), (changed.run, plain.run), (changed.network, plain.network),
            (changed.run.buckets, plain.run.buckets), (changed.run.limits, plain.run.limits),
            (changed.selection, plain.selection), (changed.list, plain.list),
            (changed.run.appearance, plain.run.appearance),
        ]
        for (set, unset) in groups {
            for (part, other) in zip(Mirror(reflecting: set).children, Mirror(reflecting: unset).children) {
                let name = part.label ?? ""
                #expect(
                    "\(part.value)" != "\(other.value)" || Self.others.contains(name),
                    "add \(name) to the changed options")
            }
        }
        // A value that is not in the table would keep its default.
        var copy = MirrorOptions()
        for field in MirrorOptions.fields { field.copy(&copy, changed) }
        #expect(String(reflecting: copy.run) == String(reflecting: changed.run))
        #expect(String(reflecting: copy.network) == String(reflecting: changed.network))
        #expect(String(reflecting: copy) == String(reflecting: changed))
        for field in MirrorOptions.fields { #expect(field.differs(changed, plain), "\(field.name ?? "")") }
    }

    @Test("No two options have the same name, and only fields of decode workers have none")
    func names() {
        let names = MirrorOptions.fields.compactMap(\.name)
        #expect(Set(names).count == names.count)
        let nameless = ThumbnailOptions.fields.count { $0.name == nil }
        #expect(MirrorOptions.fields.count { $0.name == nil } == nameless)
        let hasUncoded = ThumbnailOptions.fields.contains { $0.code == nil }
        #expect(!hasUncoded, "workers get all thumbnail options")
    }

    @Test("The run covers the whole feed only without options that select a part of it")
    func coverage() throws {
        #expect(MirrorOptions().wantsAll)
        let wanted: Set = [
            "pages", "max-items", "stop-after-seen", "range", "filter", "collection", "since", "retry",
        ]
        #expect(Set(try Self.changed.changedNames(affecting: .coverage)) == wanted)
        for field in MirrorOptions.fields {
            var options = MirrorOptions()
            field.copy(&options, try Self.changed)
            #expect(options.wantsAll == !wanted.contains(field.name ?? ""), "\(field.name ?? "")")
        }
    }

    @Test("A repair and an adoption reset the options that do not concern them")
    func resets() throws {
        var repair = try Self.changed
        repair.reset(.notRepair)
        #expect(repair.maxItems == nil && !repair.skipsDeleted && repair.pages == 1)
        var adoption = try Self.changed
        adoption.reset(.notAdoption)
        #expect(!adoption.refreshes && !adoption.skipsDeleted && adoption.retriedCauses == nil && adoption.prune == nil)
        #expect(adoption.maxItems == 3)
    }

    /// The report left out the kernel, the encoder's speed and other options that determine its figures.
    @Test("A report lists the options that differ from their defaults, and no secrets")
    func changedSettings() throws {
        var options = MirrorOptions()
        #expect(options.settings(width: 9).map(\.name) == ["concurrency", "per-host"])
        options.thumbnails.kernel = .nearest
        (options.thumbnails.isLinear, options.thumbnails.sharpen, options.thumbnails.speed) = (true, 0.5, 0)
        options.thumbnails.isLossless = true
        let texts = options.settings(width: 9).map { "\($0.name)=\($0.value)" }
        #expect(
            texts == [
                "concurrency=9", "per-host=6", "kernel=nearest", "sharpen=50", "linear=yes", "lossless=yes", "speed=0",
            ])
        let all = try Self.changed.settings(width: 9)
        for name in ["header", "user-agent", "contact", "state", "s3-endpoint", "s3-profile"] {
            #expect(!all.contains { $0.name == name }, "\(name)")
        }
        #expect(all.first { $0.name == "proxy" }?.value == "http://proxy:1")
    }

    @Test("A report lists the options that the user set, with the values that they have")
    func givenSettings() {
        var options = MirrorOptions()
        options.network.bandwidth = 25_000_000
        options.concurrency = 4000
        options.givenOptions = [
            ("concurrency", "4000"), ("bandwidth", "25M"), ("filter", "width>1"), ("retries", "3"), ("quiet", "yes"),
            ("header", "A: secret"), ("bandwidth", "25M"),
        ].map(RunReport.Setting.init)
        let texts = options.settings(width: 900).map { "\($0.name)=\($0.value)" }
        #expect(texts == ["concurrency=900", "per-host=6", "bandwidth=25000000", "filter=width>1", "retries=3"])
    }

    @Test("One entry for an imaginary option puts it into everything that is derived")
    func imaginary() {
        let path: any WritableKeyPath<MirrorOptions, String?> & Sendable = \.run.trace
        let entry = OptionField<MirrorOptions>(
            "imaginary", path, [.files, .paging, .extent, .singleRun, .notRepair], ledger: .ifChanged("imaginary"))
        var options = MirrorOptions()
        #expect(options.ledgerTexts(affecting: .files, in: [entry]) == [])
        options.trace = "value"
        for effect in [OptionEffects.files, .paging] {
            #expect(options.ledgerTexts(affecting: effect, in: [entry]) == ["imaginary=value"])
        }
        for effect in [OptionEffects.coverage, .singleRun] {
            #expect(options.changedNames(affecting: effect, in: [entry]) == ["imaginary"])
        }
        let wanted = [RunReport.Setting("imaginary", "value")]
        #expect(options.settings(given: nil, actual: [], in: [entry]) == wanted)
        options.reset(.notRepair, in: [entry])
        #expect(options.trace == nil)
    }

    @Test("One entry for an imaginary option of thumbnails reaches the decode workers")
    func imaginaryOfWorkers() throws {
        let entry = OptionField<ThumbnailOptions>(worker: "imaginary", \.quality, .files, ledger: .ifChanged("new"))
        var options = ThumbnailOptions()
        options.quality = 7
        var coder = WorkerCoder()
        try coder.code(&options, in: [entry])
        var (received, reader) = (ThumbnailOptions(), WorkerCoder(reading: coder.bytes))
        try reader.code(&received, in: [entry])
        #expect(received.quality == 7 && reader.isAtEnd)
        #expect(options.ledgerTexts(affecting: .files, separator: ":", in: [entry]) == ["new:7"])
    }
}
