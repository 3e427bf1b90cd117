// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// Asks a host for one photo.
struct PhotoChecker: Sendable {
    /// A photo whose original the mirror has.
    struct Photo: Sendable {
        let item: Item
        let url: String
        let host: String
        let original: StoredFile
        let version: CachedVersion?

        /// Makes the photo of an entry; `nil` if the mirror does not have its original.
        init?(_ entry: LedgerEntry) {
            guard let receipt = entry.receipt, receipt.state == .done, let original = receipt.original,
                let url = receipt.url, let address = WebAddress(url)
            else { return nil }
            item = entry.item
            self.url = url
            self.original = original
            host = address.host
            version = CachedVersion(
                from: receipt.finalURL ?? url, etag: receipt.etag, lastModified: receipt.lastModified)
        }

        /// Whether the photo belongs to a sample that has this share of all photos.
        func isIn(_ share: Double) -> Bool {
            guard share < 1 else { return true }
            let number = SHA256.bytes(of: [UInt8](url.utf8)).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            return Double(number) < share * Double(1 << 32)
        }
    }

    let transfers: Transfers
    let respectsRobotsTxt: Bool
    let options: MirrorOptions
    /// The folder whose subfolder for incomplete downloads receives the bytes, until they have been compared.
    let folder: Folder

    /// Returns the host's answer.
    func check(_ photo: Photo, slot: WorkPool.Slot) async -> (DriftState, Failure?) {
        var request = Request(photo.url, limit: options.maxBytes, timeout: options.timeout)
        request.cachedVersion = photo.version
        request.respectsRobotsTxt = respectsRobotsTxt
        request.respectsOptOut = options.network.respectsOptOut
        do throws(Failure) {
            let name = "\(MirrorFolder.partial)/drift-\(photo.item.seq)"
            let partial = try Failure.onDisk(PartialFile(name, in: folder))
            // If the removal fails, the next run of the mirror removes the file.
            defer { try? partial.remove() }
            let bytes = photo.original.bytes
            let result = try await transfers.download(
                request, into: partial, slot: slot,
                earlyCheck: { _, headers in
                    guard let announced = headers["content-length"].flatMap({ Int($0) }), announced != bytes else {
                        return .accepted
                    }
                    return .rejected("another size")
                })
            switch result {
            case .unchanged: return (.same, nil)
            case .rejected: return (.changed, nil)
            case .complete(let response): return (response.sha256 == photo.original.sha256 ? .same : .changed, nil)
            }
        } catch {
            switch error.cause {
            case .httpClientError(404), .httpClientError(410): return (.gone, error)
            default: return (.failed, error)
            }
        }
    }
}
