// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Copies originals from another mirror.
struct MirrorInput: FetchedInput {
    let origin: MirrorFeed.Origin
    let refreshes: Bool

    /// The entity tags of the files are compared when they are opened.
    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool { false }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        let receipt = try Failure.inLedger(origin.mirror.ledger.receipt(of: item.photo, inFeed: item.feed))
        guard let receipt, let original = receipt.original else {
            throw Failure(.disk, "the other mirror has no original of this photo")
        }
        let store = origin.mirror.store
        let file = LocalFile(original.path) { () throws(FileError) in try store.open(original.path) }
        let result = try file.copy(
            into: fetch.partial, limit: fetch.limit, unless: refreshes ? nil : fetch.known?.etag,
            token: fetch.slot.token, earlyCheck: fetch.earlyCheck)
        guard case .complete(var response) = result else { return result }
        guard response.sha256 == original.sha256 else {
            try? fetch.partial.remove()
            throw Failure(.corrupt, "\(original.path) of the other mirror differs from its receipt")
        }
        response.url = receipt.finalURL ?? receipt.url ?? response.url
        response.hostDigest = receipt.hostDigest
        response.usage = UsageTerms(text: receipt.usage ?? "")
        if let time = receipt.lastModified { response.headers.add(line: "last-modified: \(time)") }
        return .complete(response)
    }
}
