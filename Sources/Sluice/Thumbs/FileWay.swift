// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// One file's way through a run, from its slot in the pool to its receipt: ``ItemWay`` without a network.
struct FileWay: Way {
    let options: ThumbnailOptions
    let maxBytes: Int
    let folder: Folder
    let ledger: Ledger
    let decoders: DecodePool
    let recorder: Recorder
    /// What the thumbnails' bytes depend on, beside the file.
    private let fingerprint: String

    init(
        options: ThumbnailOptions, maxBytes: Int, folder: Folder, ledger: Ledger, decoders: DecodePool,
        recorder: Recorder
    ) {
        self.options = options
        self.maxBytes = maxBytes
        self.folder = folder
        self.ledger = ledger
        self.decoders = decoders
        self.recorder = recorder
        fingerprint = options.fingerprint
    }

    func host(of item: Item) -> String { "" }

    /// The receipt of a file that has not been touched since its thumbnails were made, with all of them in place.
    func standing(_ claim: Claim, for item: Item) -> Receipt? {
        guard let receipt = claim.receipt, receipt.serves(options), hasThumbs(receipt),
            let file = try? open(item), let looks = try? file.stamp, let made = FileStamp(receipt.stamp),
            made.options == fingerprint, made.looks == looks
        else { return nil }
        return receipt
    }

    func take(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> End {
        var receipt = Receipt(.done)
        receipt.url = item.photo.variants.first?.url
        do throws(Failure) {
            try claim.check()
            let file = try Failure.atSource(open(item))
            try checkSize(of: file)
            // Before the content: what is written meanwhile shows in the next run.
            let looks = try Failure.atSource(file.stamp)
            let stamp = FileStamp(options: fingerprint, looks: looks, content: try hash(of: file))
            receipt.stamp = stamp.text
            if let kept = unchanged(claim, as: stamp, at: receipt.url) { return .kept(kept) }
            try Failure.inLedger(ledger.beginAttempt(on: item))
            let pictures = try await thumbnails(of: file.descriptor, at: file.path, token: slot.token)
            receipt.note(pictures.info)
            for note in pictures.notes { recorder.record(.itemNoted(item, note)) }
            receipt.note(pictures)
            for thumbnail in pictures.thumbnails { receipt.thumbs.append(try keep(thumbnail, for: item)) }
            try tidy(claim, noting: &receipt)
        } catch {
            receipt.end(with: error)
        }
        return End(receipt)
    }

    /// What an earlier run left, if the file was only touched, moved or copied: the same content, the same options.
    private func unchanged(_ claim: Claim, as stamp: FileStamp, at path: String?) -> Receipt? {
        guard var kept = claim.receipt, kept.serves(options), hasThumbs(kept), let made = FileStamp(kept.stamp),
            made.options == stamp.options, made.content == stamp.content
        else { return nil }
        kept.stamp = stamp.text
        kept.url = path
        return kept
    }

    /// Whether every wanted size stands under its name.
    private func hasThumbs(_ receipt: Receipt) -> Bool {
        options.sizes.allSatisfy { size in
            receipt.thumbs.contains { $0.size == size.description && stands($0) }
        }
    }

    /// Keeps what earlier runs made in other sizes of the same picture, and removes what this run's thumbnails replace.
    private func tidy(_ claim: Claim, noting receipt: inout Receipt) throws(Failure) {
        let earlier = claim.receipt ?? Receipt(.skipped)
        let made = Set(receipt.thumbs.map(\.size))
        let others = earlier.thumbs.filter { !made.contains($0.size) && stands($0) }
        let isSame = FileStamp(earlier.stamp)?.content == FileStamp(receipt.stamp)?.content
        receipt.addThumbs(isSame ? others : [])
        let kept = Set(receipt.thumbs.map(\.file.path))
        for thumb in earlier.thumbs where !kept.contains(thumb.file.path) {
            try Failure.onDisk(folder.remove(thumb.file.path))
        }
    }

    private func stands(_ thumb: Thumb) -> Bool { folder.size(of: thumb.file.path) == thumb.file.bytes }

    private func open(_ item: Item) throws(FileError) -> OpenFile {
        let file = item.photo.variants.first
        return try OpenFile.reading(file?.url ?? "", followsLink: file?.name == FileFeed.named)
    }

    /// Refuses a file that is too large, before all of it is read for its hash.
    private func checkSize(of file: borrowing OpenFile) throws(Failure) {
        let size = try Failure.atSource(file.size)
        guard size > maxBytes else { return }
        throw Failure(.tooLarge, "\(size) bytes (limit \(maxBytes))", finalURL: file.path)
    }

    private func hash(of file: borrowing OpenFile) throws(Failure) -> String {
        guard let hash = SHA256.digest(ofFileAt: file.descriptor) else {
            throw Failure(.disk, "cannot be read", finalURL: file.path)
        }
        return hash
    }

    private func thumbnails(of descriptor: Int32, at path: String, token: Token) async throws(Failure) -> PictureResult
    {
        do throws(Failure) {
            return try await decoders.thumbnails(of: descriptor, token: token)
        } catch {
            var failure = error
            failure.finalURL = path
            throw failure
        }
    }

    private func keep(_ thumbnail: Thumbnail, for item: Item) throws(Failure) -> Thumb {
        let size = thumbnail.size.description
        let path = "\(size)/\(item.photo.id).\(thumbnail.format.fileExtension)"
        do throws(FileError) {
            try folder.makeFolder(String(path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]))
            try folder.write(thumbnail.bytes, to: path, temporary: "\(MirrorFolder.partial)/\(item.seq)")
        } catch {
            // A folder where a thumbnail must be, or the other way round: that item's trouble alone.
            guard error.isInTheWay else { throw Failure(error) }
            throw Failure(.policy, "something else stands where \(path) must be")
        }
        let file = StoredFile(path: path, bytes: thumbnail.bytes.count, sha256: SHA256.digest(of: thumbnail.bytes))
        return Thumb(
            size: size, width: thumbnail.width, height: thumbnail.height, format: thumbnail.format.rawValue, file: file)
    }
}

extension Failure {
    /// Trouble with the input, which names its path: it is the item's own and stops no run.
    fileprivate static func atSource<Value: ~Copyable>(
        _ body: @autoclosure () throws(FileError) -> Value
    ) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(.disk, error.reason, finalURL: error.path) }
    }
}
