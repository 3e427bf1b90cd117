// SPDX-License-Identifier: MIT

internal import Dispatch
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
        ExportFolder.Shard(content, samples: samples, bytes: bytes, size: try target.commit(files, of: content))
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
