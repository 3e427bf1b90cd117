// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceImaging
package import SluiceModel

extension MirrorOptions: OptionGroup {
    package static let fields: [OptionField<MirrorOptions>] =
        reading + writing + NetworkOptions.fields.map { $0.lifted(\.network) }
        + RunOptions.fields.map { $0.lifted(\.run) }

    private static let reading: [OptionField<MirrorOptions>] = [
        OptionField("pages", \.pages, .extent),
        OptionField("per-page", \.perPage, .paging, ledger: .always("per-page")),
        OptionField("depth", \.depth, .paging, ledger: .ifChanged("depth")),
        OptionField(
            "no-details", \.readsDetails, .paging, ledger: .ifChanged("details"), text: { $0 ? "no" : "yes" }),
        OptionField("explain", \.explainsPictures, .singleRun),
        OptionField("max-items", \.maxItems, [.extent, .notRepair]),
        OptionField("stop-after-seen", \.stopAfterSeen, [.extent, .singleRun]),
        OptionField("i-have-permission", \.hasPermission),
        OptionField("variant", \.variant, .files, ledger: .always("variant"), text: { $0 ?? "auto" }),
        OptionField("order", \.order, .paging, ledger: .always("order")),
        OptionField("refresh", \.refreshes, .notAdoption),
        OptionField("min-size", \.minSize),
        OptionField("aspect", \.aspect) { $0.map { "\($0.lowerBound)..\($0.upperBound)" } },
        OptionField("range", \.selection.positions, .selection) { _ in nil },
        OptionField("filter", \.selection.filter, .selection) { _ in nil },
        OptionField("collection", \.selection.collections, .selection),
        OptionField("since", \.selection.since, .selection) { _ in nil },
        OptionField("url-column", \.list.urlColumn),
        OptionField("id-column", \.list.idColumn),
        OptionField("caption-column", \.list.captionColumn),
        OptionField("columns", \.list.keptColumns) { $0.map { $0.isEmpty ? "none" : $0.joined(separator: ",") } },
        OptionField("retry", \.retriedCauses, [.extent, .notAdoption]) { _ in nil },
        OptionField("prune", \.prune, .notAdoption) { $0 == nil ? "no" : "yes" },
        OptionField("prune-limit", \.prune, .notAdoption) { $0.map { "\($0.limit)%" } },
        OptionField("skip-deleted", \.skipsDeleted, [.notRepair, .notAdoption]),
    ]

    /// The options for transfers and files.
    private static let writing: [OptionField<MirrorOptions>] = [
        OptionField("concurrency", \.concurrency),
        OptionField("per-host", \.perHost),
        OptionField("timeout", \.timeout),
        OptionField("retries", \.retries),
        OptionField("user-agent", \.userAgent, .confidential),
        OptionField("contact", \.contact, .confidential),
        OptionField("header", \.headers, .confidential),
        OptionField("cookies", \.cookieFile, .confidential),
        OptionField("cookies-from-browser", \.cookieBrowser, .confidential),
        OptionField("browser", \.browser, .confidential),
        OptionField("browser-profile", \.browserProfile, .confidential),
        OptionField("name", \.name),
        OptionField(
            "no-originals", \.keepsOriginals, .files, ledger: .always("originals"), text: { $0 ? "no" : "yes" }),
        OptionField("mtime", \.datesFiles),
        OptionField("xmp", \.writesSidecars, .files, ledger: .ifChanged("xmp")),
        OptionField("only-decodable", \.keepsUndecodable) { $0 ? "no" : "yes" },
        OptionField("fetch", \.fetch, .files, ledger: .when("fetch", \.stopsEarly)),
        OptionField("warc", \.archive, .singleRun),
        OptionField("skip-similar", \.skipsSimilar, [.singleRun, .notRepair, .notAdoption]),
        OptionField("blocklist", \.blocklist, .confidential),
        OptionField("no-share", \.sharesContent) { $0 ? "no" : "yes" },
    ]

    /// Whether the run covers the whole feed.
    package var wantsAll: Bool { changedNames(affecting: .coverage).isEmpty }

    /// Identifies the options that determine which files a run makes, in one line for the ledger.
    package var fingerprint: String {
        let sizes = run.thumbnails.sizes.map(\.description).joined(separator: ",")
        var texts = ledgerTexts(affecting: .files)
        // Earlier versions wrote the thumbnails after the first two options.
        texts.insert("sizes=\(sizes) thumbnails=\(run.thumbnails.fingerprint)", at: 2)
        return texts.joined(separator: " ")
    }

    /// Identifies the options that determine which photos are on which page, in one line for the ledger.
    package var pagingFingerprint: String { ledgerTexts(affecting: .paging).joined(separator: " ") }

    /// Returns the options for a report, with the concurrency that the system allows.
    package func settings(width: Int) -> [RunReport.Setting] {
        settings(
            given: run.givenOptions,
            actual: [
                RunReport.Setting("concurrency", adaptsConcurrency ? "auto" : "\(width)"),
                RunReport.Setting("per-host", "\(perHost)"),
            ])
    }
}

extension ThumbnailRunOptions: OptionGroup {
    /// Every option of a run over local files.
    package static let fields: [OptionField<ThumbnailRunOptions>] =
        [OptionField("jobs", \.jobs)] + RunOptions.fields.map { $0.lifted(\.run) }

    /// Returns the options for a report, with the number of decoders.
    package func settings(jobs: Int) -> [RunReport.Setting] {
        settings(given: run.givenOptions, actual: [RunReport.Setting("jobs", "\(jobs)")])
    }
}

extension NetworkOptions: OptionGroup {
    package static let fields: [OptionField<NetworkOptions>] = [
        OptionField("connect-timeout", \.connectTimeout),
        OptionField("first-byte-timeout", \.firstByteTimeout),
        OptionField("min-speed", \.minimumSpeed, text: { $0 == 0 ? "none" : "\($0)" }),
        OptionField("rate", \.rate, text: { $0.map { "\($0)/s" } }),
        OptionField("bandwidth", \.bandwidth),
        OptionField("robots", \.respectsRobotsTxt),
        OptionField("ignore-opt-out", \.respectsOptOut) { $0 ? "no" : "yes" },
        OptionField("http", \.http),
        OptionField("proxy", \.proxy, text: { $0.map { Userinfo.split($0).url } }),
        OptionField("resolve", \.resolved),
        OptionField("dns-server", \.nameServers),
        OptionField("allow-private", \.allowsPrivate),
        OptionField("allow-address", \.allowedAddresses),
        OptionField("allow-port", \.allowedPorts),
        OptionField("ca-file", \.certificates),
        OptionField("netrc", \.readsNetrc),
    ]
}

extension HTTPVersion: OptionValue {}
extension MirrorOptions.Fetch: OptionValue {}
