// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

// What an earlier run left, and whether it still serves.

extension ItemWay {
    /// The receipt of an item that needs nothing, unless whoever has its bytes is to be asked.
    func standing(_ claim: Claim, for item: Item) -> Receipt? {
        supply.isAskedAgain ? nil : serving(claim, for: item)
    }

    /// The receipt of an item that is done, of the wanted variant, with every file that is wanted in place.
    func serving(_ claim: Claim, for item: Item) -> Receipt? {
        guard let receipt = claim.receipt, receipt.serves(options.thumbnails), isMade(receipt),
            let variant = choice.variant(of: item.photo), receipt.url == variant.url,
            variant.checksum?.contradicts(receipt.original) != true,
            !options.keepsOriginals || receipt.original.map(stands) == true,
            options.thumbnails.sizes.allSatisfy({ size in receipt.thumbs.contains { serves($0, as: size) } })
        else { return nil }
        return receipt
    }

    /// The stamp of an item whose files the user deleted, and that is left out for that.
    private static let deleted = "deleted"

    /// The receipt of an item that was done and whose files somebody deleted since, where such are to be left out.
    ///
    /// What is left of its thumbnails goes, too.
    func leftOut(_ claim: Claim) -> Receipt? {
        guard options.leavesDeleted, var receipt = claim.receipt else { return nil }
        if receipt.state == .skipped, receipt.stamp == Self.deleted { return receipt }
        let files = receipt.original.map { [$0] } ?? receipt.thumbs.map(\.file)
        guard receipt.state == .done, !files.isEmpty, files.allSatisfy({ folder.size(of: $0.path) == nil }) else {
            return nil
        }
        for thumb in receipt.thumbs { try? folder.remove(thumb.file.path) }
        receipt.skip("its file was deleted here")
        (receipt.original, receipt.thumbs, receipt.stamp) = (nil, [], Self.deleted)
        return receipt
    }

    /// Whether the thumbnails were made as they are wanted now; where none are wanted, that is no question.
    private func isMade(_ receipt: Receipt) -> Bool {
        options.thumbnails.sizes.isEmpty || receipt.stamp == fingerprint
    }

    /// The original that an earlier run left, if it is what is wanted.
    func standingOriginal(in claim: Claim, as variant: Variant) -> StoredFile? {
        guard options.keepsOriginals, let receipt = claim.receipt, receipt.url == variant.url,
            let original = receipt.original, stands(original), variant.checksum?.contradicts(original) != true
        else { return nil }
        return original
    }

    /// Whether an earlier run did the item, and its files stand.
    func isDone(_ claim: Claim, for item: Item, original: StoredFile?) -> Bool {
        guard let receipt = claim.receipt, receipt.state == .done, receipt.failure == nil else { return false }
        return original != nil || serving(claim, for: item) != nil
    }

    /// The version that the standing original is of, to ask whether it is still the newest.
    func knownVersion(in claim: Claim) -> KnownVersion? {
        guard let receipt = claim.receipt, let sender = receipt.finalURL ?? receipt.url else { return nil }
        return KnownVersion(from: sender, etag: receipt.etag, lastModified: receipt.lastModified)
    }

    /// The original that an earlier run left, if the item's original has another name now.
    func oldOriginal(in claim: Claim, than receipt: Receipt) -> [String] {
        guard let old = claim.receipt?.original, let new = receipt.original, old.path != new.path else { return [] }
        return [old.path]
    }

    /// The thumbnails of other sizes that earlier runs made: they stay part of the mirror.
    func otherThumbs(in claim: Claim, than made: [Thumb]) -> [Thumb] {
        let sizes = Set(made.map(\.size))
        return claim.receipt?.thumbs.filter { !sizes.contains($0.size) && stands($0.file) } ?? []
    }

    /// The host whose slot the item takes.
    func host(of item: Item) -> String {
        guard supply.asksHosts else { return "" }
        return choice.variant(of: item.photo).flatMap { WebAddress($0.url) }?.host ?? ""
    }

    private func serves(_ thumb: Thumb, as size: ThumbnailSize) -> Bool {
        thumb.size == size.description && stands(thumb.file)
    }

    private func stands(_ file: StoredFile) -> Bool {
        glance.size(of: file.path) == file.bytes && !broken.contains(file.path)
    }
}
