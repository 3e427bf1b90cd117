// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel

/// The shards of an interrupted export that are still correct.
struct FinishedShards {
    /// The photos and bytes in these shards.
    private(set) var report = DatasetReport()
    /// The position of the last row in the shards.
    private(set) var position = ExportOrder.Position()
    /// The first shard to write.
    private(set) var next = ShardContent(split: 0, number: 0)

    /// The position of the last row in `next`, and the broken files before it.
    private var lastRow = ExportOrder.Position()
    private var brokenFiles: [String] = []

    /// Finds the first shards in the folder that have the content that this export would give them.
    init(
        in target: ExportFolder, _ rows: DatasetRows, _ options: DatasetOptions, token: CancellationToken
    ) throws(MirrorError) {
        var rows = rows
        while report.shards < target.shards.count, !token.isCancelled {
            guard var row = try rows.next(token: token) else {
                if next.rows > 0, keepShard(in: target) {
                    next = ShardContent(split: next.split, number: next.number + 1)
                }
                break
            }
            row.addLine()
            if !next.hasRoom(for: row, options) {
                guard next.rows == 0 || keepShard(in: target) else { break }
                next = next.next(from: row)
            }
            next.add(row)
            brokenFiles += row.brokenFiles
            lastRow = row.position
        }
        next = ShardContent(split: next.split, number: next.number)
    }

    /// Compares the shard with the recorded one; returns false if they differ.
    private mutating func keepShard(in target: ExportFolder) -> Bool {
        guard let shard = target.shard(report.shards, with: next) else { return false }
        report.count(shard)
        report.keptShards += 1
        report.broken += brokenFiles
        position = lastRow
        brokenFiles = []
        return true
    }
}
