// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

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
    /// Whether the export was stopped early; the shard in progress is then missing.
    public internal(set) var isStopped = false
}

/// Exports a mirror's photos as WebDataset shards: tar files in which a photo's members follow each other.
///
/// Photo 12 is `000000012.jpg`, `000000012.json` (its manifest line) and, if it has a caption, `000000012.txt`. The
/// shards are `00000.tar`, `00001.tar` and so on, in the feed's order. The same mirror gives the same bytes. Memory use
/// does not depend on the number of photos.
public final class DatasetExport: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The folder that the shards are written to.
    public let output: String
    /// The options.
    public let options: DatasetOptions
    private let token = CancellationToken()

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
        let target = try emptyFolder()
        var report = DatasetReport()
        do {
            var shard: TarShard?
            var last = 0
            while true {
                let entries = try mirror.ledger.entries(after: last, limit: 256)
                guard let end = entries.last else { break }
                last = end.item.seq
                for entry in entries {
                    guard !token.isCancelled else {
                        report.isStopped = true
                        return report
                    }
                    guard let picture = picture(of: entry) else { continue }
                    if let full = shard.take() {
                        if isFull(full, before: picture.file.bytes) {
                            try Self.finish(full, &report)
                        } else {
                            shard = consume full
                        }
                    }
                    var current = try shard.take() ?? TarShard(Self.name(ofShard: report.shards), in: target)
                    try add(entry, picture, from: mirror.folder, to: &current, &report)
                    shard = consume current
                }
                progress(report)
            }
            if let full = shard.take() { try Self.finish(full, &report) }
        } catch let error as FileError {
            throw MirrorError(error)
        } catch let error as LedgerError {
            throw MirrorError(error)
        } catch {
            throw MirrorError(.local, "\(error)")
        }
        mirror.close()
        return report
    }

    /// The file to export for an entry, and its file extension; `nil` if it has none.
    private func picture(of entry: LedgerEntry) -> (file: StoredFile, fileExtension: String)? {
        guard let receipt = entry.receipt, receipt.state == .done else { return nil }
        guard let size = options.size else {
            return receipt.original.map { ($0, Self.fileExtension(of: receipt.format)) }
        }
        return receipt.thumbs.first { $0.size == size }.map { ($0.file, Self.fileExtension(of: $0.format)) }
    }

    private static func fileExtension(of format: String?) -> String {
        format.flatMap(ImageFormat.init(rawValue:))?.fileExtension ?? "bin"
    }

    /// The file name of a shard, such as `00012.tar`.
    private static func name(ofShard number: Int) -> String { "\(padded(number, digits: 5)).tar" }

    private static func padded(_ number: Int, digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private func isFull(_ shard: borrowing TarShard, before bytes: Int) -> Bool {
        shard.samples >= options.samplesPerShard
            || shard.samples > 0 && shard.count + bytes > options.bytesPerShard
    }

    private static func finish(_ shard: consuming TarShard, _ report: inout DatasetReport) throws(FileError) {
        let (samples, bytes) = (shard.samples, shard.count)
        guard samples > 0 else { return }
        try shard.finish()
        report.samples += samples
        report.bytes += bytes
        report.shards += 1
    }

    private func add(
        _ entry: LedgerEntry, _ picture: (file: StoredFile, fileExtension: String), from folder: Folder,
        to shard: inout TarShard,
        _ report: inout DatasetReport
    ) throws(FileError) {
        guard let file = try? folder.openForReading(picture.file.path), (try? file.size) == picture.file.bytes else {
            report.broken.append(picture.file.path)
            return
        }
        let key = Self.padded(entry.item.seq, digits: 9)
        guard try shard.add("\(key).\(picture.fileExtension)", of: file, count: picture.file.bytes) else {
            throw FileError(
                code: 5, operation: "read", path: picture.file.path, reason: "the file was truncated during the export")
        }
        var line = ManifestLines()
        line.add(entry)
        try shard.add("\(key).json", line.bytes)
        if let caption = entry.item.photo.caption { try shard.add("\(key).txt", Array(caption.utf8)) }
        shard.samples += 1
    }

    /// Creates the output folder.
    ///
    /// It must be empty, because shards of another export would look like part of this one.
    private func emptyFolder() throws(MirrorError) -> Folder {
        let target = try MirrorError.onDisk(Folder(output, create: true))
        guard try MirrorError.onDisk(target.names()).isEmpty else {
            throw MirrorError(.usage, "cannot export to '\(output)': it is not empty", hint: .chooseEmptyFolder)
        }
        return target
    }
}
