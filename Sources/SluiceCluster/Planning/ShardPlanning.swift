// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// How many shards a plan has.
public enum ShardCount: Sendable, Hashable {
    /// This number.
    case shards(Int)
    /// As few as have at most about this many photos each.
    case items(Int)

    func shards(for rows: Int) -> Int {
        switch self {
        case .shards(let count): count
        case .items(let items): max(1, rows / items + (rows.isMultiple(of: items) ? 0 : 1))
        }
    }
}

/// The result of planning: the plan, and a forecast of the run.
public struct PlanReport: Sendable {
    /// A host with many photos.
    public struct Host: Sendable, Hashable {
        /// The host's name; empty for local files.
        public var name: String
        /// The number of photos.
        public var rows: Int
        /// The number of shards that share the host.
        public var shards: Int
    }

    /// The plan.
    public internal(set) var plan: Plan
    /// Whether the folder contained the same plan before.
    public internal(set) var isUnchanged = false
    /// The hosts with the most photos, largest first.
    public internal(set) var largestHosts: [Host] = []
    /// The time that the rate limit of the slowest host requires, however many shards there are; `nil` without rates.
    public internal(set) var shortestTime: Duration?
    /// Remarks of the source.
    public internal(set) var notes: [String] = []
}

/// Splits a source into shards for many machines.
///
/// It reads the source once, as a run does, and never holds it in memory: about 1.5 bytes per photo, and 85 per host.
/// The same source and options give the same plan.
public final class ShardPlanning: Sendable {
    private static let reportedHosts = 5

    private let source: String
    private let folder: String
    private let options: MirrorOptions
    private let count: ShardCount
    private let earlierPlans: [String]
    private let token = CancellationToken()

    /// Prepares a plan of `source` in the folder `folder`.
    ///
    /// `options` are those of the mirror, with the command to record. If earlier plans are named, the first one and
    /// those that were appended to it in order, the plan has only photos that they lack.
    public init(
        of source: String, into folder: String, options: MirrorOptions, count: ShardCount,
        appendingTo earlierPlans: [String] = []
    ) {
        (self.source, self.folder, self.options, self.count) = (source, folder, options, count)
        self.earlierPlans = earlierPlans
    }

    /// Requests the planning to stop; ``run(progress:)`` then throws.
    public func stop() { token.cancel() }

    /// Writes the plan; calls `progress` with the number of photos so far.
    ///
    /// Throws if the folder contains another plan.
    public func run(progress: (Int) -> Void = { _ in }) async throws(MirrorError) -> PlanReport {
        let naming = try MirrorError.atName(options.name)
        let known = try MirrorError.atSource(try Source(source))
        let session = try FeedSession([known], options: options, width: 1, token: token)
        let plans = try checkedEarlierPlans(of: session)
        var names = FileNames(naming)
        let target = try PlanFolder(folder, options.buckets)
        var earlier = try EarlierPhotos(of: plans, reservingIn: &names, storedIn: target.temporary, token: token)
        var rows = try PlannedRows(
            in: target.temporary, choice: session.choice(options), naming: names, after: earlier.count)
        let claims = UnrecordedClaims(in: target.temporary)
        let notes = try await read(session, claims, into: &rows, &earlier, progress)
        guard rows.count > 0 else {
            guard let last = earlierPlans.last else {
                throw MirrorError(.feed, "cannot plan '\(source)': it lists no photos")
            }
            throw MirrorError(.usage, "cannot append to '\(last)': '\(source)' lists no new photos")
        }
        let spool = try await stage(&rows)
        defer { target.temporary.discard(spool.file) }
        let shards = count.shards(for: rows.count)
        let hosts = rows.hosts
        let packing = ShardPacking(hosts, into: shards, sharers: session.isFolder ? shards : session.hosts.perHost)
        let files = try await distribute(rows.count, spool.file, over: packing, into: shards, target)
        var plan = Plan(
            source: Userinfo.split(source).url, feed: session.feedName, isList: session.isList,
            feedFingerprint: session.fingerprint, command: options.commandLine, options: options.fingerprint,
            rows: rows.count, sourceSHA256: spool.sha256, shards: Array(repeating: Plan.Shard(), count: shards),
            columns: rows.columns.all, appendedTo: earlier.plan)
        for (shard, file) in files.enumerated() {
            (plan.shards[shard].rows, plan.shards[shard].sha256) = (file.rows, file.sha256)
        }
        for (position, host) in hosts.enumerated() {
            let chosen = packing.shards(of: position)
            for shard in chosen {
                plan.shards[shard].hosts += 1
                if chosen.count > 1, !host.name.isEmpty { plan.shards[shard].shares[host.name] = chosen.count }
            }
        }
        var report = PlanReport(plan: plan)
        report.isUnchanged = try target.commit(plan, files.map(\.file))
        report.notes = session.sourceNotes + notes + earlier.notes
        report.forecast(hosts, packing, session.hosts, Self.reportedHosts)
        return report
    }

    /// Opens the earlier plans, which must be plans of the same feed with the same options.
    private func checkedEarlierPlans(of session: FeedSession) throws(MirrorError) -> [OpenedPlan] {
        let plans = try OpenedPlan.open(earlierPlans, options.buckets, to: "append to")
        for opened in plans {
            let plan = opened.plan
            guard plan.feed.utf8.elementsEqual(session.feedName.utf8), plan.options == options.fingerprint else {
                throw MirrorError(
                    .usage,
                    "cannot append to '\(opened.store.location)': it has photos of another feed, or options that make "
                        + "other files")
            }
        }
        if let appended = plans.first?.plan.appendedTo, !appended.isEmpty {
            throw MirrorError(
                .usage,
                "cannot append to '\(plans[0].store.location)': it was appended to another plan; name that plan first")
        }
        return plans
    }

    /// Numbers and names the photos of the feed that no earlier plan has; returns the feed's notes.
    private func read(
        _ session: FeedSession, _ claims: UnrecordedClaims, into rows: inout PlannedRows,
        _ earlier: inout EarlierPhotos,
        _ progress: (Int) -> Void
    ) async throws(MirrorError) -> [String] {
        let notes = Locked<[String]>([])
        var reader = PageReader(session.feeds, limits: session.limits, claims: claims, token: token) { event in
            if case .note(let note, _) = event { notes.withLock { $0.append(note) } }
        }
        do throws(Failure) {
            while let photos = try await reader.next() {
                reader.requestPage()
                let new: ArraySlice<Photo>
                do throws(FileError) { new = try earlier.newPhotos(in: photos) } catch { throw Failure(error) }
                try await rows.add(new, page: reader.pageNumber, of: reader.feedName)
                progress(rows.count)
            }
            try token.check()
            // A plan has all photos of its source.
            if let failure = reader.failure { throw failure }
        } catch {
            let code: MirrorError.Code = error.cause == .policy ? .usage : error.cause == .disk ? .local : .feed
            throw MirrorError(code, "cannot plan '\(source)': \(error)", hint: error.hint)
        }
        reader.finish()
        return notes.withLock(\.self)
    }

    private func stage(_ rows: inout PlannedRows) async throws(MirrorError) -> (file: StagedFile, sha256: String) {
        do throws(FileError) { return try await rows.stage() } catch { throw MirrorError(error) }
    }

    private func distribute(
        _ rows: Int, _ spool: StagedFile, over packing: ShardPacking, into shards: Int,
        _ target: borrowing PlanFolder
    ) async throws(MirrorError) -> [(file: StagedFile, rows: Int, sha256: String)] {
        let limit = DescriptorLimit.raised()
        guard shards + DescriptorLimit.minimum <= limit.maximum else {
            throw MirrorError(
                .usage, "cannot write \(shards) shards: this process may open only \(limit.maximum) files (`ulimit -n`)"
            )
        }
        // All buffers together take 16 MB, unless that makes the frames too small to compress well.
        let bufferSize = max(8 << 10, min(256 << 10, (16 << 20) / shards))
        let encoder = ZstdEncoder()
        let damage = MirrorError(.local, "cannot plan '\(source)': its rows in '\(spool.temporary)' were changed")
        do {
            var files: [RowFileWriter] = []
            for shard in 0..<shards {
                files.append(
                    try RowFileWriter(
                        Plan.rowsName(of: shard), in: target.store, encoder: encoder, bufferSize: bufferSize))
            }
            var compression = FrameCompression()
            var counts = Array(repeating: 0, count: shards)
            var turns: [Int: Int] = [:]
            var lines = try LineReader(try target.temporary.open(spool.temporary))
            while let line = try lines.next() {
                guard let (host, row) = PlannedRows.split(line), host < packing.count else {
                    throw damage
                }
                let shard = packing.nextShard(of: host, &turns)
                counts[shard] += 1
                let file = files[shard]
                file.add(row)
                guard file.isFull else { continue }
                try token.check()
                try await compression.add(file.takeRows(), to: file)
            }
            guard counts.reduce(0, +) == rows else { throw damage }
            for file in files { try await compression.add(file.takeRows(), to: file) }
            try await compression.finish()
            return try zip(files, counts).map { file, count in
                let staged = try file.stage()
                return (staged.file, count, staged.sha256)
            }
        } catch {
            throw MirrorError(converting: error)
        }
    }
}

extension PlanReport {
    fileprivate mutating func forecast(
        _ hosts: HostCounts, _ packing: ShardPacking, _ rules: HostRules, _ count: Int
    ) {
        for (position, host) in hosts.enumerated() {
            if let interval = rules.interval(of: host.name) {
                shortestTime = max(shortestTime ?? .zero, interval * host.rows)
            }
            if largestHosts.count == count, let last = largestHosts.last, host.rows < last.rows { continue }
            let shards = packing.shards(of: position).count
            largestHosts.append(Host(name: host.name, rows: host.rows, shards: shards))
            largestHosts.sort { ($1.rows, $0.name) < ($0.rows, $1.name) }
            largestHosts = Array(largestHosts.prefix(count))
        }
    }
}
