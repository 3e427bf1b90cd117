// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceModel
internal import SluiceTransfer

extension PhotoMirror {
    /// The pages that a forecast reads of a source that is no list.
    private static let sampledPages = 3
    /// The hosts of which photos are downloaded.
    private static let sampledHosts = 10

    /// Estimates what a run would take: reads a list, or the first pages of another source, and downloads up to four
    /// photos of each of ten hosts, which it does not keep.
    ///
    /// All limits for hosts apply. Creates no folder and reads no ledger.
    public func forecast() async throws(MirrorError) -> Forecast {
        let session = try FeedSession(
            Self.parsed(sources, nil), options: options,
            width: DescriptorLimit.raised().width(for: options.concurrency),
            token: control.token)
        guard !session.isFolder else {
            throw MirrorError(.usage, "cannot forecast '\(source)': its photos are on this machine")
        }
        let listing = Listing()
        var failure: String?
        do throws(Failure) { try await list(session, into: listing) } catch { failure = "\(error)" }
        let state = listing.state.withLock { $0 }
        let photos = state.estimate(
            limit: session.retriedItems, pages: options.pages,
            knowsTotal: options.changedNames(affecting: .selection).isEmpty)
        let scale = Double(photos) / Double(max(state.photos, 1))
        var hosts: [Forecast.Host] = []
        for (name, photos) in state.hosts.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }) {
            let sample = hosts.count < Self.sampledHosts ? photos.sample : []
            let (host, problem) = await measure(
                name, sample, photos: Int(rounding: Double(photos.count) * scale), in: session)
            hosts.append(host)
            failure = failure ?? problem
        }
        return Forecast(
            hosts: hosts, photos: photos, hasMore: !state.isComplete && photos == state.photos,
            pages: state.isComplete ? state.pages : Int(rounding: Double(state.pages) * scale, .up),
            secondsPerPage: state.seconds / Double(max(state.pages, 1)), concurrency: options.concurrency,
            bandwidth: session.transfers.options.bandwidth, failure: failure)
    }

    /// Reads the source, and collects its photos by their hosts.
    private func list(_ session: FeedSession, into listing: Listing) async throws(Failure) {
        var limits = session.limits
        if !session.isList { limits.pages = min(limits.pages ?? .max, Self.sampledPages) }
        var reader = PageReader(
            session.feeds, limits: limits, claims: UnrecordedClaims(), token: control.token,
            report: { listing.record($0) })
        defer { reader.finish() }
        let choice = session.choice(options)
        let start = ContinuousClock.now
        while let photos = try await reader.next() {
            for photo in photos { listing.add(photo, choice) }
        }
        if let failure = reader.failure { throw failure }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let isCut = !session.isList && (options.pages ?? .max) > Self.sampledPages
        listing.state.withLock { state in
            state.seconds = seconds
            // The end of the source, or of the photos that the options want.
            state.isComplete =
                reader.isComplete || reader.hasVisitedAllFeeds && !(isCut && state.pages >= Self.sampledPages)
        }
    }

    /// Downloads a sample of a host's photos.
    private func measure(
        _ host: String, _ sample: [Variant], photos: Int, in session: FeedSession
    ) async -> (Forecast.Host, String?) {
        let results = Locked<(sizes: [Int], seconds: [Double], failures: Int, failure: String?)>(([], [], 0, nil))
        for variant in sample {
            var request = Request(for: variant, limit: options.maxBytes, timeout: options.timeout)
            request.respectsRobotsTxt = session.respectsRobotsTxt
            request.respectsOptOut = options.network.respectsOptOut
            session.pool.submit(host: host) { [request] slot in
                do throws(Failure) {
                    let response = try await session.transfers.fetch(request, slot: slot)
                    results.withLock { results in
                        results.sizes.append(response.bytes)
                        if let times = response.times {
                            results.seconds.append((times.firstByte + times.body) / .seconds(1))
                        }
                    }
                } catch {
                    results.withLock { ($0.failures, $0.failure) = ($0.failures + 1, "\(error)") }
                }
            } dropped: { failure in
                results.withLock { ($0.failures, $0.failure) = ($0.failures + 1, "\(failure)") }
            }
        }
        await session.pool.waitUntilIdle()
        let found = results.withLock { $0 }
        let (perHost, hosts) = (session.hosts.limits[host] ?? session.hosts.perHost, session.hosts)
        let forecast = Forecast.Host(
            name: host, photos: photos, sizes: found.sizes,
            seconds: found.seconds.reduce(0, +) / Double(max(found.seconds.count, 1)), failures: found.failures,
            connections: min(perHost, options.concurrency), interval: hosts.interval(of: host).map { $0 / .seconds(1) })
        return (forecast, found.failure)
    }
}

private final class Listing: Sendable {
    struct Photos {
        private static let length = 4

        private(set) var count = 0
        private var kept: [Variant] = []
        private var stride = 1

        var sample: [Variant] { Array(kept.prefix(Self.length)) }

        mutating func add(_ variant: Variant) {
            if count.isMultiple(of: stride) { kept.append(variant) }
            count += 1
            guard kept.count == 2 * Self.length else { return }
            stride *= 2
            kept = kept.indices.filter { $0.isMultiple(of: 2) }.map { kept[$0] }
        }
    }

    struct State {
        var pages = 0
        var photos = 0
        var total: Int?
        var hosts = TextMap<Photos>()
        var seconds = 0.0
        var isComplete = false

        /// The number of photos that a run with these limits would find.
        func estimate(limit: Int, pages limitOfPages: Int?, knowsTotal: Bool) -> Int {
            guard !isComplete, knowsTotal, let total else { return photos }
            let perPage = Double(photos) / Double(max(pages, 1))
            let readable = limitOfPages.map { Int(rounding: Double($0) * perPage, .up) } ?? .max
            return max(photos, min(total, limit, readable))
        }
    }

    let state = Locked(State())

    func record(_ event: Event) {
        guard case .pageLoaded(_, _, let total) = event else { return }
        state.withLock { state in
            state.pages += 1
            state.total = total ?? state.total
        }
    }

    func add(_ photo: Photo, _ choice: VariantChoice) {
        guard photo.invalidReason == nil, let variant = choice.variant(of: photo) else { return }
        let host = choice.host(of: photo)
        state.withLock { state in
            state.photos += 1
            state.hosts[host, default: Photos()].add(variant)
        }
    }
}
