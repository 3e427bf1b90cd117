// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceLedger
package import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

// Results of earlier runs, and whether they are still valid.

extension ItemPipeline {
    /// Returns the result of an item that needs no work, judged by its ledger entry and files; `nil` for other items.
    func knownResult(of claim: Claim, from input: ItemInput?) -> ProcessedItem? {
        switch input {
        case .result(let known): known.result(for: claim, in: store)
        case .read(let input): untouchedReceipt(claim, from: input).map { ProcessedItem($0, isKept: true) }
        case .fetched(let input):
            rejectedResult(claim) ?? droppedResult(claim) ?? deletedResult(claim)
                ?? currentReceipt(claim, from: input).flatMap { keptResult($0, of: claim) }
        case nil: nil
        }
    }

    /// Returns the result of an item that needs no work except for its sidecar; `nil` if that cannot be staged.
    private func keptResult(_ receipt: Receipt, of claim: Claim) -> ProcessedItem? {
        var result = ProcessedItem(receipt, isKept: true)
        do throws(Failure) { try addSidecar(to: &result, of: claim) } catch { return nil }
        return result
    }

    /// Returns the valid receipt of an item whose original is current.
    private func currentReceipt(_ claim: Claim, from input: any FetchedInput) -> Receipt? {
        guard claim.receipt?.state == .done, let variant = variant(of: claim.item, claim),
            input.isCurrent(variant, as: knownVersion(in: claim))
        else { return nil }
        return validReceipt(claim, for: claim.item)
    }

    /// Returns the receipt of an item that is done with the wanted variant and has every wanted file.
    package func validReceipt(_ claim: Claim, for item: Item) -> Receipt? {
        guard let receipt = claim.receipt, receipt.isDone(with: options.thumbnails), hasCurrentThumbnails(receipt),
            let variant = variant(of: item, claim), receipt.url === variant.url,
            variant.checksum?.contradicts(receipt.original) != true,
            !options.keepsOriginals || receipt.original.map(isIntact) == true, hasThumbs(receipt)
        else { return nil }
        return receipt
    }

    /// Returns the result of a photo that the user rejected: its files stay, but it is never downloaded.
    private func rejectedResult(_ claim: Claim) -> ProcessedItem? {
        guard claim.item.photo.isRejected else { return nil }
        if let receipt = claim.receipt, receipt.isDone(whereIntact: isIntact) {
            return ProcessedItem(receipt, isKept: true)
        }
        var receipt = claim.receipt ?? Receipt(.skipped)
        let rest = receipt.files
        (receipt.state, receipt.failure) = (.skipped, .rejected)
        (receipt.original, receipt.sidecar, receipt.thumbs, receipt.stamp) = (nil, nil, [], nil)
        var result = ProcessedItem(receipt)
        result.obsoleteFiles = rest
        return result
    }

    /// Returns the receipt of a photo that is a copy of another one, is blocked, or may not be kept any more,
    /// unless the run retries such photos.
    private func droppedResult(_ claim: Claim) -> ProcessedItem? {
        guard let receipt = claim.receipt, receipt.state == .skipped, let cause = receipt.failure?.cause,
            [.duplicate, .blocked, .withdrawn].contains(cause), options.retriedCauses?.contains(cause) != true
        else { return nil }
        return ProcessedItem(receipt)
    }

    /// The stamp of an item that is skipped because the user deleted its files.
    private static let deleted = "deleted"

    /// If the options skip deleted photos: deletes the remaining thumbnails of a photo whose original the user deleted.
    private func deletedResult(_ claim: Claim) -> ProcessedItem? {
        guard options.skipsDeleted, var receipt = claim.receipt else { return nil }
        if receipt.state == .skipped, receipt.stamp == Self.deleted { return ProcessedItem(receipt) }
        let files = receipt.original.map { [$0] } ?? receipt.thumbs.map(\.file)
        guard receipt.state == .done, !files.isEmpty, files.allSatisfy({ store.size(of: $0.path) == nil }) else {
            return nil
        }
        let rest = receipt.files
        receipt.skip("its file was deleted")
        (receipt.original, receipt.sidecar, receipt.thumbs, receipt.stamp) = (nil, nil, [], Self.deleted)
        var result = ProcessedItem(receipt)
        result.obsoleteFiles = rest
        return result
    }

    /// Chooses the rendition of an item, and finds the intact original of an earlier run, which may be current.
    func start(
        of item: Item, as wanted: Variant? = nil, _ claim: Claim, from input: any FetchedInput,
        _ receipt: inout Receipt
    ) throws(Failure) -> (variant: Variant, existing: StoredFile?, isCurrent: Bool) {
        let variant = if let wanted { wanted } else { try requiredVariant(of: item, claim) }
        receipt.begin(variant, of: item.photo)
        let existing = existingOriginal(in: claim, as: variant)
        if let checksum = variant.checksum, checksum.algorithm == .sha256,
            let failure = blocklist.failure(ofContent: checksum.digits)
        {
            throw failure
        }
        // Without originals, a download serves only the decode.
        if !options.keepsOriginals { try claim.checkQuarantine(lifted: options.liftsQuarantine) }
        let isCurrent = !isCut(claim) && input.isCurrent(variant, as: knownVersion(in: claim))
        return (variant, existing, isCurrent)
    }

    /// Returns the result in a dry run of an item that would be fetched: deferred, unless it is known to fail.
    func deferredResult(of claim: Claim, from input: ItemInput?) -> ProcessedItem? {
        guard case .fetched(let input) = input else { return nil }
        var receipt = Receipt(.skipped)
        do throws(Failure) {
            let (_, existing, isCurrent) = try start(of: claim.item, claim, from: input, &receipt)
            if existing != nil, isCurrent { return nil }
            receipt.failure = Failure(.deferred, "")
        } catch {
            receipt.end(with: error)
        }
        return ProcessedItem(receipt)
    }

    /// Whether the thumbnails were made with the current options.
    ///
    /// Always true if no thumbnails are wanted.
    private func hasCurrentThumbnails(_ receipt: Receipt) -> Bool {
        options.thumbnails.sizes.isEmpty || receipt.stamp == fingerprint
            || options.stopsEarly && receipt.stamp == partFingerprint
    }

    /// The fingerprint of thumbnails that were made from a part of the original.
    var partFingerprint: String { "\(fingerprint) of a part" }

    /// Returns the original of an earlier run if it is intact and of the wanted variant.
    func existingOriginal(in claim: Claim, as variant: Variant) -> StoredFile? {
        guard let receipt = claim.receipt, receipt.url === variant.url, let original = receipt.original,
            isIntact(original), variant.checksum?.contradicts(original) != true
        else { return nil }
        return original
    }

    /// Whether an earlier run did the item and its files are intact, so that `failure` must not replace its receipt.
    ///
    /// A file that was cut is replaced by the failure that shows its damage. A refused address says nothing about the
    /// photo, so the receipt of missing files also remains.
    func isDone(_ claim: Claim, from input: ItemInput?, despite failure: Failure?) -> Bool {
        if case .result = input { return false }
        guard var receipt = claim.receipt else { return false }
        if failure?.cause == .addressRefused { return receipt.state == .done }
        if isCut(claim), failure?.cause != .truncated { receipt.failure = nil }
        return receipt.isDone(whereIntact: isIntact)
    }

    /// Whether the earlier run's original is known to be cut, so that it is downloaded again.
    func isCut(_ claim: Claim) -> Bool {
        claim.receipt?.state == .done && claim.receipt?.failure?.cause == .truncated && !options.thumbnails.salvages
    }

    /// Returns the rendition to mirror; `nil` if the photo has none with the wanted name.
    private func variant(of item: Item, _ claim: Claim) -> Variant? {
        keptVariant(of: item, claim) ?? choice.variant(of: item.photo)
    }

    /// Returns the rendition to mirror, or throws an error that lists the available ones.
    func requiredVariant(of item: Item, _ claim: Claim) throws(Failure) -> Variant {
        if let variant = variant(of: item, claim) { return variant }
        return try choice.requiredVariant(of: item.photo)
    }

    /// Returns the rendition of an earlier run's original.
    ///
    /// It suffices for thumbnails, so a run without originals does not download another one.
    private func keptVariant(of item: Item, _ claim: Claim) -> Variant? {
        guard !options.keepsOriginals, options.variant == nil, let receipt = claim.receipt,
            receipt.original.map(isIntact) == true
        else { return nil }
        return item.photo.variants.first { $0.url === receipt.url }
    }

    /// Returns the version of the existing original for a conditional request.
    func knownVersion(in claim: Claim) -> CachedVersion? {
        guard let receipt = claim.receipt, let sender = receipt.finalURL ?? receipt.url else { return nil }
        return CachedVersion(from: sender, etag: receipt.etag, lastModified: receipt.lastModified)
    }

    /// Returns the earlier original and its sidecar if the new one has a different path or is not kept.
    func obsoleteOriginal(in claim: Claim, replacedBy receipt: Receipt) -> [StoredFile] {
        guard let old = claim.receipt?.original, old.path !== receipt.original?.path else { return [] }
        return [old] + [claim.receipt?.sidecar].compactMap(\.self)
    }

    /// Returns earlier thumbnails of the same sizes in other formats.
    func obsoleteThumbs(in claim: Claim, replacedBy new: [Thumb]) -> [StoredFile] {
        let (sizes, paths) = (TextSet(new.map(\.size)), TextSet(new.map(\.file.path)))
        return claim.receipt?.thumbs.filter { sizes.contains($0.size) && !paths.contains($0.file.path) }
            .map(\.file) ?? []
    }

    /// Returns the intact thumbnails of other sizes from earlier runs.
    ///
    /// They remain in the mirror.
    func otherThumbs(in claim: Claim, than new: [Thumb]) -> [Thumb] {
        let sizes = TextSet(new.map(\.size))
        return claim.receipt?.thumbs.filter { !sizes.contains($0.size) && isIntact($0.file) } ?? []
    }

    /// Returns the result of an item that failed before it began, for example because its host was given up.
    func result(ofUnstarted item: Item, _ claim: Claim, _ failure: Failure) -> ProcessedItem {
        var receipt = Receipt(.done)
        if let variant = variant(of: item, claim) { receipt.begin(variant, of: item.photo) }
        return ProcessedItem(receipt.ended(with: failure))
    }

    /// Returns the host whose slot the item needs.
    func host(of item: Item, from input: ItemInput?) -> String {
        input?.usesNetwork == true ? choice.host(of: item.photo) : ""
    }

    /// Whether there is an intact thumbnail of every wanted size.
    func hasThumbs(_ receipt: Receipt) -> Bool {
        options.thumbnails.sizes.allSatisfy { size in
            receipt.thumbs.contains { $0.size == size.description && isIntact($0.file) }
        }
    }

    func isIntact(_ file: StoredFile) -> Bool {
        fileSizes.size(of: file.path) == file.bytes && !broken.contains(file.path)
    }
}
