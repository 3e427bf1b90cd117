// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceModel
internal import SluiceTransfer

// Changes that the processing steps make to an item's receipt.

extension Receipt {
    package mutating func begin(_ variant: Variant, of photo: Photo) {
        self.variant = variant.name
        url = variant.url
        color = photo.color
        placeholder = photo.placeholder
        license = photo.statedLicense
        usage = photo.usage
    }

    mutating func add(_ response: Response) {
        status = response.status
        finalURL = response.url === url ? nil : response.url
        etag = response.headers["etag"]
        lastModified = response.headers["last-modified"]
        hostDigest = response.hostDigest
        add(response.usage.statements)
        // Copies have no times.
        bytesReceived = response.times == nil ? nil : response.bytes
        bytesUnneeded = response.times == nil ? nil : response.stopped.map { $0.saved ?? 0 }
        part = response.stopped.map { $0.previewed == nil ? .scans : .preview }
    }

    /// Adds the statements in the file about its use.
    mutating func add(_ assertions: [UsageAssertion]) {
        add(assertions.map { UsageTerms.Statement($0.name, $0.value) })
    }

    private mutating func add(_ statements: [UsageTerms.Statement]) {
        guard !statements.isEmpty else { return }
        let known = UsageTerms(text: usage ?? "").statements
        usage = UsageTerms(known + statements.filter { !known.contains($0) }).text
    }

    mutating func add(_ info: ImageInfo) {
        format = info.format.rawValue
        width = info.width
        height = info.height
        orientation = info.orientation
    }

    /// Adds the results of the decode.
    ///
    /// Computed values replace those of the feed.
    mutating func add(_ pictures: ThumbnailResult) {
        color = pictures.color ?? color
        placeholder = pictures.placeholder ?? placeholder
        phash = pictures.phash
        add(pictures.damage)
    }

    /// Adds the damage of a salvaged picture.
    mutating func add(_ damage: ImagingError?) {
        failure = failure ?? damage.map { Failure($0) }
    }

    /// Adds thumbnails of earlier runs and sorts all by size.
    mutating func addThumbs(_ others: [Thumb]) {
        if !others.isEmpty { keptSizes = Set<String>(others.map(\.size)) }
        thumbs += others
        thumbs.sort { ($0.width * $0.height, $0.size) < ($1.width * $1.height, $1.size) }
    }

    /// Copies the original and its details from an earlier receipt.
    mutating func keepOriginal(of earlier: Receipt?) {
        guard let earlier else { return }
        for field in ReceiptField.all where field.describesOriginal { field.copy(from: earlier, to: &self) }
    }

    /// Marks the item as skipped by the user's rules.
    ///
    /// `saved` is the number of bytes that were not downloaded.
    mutating func skip(_ reason: String, saved: Int? = nil) {
        state = .skipped
        failure = Failure(.policy, reason)
        failure?.savedBytes = saved
    }

    /// Returns the receipt with the failure applied.
    func ended(with failure: Failure) -> Receipt {
        var receipt = self
        receipt.end(with: failure)
        return receipt
    }

    /// Applies a failure.
    ///
    /// Cancelled, opted-out and blocked items are skipped; all others have failed.
    package mutating func end(with failure: Failure) {
        state = [.cancelled, .optedOut, .blocked].contains(failure.cause) ? .skipped : .failed
        self.failure = failure
        status = failure.status ?? status
        finalURL = failure.finalURL ?? finalURL
    }
}

extension ProcessedItem {
    mutating func add(_ response: Response) {
        receipt.add(response)
        if let times = response.times { timings.note(times) }
    }
}

extension Thumb {
    /// Describes a thumbnail that is stored at `path`.
    init(_ thumbnail: Thumbnail, at path: String) {
        let file = StoredFile(path: path, bytes: thumbnail.bytes.count, sha256: SHA256.digest(of: thumbnail.bytes))
        self.init(
            size: thumbnail.size.description, width: thumbnail.width, height: thumbnail.height,
            format: thumbnail.format.rawValue, file: file)
    }
}
