// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The rows of an export, in order.
struct DatasetRows {
    /// The largest file whose content rows have.
    private static let maximumContent = 1 << 20

    private let ledger: Ledger
    private let store: any Store
    private let options: DatasetOptions
    private let readsContent: Bool
    private let clusters: PhotoClusters?
    private let exclusions: Exclusions
    private var order: ExportOrder
    /// The broken files since the last row.
    private(set) var brokenFiles: [String] = []

    /// Starts after the row at a position; with `readsContent`, rows have the content of small files.
    init(
        _ ledger: Ledger, _ store: any Store, _ options: DatasetOptions, clusters: PhotoClusters?,
        stratified: StratifiedSplits?, exclusions: Exclusions,
        after position: ExportOrder.Position = ExportOrder.Position(), readsContent: Bool = false
    ) throws(MirrorError) {
        (self.ledger, self.store, self.options, self.readsContent) = (ledger, store, options, readsContent)
        (self.clusters, self.exclusions) = (clusters, exclusions)
        order = try MirrorError.inLedger(ExportOrder(ledger, options, stratified: stratified, after: position))
    }

    /// Returns the next row; `nil` after the last one, or if the token is cancelled.
    ///
    /// Throws if a picture cannot be opened: it may be intact, and a complete export would lack it.
    mutating func next(token: CancellationToken) throws(MirrorError) -> DatasetRow? {
        let rules = options.layout.rules
        while !token.isCancelled, let entry = try MirrorError.inLedger(order.next()) {
            guard entry.isSelected(by: options.filter) else { continue }
            let exclusion = exclusions.reason(for: entry)
            var picture = exclusion == nil ? DatasetRow.Picture(of: entry, options) : nil
            if let file = picture?.file, try !MirrorError.onDisk(open(&picture)) {
                brokenFiles.append(file.path)
                picture = nil
            }
            // Photos that no run has tried yet did not fail.
            guard picture != nil || rules.hasFailures && entry.receipt.map({ $0.failure?.cause != .deferred }) ?? false
            else { continue }
            defer { brokenFiles = [] }
            let fetchedAt =
                rules.metadata == .manifestLine ? nil : try MirrorError.inLedger(ledger.fetchTime(of: entry.item))
            var row = DatasetRow(entry, picture, fetchedAt: fetchedAt, at: order.position, brokenFiles: brokenFiles)
            row.exclusion = exclusion
            row.cluster = clusters?.first(of: entry.item.seq)
            if readsContent { row.exif = try MirrorError.onDisk(exif(of: entry)) }
            return row
        }
        return nil
    }

    /// Opens the file of a picture, and reads it if it is small; returns false if it is broken.
    private func open(_ picture: inout DatasetRow.Picture?) throws(FileError) -> Bool {
        guard let found = picture, let file = try store.openComplete(found.file) else { return false }
        guard readsContent, found.file.bytes <= Self.maximumContent, !found.needsConversion(options) else {
            return true
        }
        picture?.content = try file.read(at: 0, count: found.file.bytes)
        return picture?.content?.count == found.file.bytes
    }

    private func exif(of entry: LedgerEntry) throws(FileError) -> String? {
        guard let wanted = options.exif, let original = entry.receipt?.original,
            let file = try store.openComplete(original),
            let camera = CameraFacts(fileAt: file.descriptor, withPlace: wanted == .place)
        else { return nil }
        return camera.json
    }
}

extension DatasetRow.Picture {
    /// Whether the options ask for another format.
    func needsConversion(_ options: DatasetOptions) -> Bool {
        options.recodedFormat.map { $0.name != format } ?? false
    }

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
