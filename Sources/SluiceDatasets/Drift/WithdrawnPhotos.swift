// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
public import SluiceModel

/// The photos of a mirror that may no longer be kept.
public struct WithdrawnPhotos: Sendable {
    private let photos: [DriftReport.CheckedPhoto]
    private let folder: String

    /// Selects them among the photos that a check found in the mirror in `folder`.
    public init(of checked: [DriftReport.CheckedPhoto], in folder: String) {
        photos = checked.filter(\.state.isWithdrawal)
        self.folder = folder
    }

    /// The number of photos.
    public var count: Int { photos.count }

    /// Why removing them exceeds the limit, of `total` photos that were checked; `nil` if it does not.
    public func refusal(of total: Int, limit: Double) -> String? {
        var options = PruneOptions()
        options.limit = limit
        return options.refusal(of: count, of: total)
    }

    /// Removes the photos with their files, and writes manifest and gallery again; returns their number.
    ///
    /// The ledger keeps them as skipped with the cause `withdrawn`, so that no later run downloads them, unless it
    /// retries this cause. A dry run changes nothing.
    public func remove(buckets: S3Options = S3Options(), isDryRun: Bool = false) throws(MirrorError) -> Int {
        let mirror = try MirrorFolder.open(folder, buckets: buckets, isDryRun: isDryRun)
        var withdrawn: [(entry: LedgerEntry, failure: Failure)] = []
        for photo in photos {
            // Another run may have replaced the photo meanwhile.
            guard let entry = try MirrorError.inLedger(mirror.ledger.entry(at: photo.item)),
                let receipt = entry.receipt, receipt.state == .done, receipt.url === photo.url
            else { continue }
            let reason = photo.state == .gone ? photo.failure?.cause.name ?? photo.state.rawValue : photo.state.rawValue
            withdrawn.append((entry, Failure(.withdrawn, reason)))
        }
        try mirror.ledger.drop(withdrawn, from: mirror.store)
        if !withdrawn.isEmpty { try mirror.completeOutput() }
        try mirror.endSession()
        mirror.close()
        return withdrawn.count
    }
}
