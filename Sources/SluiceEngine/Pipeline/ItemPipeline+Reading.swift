// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

// Pictures that are read where they are. The receipt's stamp identifies the file and its content.

extension ItemPipeline {
    /// Returns the earlier receipt if the file has not been touched since and all thumbnails are intact.
    func untouchedReceipt(_ claim: Claim, from input: any PictureReading) -> Receipt? {
        guard let receipt = claim.receipt, receipt.isDone(with: options.thumbnails), hasThumbs(receipt),
            let status = input.stamp(of: claim.item), let stamp = FileStamp(receipt.stamp),
            stamp.options === fingerprint, stamp.status === status
        else { return nil }
        return receipt
    }

    /// Reads a picture, and makes its thumbnails unless only its status has changed.
    @inline(never) func read(
        _ input: any PictureReading, for item: Item, claim: Claim, token: CancellationToken,
        into result: inout ProcessedItem
    ) async throws(Failure) {
        result.receipt.url = item.photo.variants.first?.url
        try claim.checkQuarantine(lifted: options.liftsQuarantine)
        let opened = try await input.open(item, limit: options.maxBytes, copyingTo: state)
        let known = opened.sha256
        let content = if let known { known } else { try Self.hash(of: opened, token: token) }
        let stamp = FileStamp(options: fingerprint, status: opened.stamp, content: content)
        result.receipt.stamp = stamp.text
        if let kept = unchangedReceipt(claim, for: stamp, at: result.receipt.url) {
            result = ProcessedItem(kept, isKept: true)
            return
        }
        do throws(Failure) {
            let image = try await decode(
                nil, of: opened.bytes, in: opened.file.descriptor, for: item, claim: claim, token: token, into: &result)
            addHeaderFacts(of: image, item, to: &result.receipt)
        } catch {
            var failure = error
            if failure.scope == .item, failure.finalURL == nil { failure.finalURL = opened.file.path }
            throw failure
        }
        keepOtherThumbs(of: claim, in: &result)
    }

    /// Returns the earlier receipt if content and options are the same, and the file was only touched, moved or copied.
    private func unchangedReceipt(_ claim: Claim, for stamp: FileStamp, at path: String?) -> Receipt? {
        guard var kept = claim.receipt, kept.isDone(with: options.thumbnails), hasThumbs(kept),
            let earlier = FileStamp(kept.stamp), earlier.options === stamp.options, earlier.content === stamp.content
        else { return nil }
        kept.stamp = stamp.text
        kept.url = path
        return kept
    }

    /// Keeps earlier thumbnails of other sizes if they show the same content, and marks the rest as obsolete.
    private func keepOtherThumbs(of claim: Claim, in result: inout ProcessedItem) {
        let hasSameContent = FileStamp(claim.receipt?.stamp)?.content == FileStamp(result.receipt.stamp)?.content
        result.receipt.addThumbs(hasSameContent ? otherThumbs(in: claim, than: result.receipt.thumbs) : [])
        let kept = TextSet(result.receipt.thumbs.map(\.file.path))
        result.obsoleteFiles += claim.receipt?.thumbs.map(\.file).filter { !kept.contains($0.path) } ?? []
    }

    private static func hash(of opened: borrowing OpenedInput, token: CancellationToken) throws(Failure) -> String {
        if let bytes = opened.bytes { return SHA256.digest(of: bytes) }
        let descriptor = opened.file.descriptor
        guard let hash = SHA256.digest(ofFileAt: descriptor, upTo: opened.size ?? .max, token: token) else {
            try token.check()
            throw Failure(.disk, "cannot read the file", finalURL: opened.file.path)
        }
        return hash
    }
}
