// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The rows of an export, in order.
struct DatasetRows {
    private let ledger: Ledger
    private let store: any Store
    private let options: DatasetOptions
    private var order: ExportOrder
    /// The broken files since the last row.
    private(set) var brokenFiles: [String] = []

    /// Starts after the row at a position.
    init(
        of mirror: borrowing MirrorFolder, _ options: DatasetOptions,
        after position: ExportOrder.Position = ExportOrder.Position()
    ) throws(MirrorError) {
        ledger = mirror.ledger
        store = mirror.store
        self.options = options
        order = try MirrorError.inLedger(ExportOrder(ledger, options, after: position))
    }

    /// Returns the next row; `nil` after the last one, or if the token is cancelled.
    ///
    /// Throws if a picture cannot be opened: it may be intact, and a complete export would lack it.
    mutating func next(token: CancellationToken) throws(MirrorError) -> DatasetRow? {
        let rules = options.layout.rules
        while !token.isCancelled, let entry = try MirrorError.inLedger(order.next()) {
            var picture = DatasetRow.Picture(of: entry, options)
            if let file = picture?.file, try MirrorError.onDisk(store.openComplete(file)) == nil {
                brokenFiles.append(file.path)
                picture = nil
            }
            guard picture != nil || rules.hasFailures else { continue }
            defer { brokenFiles = [] }
            let fetchedAt =
                rules.metadata == .manifestLine ? nil : try MirrorError.inLedger(ledger.fetchTime(of: entry.item))
            return DatasetRow(entry, picture, fetchedAt: fetchedAt, at: order.position, brokenFiles: brokenFiles)
        }
        return nil
    }
}

extension DatasetRow.Picture {
    /// The picture of an entry; `nil` if it has none.
    init?(of entry: LedgerEntry, _ options: DatasetOptions) {
        guard let receipt = entry.receipt, receipt.state == .done else { return nil }
        if let size = options.size {
            guard let thumb = receipt.thumbs.first(where: { $0.size == size }) else { return nil }
            self.init(file: thumb.file, format: thumb.format, width: thumb.width, height: thumb.height)
        } else {
            guard let file = receipt.original else { return nil }
            self.init(file: file, format: receipt.format, width: receipt.width, height: receipt.height)
        }
    }
}
