// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// Exports a mirror's photos as shards for training, by default tar files in which a photo's members follow each other.
///
/// Photo 12 is `000000012.jpg`, `000000012.json` (its metadata) and `000000012.txt` (its caption). The shards are
/// `00000.tar`, `00001.tar` and so on, in the feed's order or shuffled. The same mirror gives the same bytes. Memory
/// use does not depend on the number of photos. The next export into the same folder continues an interrupted one, and
/// keeps the shards of a complete one whose photos have not changed.
public final class DatasetExport: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The folder that the shards are written to, or a location in a bucket.
    public let output: String
    /// The options.
    public let options: DatasetOptions
    private let buckets: S3Options
    private let isDryRun: Bool
    /// The columns of the photos' lists; `nil` finds those of the mirror.
    private let columns: [ListedColumn]?
    private let token = CancellationToken()

    /// Makes an export.
    ///
    /// No file is opened or created before ``run(progress:)``. A dry run reads and converts the photos, and writes
    /// nothing.
    public convenience init(
        of folder: String, into output: String, options: DatasetOptions = DatasetOptions(),
        buckets: S3Options = S3Options(), isDryRun: Bool = false
    ) {
        self.init(of: folder, into: output, options: options, buckets: buckets, columns: nil, isDryRun: isDryRun)
    }

    /// Makes an export of a part of a plan; `columns` are those of the whole.
    package init(
        of folder: String, into output: String, options: DatasetOptions, buckets: S3Options, columns: [ListedColumn]?,
        isDryRun: Bool = false
    ) {
        (self.folder, self.output, self.options, self.buckets) = (folder, output, options, buckets)
        (self.columns, self.isDryRun) = (columns, isDryRun)
    }

    /// Requests the export to stop.
    ///
    /// The shard in progress is discarded.
    public func stop() { token.cancel() }

    /// Writes the shards; calls `progress` from time to time.
    public func run(progress: (DatasetReport) -> Void = { _ in }) throws(MirrorError) -> DatasetReport {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        do {
            let listed = try columns ?? mirror.ledger.listedColumns()
            try options.checkColumns(listed)
            let format = try checkPictures(in: mirror.ledger)
            var buckets = buckets
            // The user's folder for state is that of the mirror if both are in buckets.
            if mirror.isInBucket { buckets.stateFolder = nil }
            var target = try ExportFolder(
                output, source: mirror.identity(), options: options, buckets: buckets, isDryRun: isDryRun)
            let store = Self.store(of: mirror, options)
            let clusters = try options.clusterDistance.map { (distance) throws(LedgerError) in
                try PhotoClusters(of: mirror.ledger, distance: distance)
            }
            let stratified = try options.stratum.map { (field) throws(LedgerError) in
                try StratifiedSplits(of: mirror.ledger, by: field, into: options.splits, clusters: clusters)
            }
            let exclusions = try Exclusions(from: mirror.ledger, mirror.store, options, token: token)
            let rows = try DatasetRows(
                mirror.ledger, store, options, clusters: clusters, stratified: stratified, exclusions: exclusions)
            let finished = try FinishedShards(in: target, rows, options, token: token)
            guard !token.isCancelled else { return finished.report.stopped }
            try target.keep(finished.report.shards, before: finished.next)
            let columns = DatasetColumn.all(for: options, listed: listed)
            let rest = try DatasetRows(
                mirror.ledger, store, options, clusters: clusters, stratified: stratified, exclusions: exclusions,
                after: finished.position, readsContent: true)
            var report = try write(rest, of: mirror.ledger, store, columns, to: &target, after: finished, progress)
            guard !report.isStopped else { return report }
            let usage = try mirror.ledger.usageCounts().filter { $0.photos > 0 }
            if options.layout.rules.hasCard, let format {
                let card =
                    DatasetCard.text(columns, pictures: format) + DatasetCard.statements(usage, options.respected)
                try target.add(card, as: DatasetCard.name)
            }
            if !options.blocklist.isEmpty { report.blocked = try exclusions.count(.blocked, in: mirror.ledger) }
            report.copies = exclusions.copies.count
            if options.respected == .ai {
                report.reserved = usage.reduce(0) { $0 + (UsageTerms(text: $1.usage).reservesTraining ? $1.photos : 0) }
            }
            return report
        } catch let error as Failure {
            throw MirrorError(.local, "cannot convert photos: \(error.detail)", hint: error.hint)
        } catch {
            throw MirrorError(converting: error)
        }
    }

    /// Writes the shards that follow the finished ones.
    private func write(
        _ rows: DatasetRows, of ledger: Ledger, _ store: any Store, _ columns: [DatasetColumn],
        to target: inout ExportFolder, after finished: FinishedShards, _ progress: (DatasetReport) -> Void
    ) throws -> DatasetReport {
        var report = finished.report
        var rows = ConvertedRows(rows, from: store, options, token: token)
        var content = finished.next
        var shard: ShardWriter?
        var committer = ShardCommitter()
        // Nothing is written any more when the export ends with an error.
        defer { _ = try? committer.wait() }
        let runs = options.layout.rules.writesStatistics ? try ledger.runs() : []
        while let (row, conversion) = try rows.next() {
            if let full = shard.take() {
                content = full.content
                if content.hasRoom(for: row, options) {
                    shard = consume full
                } else {
                    try record(committer.wait(), in: &target, &report)
                    committer.start(try full.finish(runs: runs))
                }
            }
            if !content.hasRoom(for: row, options) { content = content.next(from: row) }
            var current = try shard.take() ?? ShardWriter(content, in: target, options, columns: columns)
            try current.add(row, conversion, from: store, &report)
            shard = consume current
            report.broken += row.brokenFiles
            progress(report)
        }
        try record(committer.wait(), in: &target, &report)
        guard !token.isCancelled else { return report.stopped }
        report.broken += rows.brokenFiles
        if let full = shard.take() { try record(full.finish(runs: runs).commit(), in: &target, &report) }
        return report
    }

    /// The mirror's files; the folder of the exported pictures is kept open, so that its path is not resolved for each.
    private static func store(of mirror: borrowing MirrorFolder, _ options: DatasetOptions) -> any Store {
        guard !mirror.isInBucket else { return mirror.store }
        let name = options.size.map { "thumbs/\($0)" } ?? "originals"
        return (try? mirror.state.keepingOpen(name)).map { LocalStore($0) } ?? mirror.store
    }

    private func record(
        _ shard: ExportFolder.Shard?, in target: inout ExportFolder, _ report: inout DatasetReport
    ) throws(FileError) {
        guard let shard else { return }
        try target.add(shard)
        report.count(shard)
    }

    /// Throws if no photo has the wanted picture, or if the layout does not allow their formats; returns the format if
    /// it must be the same for all.
    private func checkPictures(in ledger: Ledger) throws -> ImageFormat? {
        let allowed = options.layout.rules.uniformFormats?.map(\.name)
        var sizes: Set<String> = []
        var formats: Set<String> = []
        var hasPhotos = false
        var batches = ledger.batches()
        while let entries = try batches.next() {
            for entry in entries {
                hasPhotos = hasPhotos || entry.receipt?.state == .done
                sizes.formUnion(entry.receipt?.thumbs.map(\.size) ?? [])
                if let picture = DatasetRow.Picture(of: entry, options) { formats.insert(picture.format ?? "unknown") }
            }
            if allowed == nil, !formats.isEmpty { return nil }
        }
        if let size = options.size, hasPhotos, !sizes.contains(size) {
            let list =
                sizes.isEmpty ? "it has no thumbnails" : "the sizes are \(sizes.sorted().joined(separator: ", "))"
            throw refused("no thumbnail has the size \(size); \(list)")
        }
        if options.size == nil, formats.isEmpty, let size = sizes.min() {
            throw refused("it has no originals", hint: .exportThumbnails(size: size))
        }
        if let format = options.recodedFormat { formats = [format.name] }
        guard let allowed, formats.count > 1 || !formats.isSubset(of: allowed) else {
            return formats.first.flatMap(ImageFormat.init(rawValue:))
        }
        throw refused(
            """
            the layout \(options.layout.rawValue) needs photos of one format (\(allowed.joined(separator: ", "))), and \
            these have \(formats.sorted().joined(separator: ", "))
            """, hint: .recodePhotos)
    }

    private func refused(_ reason: String, hint: Hint? = nil) -> MirrorError {
        MirrorError(.usage, "cannot export '\(folder)': \(reason)", hint: hint)
    }
}

extension DatasetReport {
    fileprivate var stopped: DatasetReport {
        var report = self
        report.isStopped = true
        return report
    }

    mutating func count(_ shard: ExportFolder.Shard) {
        samples.add(shard.samples)
        bytes.add(shard.bytes)
        shards += 1
    }
}
