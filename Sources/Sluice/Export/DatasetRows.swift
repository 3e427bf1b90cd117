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
    ) throws(LedgerError) {
        ledger = mirror.ledger
        store = mirror.store
        self.options = options
        order = try ExportOrder(ledger, options, after: position)
    }

    /// Returns the next row; `nil` after the last one, or if the token is cancelled.
    mutating func next(token: CancellationToken) throws(LedgerError) -> DatasetRow? {
        let rules = options.layout.rules
        while !token.isCancelled, let entry = try order.next() {
            var picture = DatasetRow.Picture(of: entry, options)
            if let file = picture?.file, DatasetRow.Picture.open(file, in: store) == nil {
                brokenFiles.append(file.path)
                picture = nil
            }
            guard picture != nil || rules.hasFailures else { continue }
            defer { brokenFiles = [] }
            let fetchedAt = rules.metadata == .manifestLine ? nil : try ledger.fetchTime(of: entry.item)
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

extension DatasetRow.Picture {
    /// Opens a file of the mirror; `nil` if it is missing or has another length.
    static func open(_ file: StoredFile, in store: any Store) -> OpenFile? {
        guard let open = try? store.open(file.path), (try? open.size) == file.bytes else { return nil }
        return open
    }
}
