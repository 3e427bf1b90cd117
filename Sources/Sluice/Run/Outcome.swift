// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// What an item's way came to: its receipt, and the files that wait to be made safe before anybody is told of it.
struct Outcome: Sendable {
    var receipt = Receipt(.done)
    /// Whole files that get their names once their bytes are safe.
    var files: [StagedFile] = []
    /// Files of earlier runs, under other names, that those replace.
    var replaced: [String] = []
    /// Whether an earlier run had done it.
    var isKept = false
    /// How long its phases took.
    var timings = Timings()
    /// Whether what the ledger has of the item stays, unless it is done anew.
    var keepsEarlier = false
    /// Whether its files take the places of those that the ledger tells of.
    var isReplacing = false

    /// The item's one end.
    var end: End { isKept ? .kept(receipt) : End(receipt) }

    /// An outcome without files.
    init(_ receipt: Receipt = Receipt(.done), isKept: Bool = false) {
        self.receipt = receipt
        self.isKept = isKept
    }

    /// Whether the ledger is told nothing of it; if the run called it off, the next run takes it up.
    var isUntold: Bool { keepsEarlier && receipt.state != .done || receipt.failure?.cause == .cancelled }

    /// Takes note of what an earlier run left under the same names.
    mutating func note(_ earlier: Receipt?) {
        let names = [earlier?.original?.path].compactMap(\.self) + (earlier?.thumbs.map(\.file.path) ?? [])
        isReplacing = files.contains { names.contains($0.name) }
    }

    /// Gives the files their names, one by one.
    mutating func place(in folder: Folder) throws(FileError) {
        while let file = files.first {
            try folder.place(file)
            files.removeFirst()
        }
    }

    /// Gives up files whose names stand already, and with the same bytes.
    mutating func leave(_ standing: Set<String>, in folder: Folder) {
        for file in files where standing.contains(file.name) { try? folder.remove(file.temporary) }
        files.removeAll { standing.contains($0.name) }
    }

    /// Ends it as a failure, with none of the files that have no name yet.
    mutating func fail(with failure: Failure) {
        let lost = Set(files.map(\.name))
        if let path = receipt.original?.path, lost.contains(path) { receipt.original = nil }
        receipt.thumbs.removeAll { lost.contains($0.file.path) }
        receipt.end(with: failure)
        isKept = false
    }
}
