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
        response.hostDigest = receipt.hostDigest
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

// The sidecars of originals. They are composed for every item and compared with the receipt, so that new facts of the
// feed reach them.

extension ItemPipeline {
    /// Stages the sidecar of an item that is done, unless the existing one is current or was edited.
    ///
    /// An item that has a sidecar keeps it current without the option.
    @inline(never) func addSidecar(to result: inout ProcessedItem, of claim: Claim) throws(Failure) {
        guard result.receipt.state == .done, let original = result.receipt.original else { return }
        let earlier = claim.receipt?.sidecar
        guard options.writesSidecars || earlier != nil else { return }
        // The ledger also has the facts of adopted sidecars.
        let photo = try Failure.inLedger(ledger.entry(at: claim.item.seq))?.item.photo ?? claim.item.photo
        let bytes = PhotoXMP(of: photo, at: result.receipt.url).sidecar
        let file = StoredFile(
            path: PhotoXMP.path(of: original), bytes: bytes.count, sha256: SHA256.digest(of: bytes))
        if let earlier, earlier.path !== file.path { result.obsoleteFiles.append(earlier) }
        result.receipt.sidecar = earlier?.path === file.path ? earlier : nil
        guard earlier != file || !isIntact(file) else { return }
        guard mayWrite(file, after: earlier, claim) else {
            if result.receipt.sidecar == nil {
                recorder.record(.itemNoted(claim.item, "its sidecar is not written: \(file.path) is another program's"))
            }
            return
        }
        result.files.append(
            try Failure.onDisk(
                store.stage(bytes, as: file.path, temporary: "\(claim.item.seq)-xmp", durability: options.durability)))
        result.receipt.sidecar = file
    }

    /// Whether the sidecar's name is free, or has an unchanged file of an earlier run, or this very one.
    ///
    /// Photo managers write their own facts to the same file. Only a repair replaces that. A run that lacks the results
    /// of a killed one finds its sidecars without a receipt.
    private func mayWrite(_ file: StoredFile, after earlier: StoredFile?, _ claim: Claim) -> Bool {
        if fileSizes.size(of: file.path) == nil || broken.contains(file.path) || claim.isInDoubt { return true }
        let known = earlier.map { $0.path === file.path ? $0 : file } ?? file
        return (try? store.contains(known)) == true
    }
}
