// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Processes an item: gets its bytes, checks them, makes thumbnails, and stages the files for the commit.
package struct ItemPipeline: Sendable {
    let options: MirrorOptions
    let layout: FileLayout
    /// The fingerprint of the thumbnail options, computed once per run.
    let fingerprint: String
    let choice: VariantChoice
    let store: any Store
    /// The mirror's local folder, with its state and incomplete downloads.
    package let state: Folder
    let fileSizes: any FileSizes
    let ledger: Ledger
    let decoders: DecodePool
    let recorder: EventRecorder
    /// Files that a verification found damaged.
    ///
    /// They count as missing, whatever their size is.
    let broken: TextSet
    /// The photos that must not be kept.
    let blocklist: Blocklist
    /// The originals that items of other sources copy; `nil` in runs with one source.
    var originals: OriginalsByAddress?

    /// Processes an item that has a slot.
    ///
    /// Its files are staged and still have to be committed.
    func process(
        _ item: Item, claim: Claim, from input: ItemInput?, slot: WorkPool.Slot
    ) async -> ProcessedItem {
        var result = await processOnce(item, claim: claim, from: input, slot: slot)
        if let fallback = await processFallback(after: result, of: item, claim: claim, from: input, slot: slot) {
            result = fallback
        }
        // A damaged preview does not mean that the photo is damaged.
        guard case .fetched(let fetched) = input, result.receipt.part == .preview,
            let failure = result.receipt.failure, [.corrupt, .truncated, .unsupported].contains(failure.cause)
        else { return result }
        recorder.record(.itemNoted(item, "the preview is not used: \(failure)"))
        return await processOnce(item, claim: claim, from: .fetched(fetched.ofWholeFiles), slot: slot)
    }

    /// Processes an item with its next rendition that the host has; `nil` if there is none.
    private func processFallback(
        after failed: ProcessedItem, of item: Item, claim: Claim, from input: ItemInput?, slot: WorkPool.Slot
    ) async -> ProcessedItem? {
        var last = failed
        while !slot.token.isCancelled, let variant = choice.fallback(after: last.receipt, of: item.photo) {
            last = await processOnce(item, claim: claim, from: input, slot: slot, as: variant)
            guard last.receipt.state != .failed else { continue }
            recorder.record(.itemNoted(item, "the host lacks the largest rendition, so another one is used"))
            return last
        }
        return nil
    }

    private enum Step {
        case reuse(StoredFile)
        case fetch(any FetchedInput, Download)
        case read(any PictureReading)
    }

    /// A download that is about to start.
    private struct Download {
        let request: FetchRequest
        /// The intact original of an earlier run.
        let existing: StoredFile?

        var partial: PartialFile { request.partial }
    }

    // Thousands of calls of this function may wait for their hosts. The functions that it calls must not be inlined,
    // because their temporary values would be part of each waiting call, which made 35 KB of it.
    @inline(never) private func processOnce(
        _ item: Item, claim: Claim, from input: ItemInput?, slot: WorkPool.Slot, as variant: Variant? = nil
    ) async -> ProcessedItem {
        var result = ProcessedItem()
        do throws(Failure) {
            switch try firstStep(for: item, as: variant, claim: claim, from: input, slot: slot, into: &result) {
            case .reuse(let existing):
                slot.releaseHost()
                try await reuse(existing, for: item, claim: claim, token: slot.token, into: &result)
            case .fetch(let input, let download):
                let end = try await fetch(download.request, of: item, from: input)
                // A failed download keeps its file, so that another run can resume it.
                defer { remove(download.partial, unlessStagedIn: result) }
                slot.releaseHost()
                try await finish(
                    download, from: input, with: end, of: item, claim: claim, token: slot.token, into: &result)
            case .read(let input):
                try await read(input, for: item, claim: claim, token: slot.token, into: &result)
            }
            try addSidecar(to: &result, of: claim)
        } catch {
            if error.cause == .blocked { result.dropPictures(from: store) }
            result.receipt.end(with: error)
        }
        return result
    }

    @inline(never) private func firstStep(
        for item: Item, as variant: Variant?, claim: Claim, from input: ItemInput?, slot: WorkPool.Slot,
        into result: inout ProcessedItem
    ) throws(Failure) -> Step {
        guard case .fetched(let input) = input else {
            if case .read(let input) = input { return .read(input) }
            throw Failure(.internal, "the item has no input")
        }
        let (variant, existing, isCurrent) = try start(of: item, as: variant, claim, from: input, &result.receipt)
        if let existing, isCurrent { return .reuse(existing) }
        let partial = try partialFile(for: item, of: variant, from: input)
        let isAvailable = (existing != nil || validReceipt(claim, for: item) != nil) && !isCut(claim)
        let rules = AcceptanceRules(options, for: item.photo)
        let request = FetchRequest(
            variant: variant, partial: partial, limit: options.maxBytes,
            known: isAvailable ? knownVersion(in: claim) : nil, slot: slot, earlyCheck: rules.earlyCheck, rules: rules,
            arrivalCheck: arrivalCheck(of: partial.descriptor, after: existing),
            record: { [recorder] in recorder.record($0) })
        return .fetch(input, Download(request: request, existing: existing))
    }

    @inline(never) private func remove(_ partial: PartialFile, unlessStagedIn result: ProcessedItem) {
        if !result.files.contains(where: { $0.temporary === partial.name }) { try? partial.remove() }
    }

    /// Checks and stages what a download has delivered, and makes the thumbnails.
    @inline(never) private func finish(
        _ download: Download, from input: any FetchedInput, with end: DownloadResult, of item: Item, claim: Claim,
        token: CancellationToken, into result: inout ProcessedItem
    ) async throws(Failure) {
        switch end {
        case .rejected(let rejected): result.receipt.skip(rejected.reason, saved: rejected.saved)
        case .unchanged:
            if let receipt = validReceipt(claim, for: item) {
                result = ProcessedItem(receipt, isKept: true)
            } else if let existing = download.existing {
                try await reuse(existing, for: item, claim: claim, token: token, into: &result)
            }
        case .complete(let response):
            guard let picture = try accept(response, to: download.request, of: item, claim: claim, into: &result) else {
                if result.receipt.isUndecodable { try await report(item, to: input, token: token) }
                return
            }
            try await report(item, to: input, token: token)
            do throws(Failure) {
                try await makeThumbnails(
                    of: picture.image, in: download.partial.descriptor, for: item, claim: claim, token: token,
                    into: &result)
                if response.stopped != nil { result.receipt.stamp = partFingerprint }
            } catch {
                // The file is cut, and another run may get the whole one.
                if picture.missingEnd != nil, error.cause == .truncated { result.dropOriginal() }
                throw error
            }
            result.obsoleteFiles += obsoleteOriginal(in: claim, replacedBy: result.receipt)
        }
    }

    /// Checks a complete file and stages it; returns `nil` if the options reject the picture, or if it is kept although
    /// it cannot be decoded.
    @inline(never) private func accept(
        _ response: Response, to download: FetchRequest, of item: Item, claim: Claim, into result: inout ProcessedItem
    ) throws(Failure) -> ArrivedPicture? {
        let partial = download.partial
        result.add(response)
        if response.headers.isEncoded { report(["the host sent the file compressed; it was decompressed"], of: item) }
        if response.hasSurplus { report(["bytes after the end of the host's reply were discarded"], of: item) }
        try download.variant.checksum?.check(partial.descriptor, sha256: response.sha256)
        if let failure = blocklist.failure(ofContent: response.sha256) { throw failure }
        let picture: ArrivedPicture
        do throws(Failure) {
            picture = try download.arrivalCheck.result(for: response)
        } catch {
            guard let format = error.format.flatMap(ImageFormat.init(rawValue:)), download.rules.keeps(error) else {
                throw error
            }
            result.receipt.format = format.rawValue
            let size = format.statedSize(ofFileAt: partial.descriptor)
            (result.receipt.width, result.receipt.height) = (size?.width, size?.height)
            result.receipt.add(UsageAssertion.all(inFileAt: partial.descriptor))
            try stage(partial, as: format, sha256: response.sha256, claim: claim, into: &result)
            result.obsoleteFiles += obsoleteOriginal(in: claim, replacedBy: result.receipt)
            try keepUndecodable(error, claim: claim, into: &result)
            return nil
        }
        add(picture, of: item, to: &result.receipt)
        if let reason = download.rules.rejectionReason(for: picture.info) {
            result.receipt.skip(reason)
            return nil
        }
        try stage(partial, as: picture.info.format, sha256: response.sha256, claim: claim, into: &result)
        return picture
    }

    /// Makes the wanted thumbnails of an existing original.
    @inline(never) private func reuse(
        _ existing: StoredFile, for item: Item, claim: Claim, token: CancellationToken, into result: inout ProcessedItem
    ) async throws(Failure) {
        let file = try Failure.onDisk(store.open(existing.path))
        result.receipt.keepOriginal(of: claim.receipt)
        // An earlier run may have salvaged a damaged picture, which the current options may not allow.
        var image: OpenedImage?
        do throws(Failure) {
            if claim.receipt?.failure != nil {
                let picture = try arrivalCheck(of: file.descriptor).inspect()
                add(picture, of: item, to: &result.receipt)
                image = picture.image
            }
        } catch {
            return try keepUndecodable(error, claim: claim, into: &result)
        }
        try await makeThumbnails(of: image, in: file.descriptor, for: item, claim: claim, token: token, into: &result)
    }

    /// Ends an item without thumbnails because its original cannot be decoded; throws the failure if the options, or
    /// its cause, do not allow that.
    private func keepUndecodable(
        _ failure: Failure, claim: Claim, into result: inout ProcessedItem
    ) throws(Failure) {
        guard let original = result.receipt.original, AcceptanceRules(options).keeps(failure) else { throw failure }
        // Only a decode shows how much of a damaged picture is missing.
        if let damage = result.receipt.failure { throw damage }
        // Thumbnails of the same picture, which an earlier run could make, are worth more than this receipt.
        if let earlier = claim.receipt, earlier.original?.sha256 == original.sha256,
            earlier.thumbs.contains(where: { isIntact($0.file) })
        {
            throw failure
        }
        if let earlier = claim.receipt, earlier.isUndecodable, earlier.original == result.receipt.original,
            earlier.failure?.detail === failure.detail, result.files.isEmpty
        {
            result = ProcessedItem(earlier, isKept: true)
            return
        }
        result.receipt.failure = failure
        result.obsoleteFiles += claim.receipt?.thumbs.map(\.file) ?? []
    }

    private func partialFile(
        for item: Item, of variant: Variant, from input: any FetchedInput
    ) throws(Failure) -> PartialFile {
        let name = "\(MirrorFolder.partial)/\(item.seq)"
        let limit = store.memoryForStaging
        // A folder's original is asked for its size only if memory is used at all.
        let isSmall = limit > 0 && input.sizeOfCopy(of: variant).map { $0 <= limit } ?? false
        return try Failure.onDisk(
            isSmall ? PartialFile(inMemory: name, in: state) : PartialFile(name, in: state))
    }

    /// Makes the check of a downloaded file: a complete picture of any size, whatever its name and type are.
    ///
    /// `earlier` is the file that an earlier run received.
    private func arrivalCheck(of descriptor: Int32, after earlier: StoredFile? = nil) -> ArrivalCheck {
        let wanted = options.thumbnails
        var unsized = wanted
        unsized.sizes = []
        let thumbnailer = Thumbnailer(unsized)
        return ArrivalCheck(after: earlier?.sha256) { () throws(Failure) in
            do throws(ImagingError) {
                let image = try thumbnailer.openHeader(fileAt: descriptor)
                do throws(ImagingError) {
                    let check = try thumbnailer.thumbnails(of: image)
                    return ArrivedPicture(image: image, damage: check.damage, notes: check.notes)
                } catch {
                    guard !wanted.sizes.isEmpty, try thumbnailer.mayLackOnlyItsEnd(image, because: error) else {
                        throw error
                    }
                    return ArrivedPicture(image: image, damage: nil, notes: [], missingEnd: Failure(error))
                }
            } catch {
                var failure = Failure(error).advisingSalvage(wanted).advisingFormat(wanted)
                // The file is the mirror's own, so every photo would meet a read error.
                if failure.cause == .disk { failure.scope = .run }
                throw failure
            }
        }
    }

    private func add(_ picture: ArrivedPicture, of item: Item, to receipt: inout Receipt) {
        receipt.add(picture.info)
        addHeaderFacts(of: picture.image, item, to: &receipt)
        receipt.add(picture.damage)
        // The decode finds no damage, but only the receipt tells later runs to ask for the whole file again.
        if receipt.failure == nil { receipt.failure = picture.missingEnd }
        // Otherwise the decode for the thumbnails reports these notes.
        if options.thumbnails.sizes.isEmpty { report(picture.notes, of: item) }
    }

    /// Adds the statements and the camera's facts in a picture's header.
    func addHeaderFacts(of image: OpenedImage, _ item: Item, to receipt: inout Receipt) {
        receipt.add(image.usageAssertions)
        var camera = image.camera(withPlace: options.thumbnails.keptMetadata.contains(.gps))
        if let place = item.photo.place {
            camera = camera ?? CameraFacts()
            camera?.setPlace(place)
        }
        receipt.exif = camera?.json
    }

    private func report(_ notes: [String], of item: Item) {
        for note in notes { recorder.record(.itemNoted(item, note)) }
    }

    /// Stages the original under its final name.
    ///
    /// The content determines the extension.
    private func stage(
        _ partial: PartialFile, as format: ImageFormat, sha256: String, claim: Claim, into result: inout ProcessedItem
    ) throws(Failure) {
        guard options.keepsOriginals else { return }
        let path = layout.original(try name(in: claim), format.fileExtension)
        let bytes = try Failure.onDisk(partial.length)
        var staged = try Failure.onDisk(stage(partial, bytes, as: path, sha256: sha256))
        if options.datesFiles { staged.time = claim.item.photo.date }
        result.files.append(staged)
        result.receipt.original = StoredFile(path: path, bytes: bytes, sha256: sha256)
    }

    /// Stages a partial file of this many bytes: by its name, or its content if it is in memory.
    private func stage(
        _ partial: PartialFile, _ count: Int, as path: String, sha256: String
    ) throws(FileError) -> StagedFile {
        guard partial.isInMemory else {
            return try partial.stage(as: path, flushed: options.durability == .each, sha256: sha256)
        }
        let temporary = String(partial.name.dropFirst(MirrorFolder.partial.count + 1))
        return try store.stage(
            partial.read(at: 0, count: count), as: path, temporary: temporary, durability: options.durability
        ).adding(sha256: sha256)
    }

    /// Returns the item's name.
    ///
    /// It is read from the ledger only if the claim has none: a flushing ledger blocks readers.
    private func name(in claim: Claim) throws(Failure) -> String {
        if layout == .inputs { return claim.item.photo.id }
        if let name = claim.name { return name }
        return try Failure.inLedger(ledger.name(of: claim.item))
    }

    /// Makes thumbnails of an original in all sizes, and stages them.
    ///
    /// `image` is the header if it has been read already.
    private func makeThumbnails(
        of image: OpenedImage?, in descriptor: Int32, for item: Item, claim: Claim, token: CancellationToken,
        into result: inout ProcessedItem
    ) async throws(Failure) {
        guard !options.thumbnails.sizes.isEmpty else { return }
        try claim.checkQuarantine(lifted: options.liftsQuarantine)
        do throws(Failure) {
            try await decode(image, in: descriptor, for: item, claim: claim, token: token, into: &result)
        } catch {
            return try keepUndecodable(error, claim: claim, into: &result)
        }
        if let failure = blocklist.failure(ofPicture: result.receipt.phash) { throw failure }
        result.receipt.stamp = fingerprint
        result.obsoleteFiles += obsoleteThumbs(in: claim, replacedBy: result.receipt.thumbs)
        result.receipt.addThumbs(otherThumbs(in: claim, than: result.receipt.thumbs))
    }

    /// Decodes a picture once, makes thumbnails in all sizes, and stages them; returns the picture's header.
    ///
    /// `bytes` is the file's content if it is in memory.
    @discardableResult func decode(
        _ image: OpenedImage?, of bytes: [UInt8]? = nil, in descriptor: Int32, for item: Item, claim: Claim,
        token: CancellationToken, into result: inout ProcessedItem
    ) async throws(Failure) -> OpenedImage {
        let header: OpenedImage
        let pictures: ThumbnailResult
        do throws(Failure) {
            header = if let image { image } else { try decoders.header(ofFileAt: descriptor, holding: bytes) }
            pictures = try await decoders.thumbnails(
                of: header, in: descriptor, for: item, isSuspect: claim.isSuspect, ledger: ledger, token: token,
                timing: &result.timings)
        } catch {
            throw error.advisingSalvage(options.thumbnails).advisingFormat(options.thumbnails)
        }
        report(pictures.notes, of: item)
        if layout == .inputs { result.receipt.add(pictures.info) }
        result.receipt.add(pictures)
        let name = try name(in: claim)
        for thumbnail in pictures.thumbnails { try stage(thumbnail, named: name, for: item, into: &result) }
        return header
    }

    /// Reports the download to the service, if it requires that.
    ///
    /// A failed report does not fail the item.
    private func report(_ item: Item, to input: any FetchedInput, token: CancellationToken) async throws(Failure) {
        do throws(Failure) {
            try await input.reportDownload(of: item.photo, token: token)
        } catch {
            if error.cause == .cancelled { throw error }
            recorder.record(.note("cannot report a download to \(item.feed): \(error)"))
        }
    }

    private func stage(
        _ thumbnail: Thumbnail, named name: String, for item: Item, into result: inout ProcessedItem
    ) throws(Failure) {
        let size = thumbnail.size.description
        let path = layout.thumbnail(name, size: size, thumbnail.format.fileExtension)
        do throws(FileError) {
            result.files.append(
                try store.stage(
                    thumbnail.bytes, as: path, temporary: "\(item.seq)-\(size)", durability: options.durability))
        } catch {
            throw layout.placementFailure(error)
        }
        result.receipt.thumbs.append(Thumb(thumbnail, at: path))
    }
}
