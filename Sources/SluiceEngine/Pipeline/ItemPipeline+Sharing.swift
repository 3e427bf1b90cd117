// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

// Originals that another source of the run lists at the same address are copied instead of downloaded again.

extension ItemPipeline {
    /// Copies the original that another item of this run has from the same address, or else fetches it.
    func fetch(
        _ request: FetchRequest, of item: Item, from input: any FetchedInput
    ) async throws(Failure) -> DownloadResult {
        if let originals, options.keepsOriginals, request.known == nil,
            let address = input.sharedAddress(of: request.variant),
            case .copy(let other) = try await originals.role(of: item.seq, at: address, slot: request.slot),
            let copy = try copyOriginal(of: other, to: request)
        {
            return copy
        }
        return try await input.fetch(request, of: item)
    }

    /// Copies the original of an item; returns `nil` if it has none that is intact and from the same address.
    private func copyOriginal(of other: Int, to request: FetchRequest) throws(Failure) -> DownloadResult? {
        guard let receipt = try Failure.inLedger(ledger.entry(at: other))?.receipt, receipt.url === request.variant.url,
            receipt.state == .done, receipt.failure == nil, let original = receipt.original,
            original.bytes <= request.limit, store.size(of: original.path) == original.bytes
        else { return nil }
        let sha256 = try Failure.onDisk(copy(original.path, into: request.partial))
        // The file was changed after the commit.
        guard sha256 === original.sha256 else { return nil }
        var headers = HeaderFields()
        if let tag = receipt.etag { headers.add(line: "etag: \(tag)") }
        if let time = receipt.lastModified { headers.add(line: "last-modified: \(time)") }
        var response = Response(
            status: receipt.status, url: receipt.finalURL ?? request.variant.url, headers: headers, body: [],
            bytes: original.bytes, sha256: sha256)
        response.usage = UsageTerms(text: receipt.usage ?? "")
        return .complete(response)
    }

    /// Replaces the content of a partial file by that of a stored file, and returns its SHA-256.
    private func copy(_ path: String, into partial: PartialFile) throws(FileError) -> String {
        let file = try store.open(path)
        let hash = SHA256()
        try partial.removeNote()
        try partial.truncate()
        var offset = 0
        while true {
            let chunk = try file.read(at: offset, count: 1 << 20)
            guard !chunk.isEmpty else { return hash.finish() }
            hash.update(chunk)
            try partial.write(chunk)
            offset += chunk.count
        }
    }

    /// Lets items of other sources copy the original of an item that an earlier run did.
    func shareKept(_ receipt: Receipt, of item: Item, from input: ItemInput?) {
        guard let originals, case .fetched(let input) = input, receipt.original != nil,
            let variant = item.photo.variants.first(where: { $0.url === receipt.url }),
            let address = input.sharedAddress(of: variant)
        else { return }
        originals.addKept(item.seq, at: address)
    }
}
