// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel

/// How a mirror's photos are put into shards.
public struct DatasetOptions: Sendable, Hashable {
    /// The thumbnails to take, by their size as the user wrote it; `nil` takes the originals.
    public var size: String?
    /// The most samples of a shard.
    public var samplesPerShard = 10_000
    /// About the most bytes of a shard; a single sample may have more.
    public var bytesPerShard = 1 << 30

    /// Makes the defaults.
    public init() {}
}

/// What an export came to.
public struct DatasetReport: Sendable, Hashable {
    /// How many photos are in the shards.
    public internal(set) var samples = 0
    /// How many shards there are.
    public internal(set) var shards = 0
    /// How many bytes they have.
    public internal(set) var bytes = 0
    /// Files that are not there, or not as long as their receipts tell; their photos are left out.
    public internal(set) var broken: [String] = []
    /// Whether it was stopped before its end; then the last shard is missing.
    public internal(set) var isStopped = false
}

/// Writes a mirror's photos as WebDataset shards: tar files in which a photo's members stand together.
///
/// Photo 12 is `000000012.jpg`, `000000012.json` (its line of the manifest) and, if it has a caption, `000000012.txt`. The
/// shards are `00000.tar`, `00001.tar`, in the feed's order; the same mirror gives the same bytes. Memory stays flat.
public final class DatasetExport: Sendable {
    /// The mirror's folder.
    public let folder: String
    /// The shards' folder.
    public let output: String
    /// What is asked for.
    public let options: DatasetOptions
    private let token = Token()

    /// Describes an export; nothing is opened or made before ``run(progress:)``.
    public init(of folder: String, into output: String, options: DatasetOptions = DatasetOptions()) {
        self.folder = folder
        self.output = output
        self.options = options
    }

    /// Asks it to stop: the shard under way is given up.
    public func stop() { token.cancel() }

    /// Writes the shards; `progress` hears now and then how far it is.
    public func run(progress: (DatasetReport) -> Void = { _ in }) throws(MirrorError) -> DatasetReport {
        let place = try MirrorFolder.open(reading: folder)
        let target = try emptyFolder()
        var report = DatasetReport()
        do {
            var shard: TarShard?
            var last = 0
            while true {
                let entries = try place.ledger.entries(after: last, limit: 256)
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
                    var current = try shard.take() ?? TarShard(Self.name(report.shards), in: target)
                    try add(entry, picture, from: place.folder, to: &current, &report)
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
        place.close()
        return report
    }

    /// The picture to export of an entry, with what its name ends with; `nil` if it has none.
    private func picture(of entry: Entry) -> (file: StoredFile, ending: String)? {
        guard let receipt = entry.receipt, receipt.state == .done else { return nil }
        guard let size = options.size else {
            return receipt.original.map { ($0, Self.ending(receipt.format)) }
        }
        return receipt.thumbs.first { $0.size == size }.map { ($0.file, Self.ending($0.format)) }
    }

    private static func ending(_ format: String?) -> String {
        format.flatMap(ImageFormat.init(rawValue:))?.fileExtension ?? "bin"
    }

    /// `00012.tar`.
    private static func name(_ number: Int) -> String { "\(padded(number, 5)).tar" }

    private static func padded(_ number: Int, _ digits: Int) -> String {
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
        _ entry: Entry, _ picture: (file: StoredFile, ending: String), from folder: Folder, to shard: inout TarShard,
        _ report: inout DatasetReport
    ) throws(FileError) {
        guard let file = try? folder.openForReading(picture.file.path), (try? file.size) == picture.file.bytes else {
            report.broken.append(picture.file.path)
            return
        }
        let key = Self.padded(entry.item.seq, 9)
        guard try shard.add("\(key).\(picture.ending)", of: file, count: picture.file.bytes) else {
            throw FileError(code: 5, operation: "read", path: picture.file.path, reason: "it became shorter meanwhile")
        }
        var line = ManifestLines()
        line.add(entry)
        try shard.add("\(key).json", line.bytes)
        if let caption = entry.item.photo.caption { try shard.add("\(key).txt", Array(caption.utf8)) }
        shard.samples += 1
    }

    /// The shards' folder; shards of another export would count as this one's.
    private func emptyFolder() throws(MirrorError) -> Folder {
        let target = try MirrorError.onDisk(Folder(output, create: true))
        guard try MirrorError.onDisk(target.names()).isEmpty else {
            throw MirrorError(.usage, "\(output) holds other files: give an empty folder with --out")
        }
        return target
    }
}
