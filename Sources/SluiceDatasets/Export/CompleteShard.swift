// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel

/// A shard whose files are complete, and still to be flushed and renamed.
struct CompleteShard: Sendable {
    let target: ExportFolder
    let content: ShardContent
    let samples: Int
    /// The size of the pictures and the files that belong to them.
    let bytes: Int
    /// The files; the main one is the last.
    let files: [StagedFile]

    /// Flushes the files and gives them their names; returns the shard as the export's record describes it.
    func commit() throws(FileError) -> ExportFolder.Shard {
        let size = try target.commit(files, of: content)
        return ExportFolder.Shard(content, samples: samples, bytes: bytes, size: size, files: files.count)
    }
}

/// Commits complete shards, one at a time, while the next one is written.
struct ShardCommitter {
    private let queue = DispatchQueue(label: "sluice.export.commit")
    private var pending: OneShot<Result<ExportFolder.Shard, FileError>>?

    /// Starts to commit a shard; the one before must have been waited for.
    mutating func start(_ shard: CompleteShard) {
        let result = OneShot<Result<ExportFolder.Shard, FileError>>()
        queue.async { result.set(Result { () throws(FileError) in try shard.commit() }) }
        pending = result
    }

    /// Waits for the shard that was started; `nil` if there is none.
    mutating func wait() throws(FileError) -> ExportFolder.Shard? {
        defer { pending = nil }
        return try pending?.waitForValue().get()
    }
}

/// The shards of an earlier export that are still correct.
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
