// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The shards of an interrupted export that are still correct.
struct FinishedShards {
    /// What the shards contain.
    private(set) var report = DatasetReport()
    /// The position of the last item in the shards.
    private(set) var lastItem = 0

    /// The shard to compare next, and the position of its last sample.
    private var content = ShardContent()
    private var lastSample = 0
    /// Broken files in the shard, and those after its last sample.
    private var broken: [String] = []
    private var brokenAfter: [String] = []

    /// Compares the shard with the recorded one; returns false if they differ.
    fileprivate mutating func keepShard(in target: ExportFolder) -> Bool {
        guard target.has(content, asShard: report.shards) else { return false }
        report.count(content)
        report.keptShards += 1
        report.broken += broken
        lastItem = lastSample
        (content, broken) = (ShardContent(), [])
        return true
    }

    /// Counts a photo without reading its file; returns false if it follows a shard that differs from the recorded one.
    fileprivate mutating func add(
        _ entry: LedgerEntry, _ picture: (file: StoredFile, fileExtension: String), isIntact: Bool,
        options: DatasetOptions, in target: ExportFolder
    ) -> Bool {
        if options.isFull(content, before: picture.file.bytes) {
            guard keepShard(in: target) else { return false }
        }
        guard isIntact else {
            brokenAfter.append(picture.file.path)
            return true
        }
        content.plan(DatasetSample(entry, picture.fileExtension), fileBytes: picture.file.bytes)
        lastSample = entry.item.seq
        broken += brokenAfter
        brokenAfter = []
        return true
    }
}

extension DatasetExport {
    /// Finds the first shards in the folder that have the content that this export would give them.
    func finishedShards(
        in mirror: borrowing MirrorFolder, _ target: ExportFolder
    ) throws(LedgerError) -> FinishedShards {
        var finished = FinishedShards()
        var last = 0
        while finished.report.shards < target.shards.count, !token.isCancelled {
            let entries = try mirror.ledger.entries(after: last, limit: 256)
            guard let end = entries.last else {
                _ = finished.keepShard(in: target)
                break
            }
            last = end.item.seq
            for entry in entries {
                guard let picture = picture(of: entry) else { continue }
                let isIntact = Self.isIntact(picture.file, in: mirror.store)
                guard finished.add(entry, picture, isIntact: isIntact, options: options, in: target) else {
                    return finished
                }
            }
        }
        return finished
    }
}
