// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// One item's way through a run, from its slot in the pool to its receipt: the middle of the program.
struct ItemWay: Way {
    let options: MirrorOptions
    /// What the thumbnails' bytes depend on beside the original; read off the options once for the run.
    let fingerprint: String
    let choice: VariantChoice
    /// Told of downloads, where its service wants that.
    let feed: any Feed
    let folder: Folder
    let glance: Glance
    let ledger: Ledger
    let supply: any Supply
    let decoders: DecodePool
    let recorder: Recorder
    /// Files that are not what they were: they do not stand, whatever their size.
    var broken: Set<String> = []

    /// Takes the item all the way; its receipt says how far it came.
    func take(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> Outcome {
        var outcome = Outcome()
        do throws(Failure) {
            let variant = try choose(from: item.photo)
            outcome.receipt.begin(variant, of: item.photo)
            let earlier = standingOriginal(in: claim, as: variant)
            // What is asked for anew stays, whatever comes of that, until there is something in its place.
            outcome.keepsEarlier = supply.isAskedAgain && isDone(claim, for: item, original: earlier)
            // It would be fetched for its decode alone.
            if !options.keepsOriginals { try claim.checkQuarantine(lifted: options.liftsQuarantine) }
            if let earlier, !supply.isAskedAgain {
                slot.leaveHost()
                try await use(earlier, for: item, claim: claim, token: slot.token, noting: &outcome)
                return outcome
            }
            let partial = try partialFile(for: item)
            let stands = earlier != nil || serving(claim, for: item) != nil
            let known = stands ? knownVersion(in: claim) : nil
            let inspection = inspection(of: partial.descriptor)
            let arrival = try await supply.bring(
                variant, of: item, into: partial, unless: known, slot: slot, judging: rules.judge,
                inspecting: inspection)
            // Unless it waits for its name by then, nobody wants it.
            defer { if !outcome.files.contains(where: { $0.temporary == partial.name }) { try? partial.remove() } }
            slot.leaveHost()
            switch arrival {
            case .declined(let declined): outcome.receipt.skip(declined.reason, saved: declined.saved)
            case .unchanged:
                if let receipt = serving(claim, for: item) { return Outcome(receipt, isKept: true) }
                if let earlier { try await use(earlier, for: item, claim: claim, token: slot.token, noting: &outcome) }
            case .whole(let response):
                outcome.receipt.note(response)
                if let times = response.times { outcome.timings.note(times) }
                try variant.checksum?.check(partial.descriptor, sha256: response.sha256)
                let info = note(try inspection.result(for: response), of: item, on: &outcome.receipt)
                if let reason = rules.reason(against: info) {
                    outcome.receipt.skip(reason)
                    break
                }
                try keep(partial, as: info.format, sha256: response.sha256, claim: claim, noting: &outcome)
                try await ping(for: item, token: slot.token)
                try await makeThumbnails(
                    of: partial.descriptor, for: item, claim: claim, token: slot.token, noting: &outcome)
                outcome.replaced += oldOriginal(in: claim, than: outcome.receipt)
            }
        } catch {
            outcome.receipt.end(with: error)
        }
        return outcome
    }

    /// Makes what is wanted of the original that stands.
    private func use(
        _ earlier: StoredFile, for item: Item, claim: Claim, token: Token, noting outcome: inout Outcome
    ) async throws(Failure) {
        let file = try Failure.onDisk(folder.openForReading(earlier.path))
        outcome.receipt.keepOriginal(of: claim.receipt)
        // What was salvaged before may not be wanted so now.
        if claim.receipt?.failure != nil {
            _ = note(try inspection(of: file.descriptor).look(), of: item, on: &outcome.receipt)
        }
        try await makeThumbnails(of: file.descriptor, for: item, claim: claim, token: token, noting: &outcome)
    }

    /// The variant to mirror.
    private func choose(from photo: Photo) throws(Failure) -> Variant {
        guard let chosen = choice.variant(of: photo) else {
            let names = photo.variants.map(\.name).joined(separator: ", ")
            throw Failure(.policy, "the photo has no variant \(choice.description), only \(names)")
        }
        return chosen
    }

    private func partialFile(for item: Item) throws(Failure) -> PartialFile {
        try Failure.onDisk(PartialFile("\(MirrorFolder.partial)/\(item.seq)", in: folder))
    }

    /// What a photo must be.
    private var rules: PictureRules { PictureRules(options) }

    /// Looks at what arrived: a whole picture within the limits, whatever its name and its type claim.
    private func inspection(of descriptor: Int32) -> Inspection {
        var checkAlone = options.thumbnails
        checkAlone.sizes = []
        let thumbnailer = Thumbnailer(checkAlone)
        return Inspection { () throws(Failure) in
            do throws(ImagingError) {
                return try thumbnailer.thumbnails(ofFileAt: descriptor)
            } catch {
                throw Failure(error)
            }
        }
    }

    private func note(_ checked: PictureResult, of item: Item, on receipt: inout Receipt) -> ImageInfo {
        receipt.note(checked.info)
        receipt.note(checked.damage)
        // The decode for thumbnails will tell these and more.
        if options.thumbnails.sizes.isEmpty { tell(checked.notes, of: item) }
        return checked.info
    }

    private func tell(_ notes: [String], of item: Item) {
        for note in notes { recorder.record(.itemNoted(item, note)) }
    }

    /// Has the original wait for its final name, with the extension that its content asks for.
    private func keep(
        _ partial: PartialFile, as format: ImageFormat, sha256: String, claim: Claim, noting outcome: inout Outcome
    ) throws(Failure) {
        guard options.keepsOriginals else { return }
        let path = "originals/\(try name(in: claim)).\(format.fileExtension)"
        let bytes = try Failure.onDisk(partial.length)
        outcome.files.append(try Failure.onDisk(partial.stage(as: path, flushed: options.durability == .each)))
        outcome.receipt.original = StoredFile(path: path, bytes: bytes, sha256: sha256)
    }

    /// The item's name; asked for where it is none of the new ones, since a ledger that flushes lets nobody read.
    private func name(in claim: Claim) throws(Failure) -> String {
        if let name = claim.name { return name }
        return try Failure.inLedger(ledger.name(of: claim.item))
    }

    /// Decodes once, makes all sizes, and has them wait for their names.
    private func makeThumbnails(
        of descriptor: Int32, for item: Item, claim: Claim, token: Token, noting outcome: inout Outcome
    ) async throws(Failure) {
        guard !options.thumbnails.sizes.isEmpty else { return }
        try claim.checkQuarantine(lifted: options.liftsQuarantine)
        let pictures = try await decoders.thumbnails(
            of: descriptor, for: item, isSuspect: claim.isSuspect, in: ledger, token: token, timing: &outcome.timings)
        tell(pictures.notes, of: item)
        outcome.receipt.note(pictures)
        outcome.receipt.stamp = fingerprint
        let name = try name(in: claim)
        for thumbnail in pictures.thumbnails {
            try Failure.onDisk(keep(thumbnail, as: name, for: item, noting: &outcome))
        }
        outcome.receipt.addThumbs(otherThumbs(in: claim, than: outcome.receipt.thumbs))
    }

    /// Tells the service of the download, where it asks for that; it is none the less done where nobody listens.
    private func ping(for item: Item, token: Token) async throws(Failure) {
        guard supply.asksHosts else { return }
        do throws(Failure) {
            try await feed.ping(item.photo, token: token)
        } catch {
            if error.cause == .cancelled { throw error }
            recorder.record(.note("\(item.feed) could not be told of a download: \(error)"))
        }
    }

    private func keep(
        _ thumbnail: Thumbnail, as name: String, for item: Item, noting outcome: inout Outcome
    ) throws(FileError) {
        let size = thumbnail.size.description
        let path = "thumbs/\(size)/\(name).\(thumbnail.format.fileExtension)"
        // It waits beside the downloads, where the next run clears away what a killed one left.
        let temporary = "\(MirrorFolder.partial)/\(item.seq)-\(size)"
        let isFlushed = options.durability == .each
        outcome.files.append(
            try folder.stage(thumbnail.bytes, as: path, temporary: temporary, flushed: isFlushed))
        outcome.receipt.thumbs.append(Thumb(thumbnail, at: path))
    }
}
