// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceImaging
package import SluiceLedger
package import SluiceModel
package import SluiceStore
package import SluiceTransfer

/// Processes an input file: reads it, makes thumbnails, and stages them for the commit.
package struct FilePipeline: ItemProcessing {
    let options: RunOptions
    private let input: any InputFiles
    let store: any Store
    private let fileSizes: any FileSizes
    let ledger: Ledger
    let decoders: DecodePool
    let recorder: EventRecorder
    /// Thumbnails that a verification found damaged.
    ///
    /// They count as missing, whatever their size is.
    let broken: TextSet
    /// The fingerprint of the thumbnail options.
    private let fingerprint: String

    package init(
        options: RunOptions, input: any InputFiles, store: any Store, ledger: Ledger, decoders: DecodePool,
        recorder: EventRecorder,
        broken: TextSet
    ) {
        self.options = options
        self.input = input
        self.store = store
        fileSizes = store.sizes()
        self.ledger = ledger
        self.decoders = decoders
        self.recorder = recorder
        self.broken = broken
        fingerprint = options.thumbnails.fingerprint
    }

    package func host(of item: Item) -> String { "" }

    package func isDone(_ claim: Claim) -> Bool { claim.receipt?.isDone(whereIntact: isIntact) ?? false }

    /// Returns the earlier receipt if the file has not been touched since and all thumbnails are intact.
    package func keptReceipt(_ claim: Claim, for item: Item) -> Receipt? {
        guard let receipt = claim.receipt, receipt.isDone(with: options.thumbnails), hasThumbs(receipt),
            let status = input.stamp(of: item), let stamp = FileStamp(receipt.stamp), stamp.options === fingerprint,
            stamp.status === status
        else { return nil }
        return receipt
    }

    package func process(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> ProcessedItem {
        var result = ProcessedItem()
        result.receipt.url = item.photo.variants.first?.url
        do throws(Failure) {
            try claim.checkQuarantine(lifted: options.retriesQuarantined)
            let opened = try await input.open(item, limit: options.maxBytes)
            let known = opened.sha256
            let content = if let known { known } else { try hash(of: opened.file, token: slot.token) }
            let stamp = FileStamp(options: fingerprint, status: opened.stamp, content: content)
            result.receipt.stamp = stamp.text
            if let kept = unchangedReceipt(claim, for: stamp, at: result.receipt.url) {
                return ProcessedItem(kept, isKept: true)
            }
            let pictures = try await thumbnails(
                of: opened.file, for: item, isSuspect: claim.isSuspect, token: slot.token, timing: &result.timings)
            result.receipt.add(pictures.info)
            let camera = CameraFacts(
                fileAt: opened.file.descriptor, withPlace: options.thumbnails.keptMetadata.contains(.gps))
            result.receipt.exif = camera?.json
            for note in pictures.notes { recorder.record(.itemNoted(item, note)) }
            result.receipt.add(pictures)
            for thumbnail in pictures.thumbnails { try stage(thumbnail, for: item, into: &result) }
            keepOtherThumbs(of: claim, in: &result)
        } catch {
            result.receipt.end(with: error.advisingSalvage(options.thumbnails))
        }
        return result
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

    /// Whether there is an intact thumbnail of every wanted size.
    private func hasThumbs(_ receipt: Receipt) -> Bool {
        options.thumbnails.sizes.allSatisfy { size in
            receipt.thumbs.contains { $0.size == size.description && isIntact($0.file) }
        }
    }

    /// Keeps earlier thumbnails of other sizes if they show the same content, and marks the rest as obsolete.
    private func keepOtherThumbs(of claim: Claim, in result: inout ProcessedItem) {
        let earlier = claim.receipt ?? Receipt(.skipped)
        let newSizes = TextSet(result.receipt.thumbs.map(\.size))
        let others = earlier.thumbs.filter { !newSizes.contains($0.size) && isIntact($0.file) }
        let hasSameContent = FileStamp(earlier.stamp)?.content == FileStamp(result.receipt.stamp)?.content
        result.receipt.addThumbs(hasSameContent ? others : [])
        let kept = TextSet(result.receipt.thumbs.map(\.file.path))
        result.obsoleteFiles += earlier.thumbs.map(\.file.path).filter { !kept.contains($0) }
    }

    private func isIntact(_ file: StoredFile) -> Bool {
        fileSizes.size(of: file.path) == file.bytes && !broken.contains(file.path)
    }

    private func hash(of file: borrowing OpenFile, token: CancellationToken) throws(Failure) -> String {
        guard let hash = SHA256.digest(ofFileAt: file.descriptor, token: token) else {
            try token.check()
            throw Failure(.disk, "cannot read the file", finalURL: file.path)
        }
        return hash
    }

    private func thumbnails(
        of file: borrowing OpenFile, for item: Item, isSuspect: Bool, token: CancellationToken,
        timing timings: inout ItemTimings
    ) async throws(Failure) -> ThumbnailResult {
        do throws(Failure) {
            let image = try decoders.header(ofFileAt: file.descriptor)
            return try await decoders.thumbnails(
                of: image, in: file.descriptor, for: item, isSuspect: isSuspect, ledger: ledger, token: token,
                timing: &timings)
        } catch {
            var failure = error
            if failure.scope == .item { failure.finalURL = file.path }
            throw failure
        }
    }

    private func stage(_ thumbnail: Thumbnail, for item: Item, into result: inout ProcessedItem) throws(Failure) {
        let size = thumbnail.size.description
        let path = "\(size)/\(item.photo.id).\(thumbnail.format.fileExtension)"
        do throws(FileError) {
            result.files.append(
                try store.stage(
                    thumbnail.bytes, as: path, temporary: "\(item.seq)-\(size)", durability: options.durability))
        } catch {
            throw Self.placementFailure(error)
        }
        result.receipt.thumbs.append(Thumb(thumbnail, at: path))
    }

    /// Converts an error of writing a thumbnail.
    ///
    /// A file where a folder is needed, or vice versa, fails only its item.
    package static func placementFailure(_ error: FileError) -> Failure {
        guard error.isWrongFileType else { return Failure(error) }
        return Failure(.policy, "cannot write \(error.path): something else has that name")
    }
}

/// Identifies the original and the options that a file's thumbnails were made with.
///
/// The receipt stores it as text.
struct FileStamp: Sendable, Hashable {
    /// The fingerprint of the thumbnail options.
    var options: String
    /// The file's size, timestamps and inode.
    var status: String
    /// The SHA-256 of the content.
    var content: String

    /// Parses a receipt's stamp; `nil` if it is not that of a file.
    init?(_ text: String?) {
        guard let parts = text?.split(separator: " "), parts.count == 3 else { return nil }
        self.init(options: String(parts[0]), status: String(parts[1]), content: String(parts[2]))
    }

    init(options: String, status: String, content: String) {
        (self.options, self.status, self.content) = (options, status, content)
    }

    /// The text that the receipt stores.
    var text: String { "\(options) \(status) \(content)" }
}
