// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// One file's way through a run, from its slot in the pool to its receipt: ``ItemWay`` without a network.
struct FileWay: Way {
    let options: ThumbnailOptions
    let durability: Durability
    let maxBytes: Int
    let folder: Folder
    private let glance: Glance
    let ledger: Ledger
    let decoders: DecodePool
    let recorder: Recorder
    /// Thumbnails that are not what they were: they do not stand, whatever their size.
    let broken: Set<String>
    /// Whether files are decoded that are in quarantine.
    let liftsQuarantine: Bool
    /// What the thumbnails' bytes depend on, beside the file.
    private let fingerprint: String

    init(
        options: ThumbnailOptions, durability: Durability, maxBytes: Int, folder: Folder, ledger: Ledger,
        decoders: DecodePool, recorder: Recorder, broken: Set<String>, liftsQuarantine: Bool
    ) {
        self.options = options
        self.durability = durability
        self.maxBytes = maxBytes
        self.folder = folder
        glance = Glance(below: folder)
        self.ledger = ledger
        self.decoders = decoders
        self.recorder = recorder
        self.broken = broken
        self.liftsQuarantine = liftsQuarantine
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

    func take(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> Outcome {
        var outcome = Outcome()
        outcome.receipt.url = item.photo.variants.first?.url
        do throws(Failure) {
            try claim.checkQuarantine(lifted: liftsQuarantine)
            let file = try Failure.atSource(open(item))
            try checkSize(of: file)
            // Before the content: what is written meanwhile shows in the next run.
            let looks = try Failure.atSource(file.stamp)
            let stamp = FileStamp(options: fingerprint, looks: looks, content: try hash(of: file))
            outcome.receipt.stamp = stamp.text
            if let kept = unchanged(claim, as: stamp, at: outcome.receipt.url) { return Outcome(kept, isKept: true) }
            let pictures = try await thumbnails(
                of: file, for: item, isSuspect: claim.isSuspect, token: slot.token, timing: &outcome.timings)
            outcome.receipt.note(pictures.info)
            for note in pictures.notes { recorder.record(.itemNoted(item, note)) }
            outcome.receipt.note(pictures)
            for thumbnail in pictures.thumbnails { try keep(thumbnail, for: item, noting: &outcome) }
            tidy(claim, noting: &outcome)
        } catch {
            outcome.receipt.end(with: error)
        }
        return outcome
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

    /// Keeps what earlier runs made in other sizes of the same picture; what this run's thumbnails replace is to go.
    private func tidy(_ claim: Claim, noting outcome: inout Outcome) {
        let earlier = claim.receipt ?? Receipt(.skipped)
        let made = Set(outcome.receipt.thumbs.map(\.size))
        let others = earlier.thumbs.filter { !made.contains($0.size) && stands($0) }
        let isSame = FileStamp(earlier.stamp)?.content == FileStamp(outcome.receipt.stamp)?.content
        outcome.receipt.addThumbs(isSame ? others : [])
        let kept = Set(outcome.receipt.thumbs.map(\.file.path))
        outcome.replaced += earlier.thumbs.map(\.file.path).filter { !kept.contains($0) }
    }

    private func stands(_ thumb: Thumb) -> Bool {
        glance.size(of: thumb.file.path) == thumb.file.bytes && !broken.contains(thumb.file.path)
    }

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

    private func thumbnails(
        of file: borrowing OpenFile, for item: Item, isSuspect: Bool, token: Token, timing timings: inout Timings
    ) async throws(Failure) -> PictureResult {
        do throws(Failure) {
            return try await decoders.thumbnails(
                of: file.descriptor, for: item, isSuspect: isSuspect, in: ledger, token: token, timing: &timings)
        } catch {
            var failure = error
            failure.finalURL = file.path
            throw failure
        }
    }

    private func keep(_ thumbnail: Thumbnail, for item: Item, noting outcome: inout Outcome) throws(Failure) {
        let size = thumbnail.size.description
        let path = "\(size)/\(item.photo.id).\(thumbnail.format.fileExtension)"
        do throws(FileError) {
            try folder.makeParent(of: path)
            let temporary = "\(MirrorFolder.partial)/\(item.seq)-\(size)"
            outcome.files.append(
                try folder.stage(thumbnail.bytes, as: path, temporary: temporary, flushed: durability == .each))
        } catch {
            throw Self.verdict(error)
        }
        outcome.receipt.thumbs.append(Thumb(thumbnail, at: path))
    }

    /// A folder where a thumbnail must be, or the other way round, is that item's trouble alone.
    static func verdict(_ error: FileError) -> Failure {
        guard error.isInTheWay else { return Failure(error) }
        return Failure(.policy, "something else stands where \(error.path) must be")
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
