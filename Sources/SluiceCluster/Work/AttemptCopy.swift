// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Copies an attempt from the machine's own disk to the mirror's folder.
///
/// It skips files that an interrupted copy has completed. The ledger is copied last.
struct AttemptCopy {
    /// The number of photos whose files are flushed together.
    private static let batchSize = 64

    private let source: Folder
    private let target: Folder

    init(from source: Folder, to target: Folder) { (self.source, self.target) = (source, target) }

    /// Copies it; both folders are locked.
    func run() throws(MirrorError) {
        let ledger = try MirrorError.inLedger(Ledger(reading: source))
        defer { ledger.close() }
        var batches = ledger.batches(size: Self.batchSize)
        while let entries = try MirrorError.inLedger(batches.next()) {
            let files = entries.flatMap { $0.receipt?.files ?? [] }
            try MirrorError.onDisk(copy(files.filter { target.size(of: $0.path) != $0.bytes }.map(\.path)))
        }
        try MirrorError.onDisk(copy([Ledger.name]))
    }

    private func copy(_ names: [String]) throws(FileError) {
        var staged: [StagedFile] = []
        for (index, name) in names.enumerated() {
            let copy = try target.stageCopy(
                of: try source.openForReading(name), as: name, temporary: "\(MirrorFolder.partial)/\(index)")
            staged.append(try copy.stage(flushed: false))
        }
        try LocalStore(target).commitAll(staged, durability: .batch)
    }
}
