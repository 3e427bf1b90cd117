// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The options of a dataset export.
public struct DatasetOptions: Sendable, Hashable {
    /// The size of the thumbnails to export, as the user wrote it; `nil` exports the originals.
    public var size: String?
    /// The maximum number of samples in a shard.
    public var samplesPerShard = 10_000
    /// The approximate maximum size of a shard in bytes.
    ///
    /// A shard with a single sample may exceed it.
    public var bytesPerShard = 1 << 30

    /// Makes the default options.
    public init() {}
}

/// The result of a dataset export.
public struct DatasetReport: Sendable, Hashable {
    /// The number of photos in the shards.
    public internal(set) var samples = 0
    /// The number of shards.
    public internal(set) var shards = 0
    /// The total size of the shards in bytes.
    public internal(set) var bytes = 0
    /// Files that are missing or whose size differs from their receipts.
    ///
    /// Their photos are not exported.
    public internal(set) var broken: [String] = []
    /// The number of shards that an interrupted export had finished and that this one kept.
    public internal(set) var keptShards = 0
    /// Whether the export was stopped early; the next export into the same folder continues it.
    public internal(set) var isStopped = false
}

/// Exports a mirror's photos as WebDataset shards: tar files in which a photo's members follow each other.
///
/// Photo 12 is `000000012.jpg`, `000000012.json` (its manifest line) and, if it has a caption, `000000012.txt`. The
/// shards are `00000.tar`, `00001.tar` and so on, in the feed's order. The same mirror gives the same bytes. Memory use
/// does not depend on the number of photos. An interrupted export is continued by the next one into the same folder.
public final class DatasetExport: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The folder that the shards are written to.
    public let output: String
    /// The options.
    public let options: DatasetOptions
    let token = CancellationToken()

    /// Makes an export.
    ///
    /// No file is opened or created before ``run(progress:)``.
    public init(of folder: String, into output: String, options: DatasetOptions = DatasetOptions()) {
        self.folder = folder
        self.output = output
        self.options = options
    }

    /// Requests the export to stop.
    ///
    /// The shard in progress is discarded.
    public func stop() { token.cancel() }

    /// Writes the shards; calls `progress` from time to time.
    public func run(progress: (DatasetReport) -> Void = { _ in }) throws(MirrorError) -> DatasetReport {
        let mirror = try MirrorFolder.open(reading: folder)
        do {
            try checkSize(in: mirror.ledger)
            var target = try ExportFolder(output, source: mirror.state, options: options)
            let finished = try finishedShards(in: mirror, target)
            guard !token.isCancelled else { return finished.report.stopped }
            try target.keep(finished.report.shards)
            let report = try write(from: mirror, to: &target, after: finished, progress)
            if !report.isStopped { try target.complete() }
            return report
        } catch let error as FileError {
            throw MirrorError(error)
        } catch let error as LedgerError {
            throw MirrorError(error)
        } catch let error as MirrorError {
            throw error
        } catch {
            throw MirrorError(.local, "\(error)")
        }
    }

    /// Throws if photos have thumbnails, but none of the wanted size.
    private func checkSize(in ledger: Ledger) throws {
        guard let wanted = options.size else { return }
        var sizes: Set<String> = []
        var last = 0
        while true {
            let entries = try ledger.entries(after: last, limit: 256)
            guard let end = entries.last else { break }
            last = end.item.seq
            for entry in entries { sizes.formUnion(entry.receipt?.thumbs.map(\.size) ?? []) }
            if sizes.contains(wanted) { return }
        }
        guard !sizes.isEmpty else { return }
        let list = sizes.sorted().joined(separator: ", ")
        throw MirrorError(
            .usage, "cannot export '\(folder)': no thumbnail has the size \(wanted); the sizes are \(list)")
    }

    /// Writes the shards that follow the finished ones.
    private func write(
        from mirror: borrowing MirrorFolder, to target: inout ExportFolder, after finished: FinishedShards,
        _ progress: (DatasetReport) -> Void
    ) throws -> DatasetReport {
        var report = finished.report
        var shard: TarShard?
        var last = finished.lastItem
        while true {
            let entries = try mirror.ledger.entries(after: last, limit: 256)
            guard let end = entries.last else { break }
            last = end.item.seq
            for entry in entries {
                guard !token.isCancelled else { return report.stopped }
                guard let picture = picture(of: entry) else { continue }
                if let full = shard.take() {
                    if options.isFull(full.content, before: picture.file.bytes) {
                        try Self.finish(full, in: &target, &report)
                    } else {
                        shard = consume full
                    }
                }
                var current = try shard.take() ?? TarShard(ExportFolder.name(ofShard: report.shards), in: target.store)
                try add(entry, picture, from: mirror.store, to: &current, &report)
                shard = consume current
            }
            progress(report)
        }
        if let full = shard.take() { try Self.finish(full, in: &target, &report) }
        return report
    }

    /// The file to export for an entry, and its file extension; `nil` if it has none.
    func picture(of entry: LedgerEntry) -> (file: StoredFile, fileExtension: String)? {
        guard let receipt = entry.receipt, receipt.state == .done else { return nil }
        guard let size = options.size else {
            return receipt.original.map { ($0, Self.fileExtension(of: receipt.format)) }
        }
        return receipt.thumbs.first { $0.size == size }.map { ($0.file, Self.fileExtension(of: $0.format)) }
    }

    private static func fileExtension(of format: String?) -> String {
        format.flatMap(ImageFormat.init(rawValue:))?.fileExtension ?? "bin"
    }

    private static func finish(
        _ shard: consuming TarShard, in target: inout ExportFolder, _ report: inout DatasetReport
    ) throws(FileError) {
        let content = shard.content
        guard content.samples > 0 else { return }
        try shard.finish()
        try target.add(content)
        report.count(content)
    }

    private func add(
        _ entry: LedgerEntry, _ picture: (file: StoredFile, fileExtension: String), from store: any Store,
        to shard: inout TarShard,
        _ report: inout DatasetReport
    ) throws(FileError) {
        guard let file = Self.open(picture.file, in: store) else {
            report.broken.append(picture.file.path)
            return
        }
        let sample = DatasetSample(entry, picture.fileExtension)
        guard try shard.add("\(sample.key).\(sample.fileExtension)", of: file, count: picture.file.bytes) else {
            throw FileError(
                code: 5, operation: "read", path: picture.file.path, reason: "the file was truncated during the export")
        }
        for text in sample.texts { try shard.add("\(sample.key).\(text.fileExtension)", text.bytes) }
        shard.content.add(sample)
    }

    /// Opens a file of the mirror; `nil` if it is missing or has another length.
    private static func open(_ file: StoredFile, in store: any Store) -> OpenFile? {
        guard let open = try? store.open(file.path), (try? open.size) == file.bytes else { return nil }
        return open
    }

    /// Whether a file of the mirror exists and has its length.
    static func isIntact(_ file: StoredFile, in store: any Store) -> Bool { open(file, in: store) != nil }
}

extension DatasetReport {
    /// The same report of an export that was stopped.
    fileprivate var stopped: DatasetReport {
        var report = self
        report.isStopped = true
        return report
    }

    mutating func count(_ content: ShardContent) {
        samples += content.samples
        bytes += content.bytes
        shards += 1
    }
}
