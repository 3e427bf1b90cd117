// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Commits a finished attempt as pieces of a dataset.
///
/// The attempt is a mirror on this machine. Its export and its manifest become the shard's files, and the receipt has
/// their digests. Afterwards the attempt is removed.
struct DatasetCommit {
    /// The folder of the pieces in an attempt.
    static let folder = "dataset"
    /// Held while the pieces are made: the export itself locks the attempt as a mirror.
    private static let lock = "\(MirrorFolder.marker)/dataset-lock"
    private static let bufferSize = 256 << 10

    let shard: PlannedShard
    let dataset: ShardDataset
    let target: DatasetFolder
    let attempts: ShardAttempts
    /// Whether the pieces must be copied from the machine's own disk.
    let isCopied: Bool
    let token: CancellationToken

    /// Stores the shard's receipt if it is the first one.
    func run(_ attempt: String, startedAt started: Int) throws(MirrorError) -> ShardRun.Outcome {
        guard let folder = try attempts.localFolder(of: attempt) else {
            preconditionFailure("attempts at a dataset are local")
        }
        let lock = try MirrorError.onDisk(FolderLock(Self.lock, in: folder))
        defer { withExtendedLifetime(lock) {} }
        if let receipt = try shard.receipt {
            try? attempts.remove(attempt, losingTo: receipt)
            return .committedElsewhere
        }
        let before = try ledger(of: attempt)
        // A photo that was cancelled has no result.
        guard before.counts.ended == shard.rows else { return .unfinished }
        try MirrorError.onDisk(folder.removeTree(Self.folder))
        let path = attempts.path(of: attempt)
        guard let samples = try dataset.export(path, "\(path)/\(Self.folder)", shard.plan.columns, token) else {
            return .unfinished
        }
        let pieces = try MirrorError.onDisk(folder.folder(Self.folder, create: true))
        try writeManifest(of: folder, into: pieces)
        let files = try MirrorError.onDisk(files(in: pieces))
        // Another process may have resumed the attempt before the export began.
        guard try ledger(of: attempt).file == before.file else { return .unfinished }
        if isCopied { try target.publish(files, of: attempt, of: shard.number, from: pieces) }
        var receipt = ShardReceipt(
            of: shard.number, of: shard.plan, attempt: attempt, ledger: nil, counts: before.counts, startedAt: started)
        (receipt.files, receipt.samples) = (files, samples)
        let isFirst = try receipt.writeIfFirst(to: shard.store)
        if isFirst {
            try target.place(receipt)
        } else if let winner = try shard.receipt {
            try? target.remove(attempt, losingTo: winner)
        }
        // If the removal fails, it only takes space.
        try? attempts.removeCopy(of: attempt)
        return isFirst ? .committed(before.counts) : .committedElsewhere
    }

    private func ledger(of attempt: String) throws(MirrorError) -> (file: StoredFile, counts: ShardCounts) {
        let results = try attempts.results(of: attempt)
        return (results.file, try ShardCounts(in: results.ledger))
    }

    private func writeManifest(of attempt: Folder, into pieces: Folder) throws(MirrorError) {
        do {
            let store = LocalStore(pieces)
            let file = try RowFileWriter(
                DatasetFolder.manifest, in: store, encoder: ZstdEncoder(), bufferSize: Self.bufferSize)
            var lines = try LineReader(try attempt.openForReading(ManifestWriter.names[0]))
            while let line = try lines.next() { try file.append(line) }
            try file.writeRows()
            try store.commitAll([try file.stage().file], durability: .each)
        } catch {
            throw MirrorError(converting: error)
        }
    }

    private func files(in pieces: Folder) throws(FileError) -> [StoredFile] {
        var files: [StoredFile] = []
        // The export's own record is hidden.
        for name in try pieces.names() where !name.hasPrefix(".") {
            let file = try pieces.openForReading(name)
            guard let sha256 = SHA256.digest(ofFileAt: file.descriptor) else { throw FileError(unreadable: file.path) }
            files.append(StoredFile(path: name, bytes: try file.size, sha256: sha256))
        }
        return files
    }
}
