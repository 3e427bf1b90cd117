// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

// What each step of an item's way writes on its receipt.

extension Receipt {
    mutating func begin(_ variant: Variant, of photo: Photo) {
        self.variant = variant.name
        url = variant.url
        color = photo.color
        placeholder = photo.placeholder
    }

    mutating func note(_ response: Response) {
        status = response.status
        finalURL = response.url == url ? nil : response.url
        etag = response.headers["etag"]
        lastModified = response.headers["last-modified"]
    }

    mutating func note(_ info: ImageInfo) {
        format = info.format.rawValue
        width = info.width
        height = info.height
        orientation = info.orientation
    }

    /// What was measured goes before what the feed stated.
    mutating func note(_ pictures: PictureResult) {
        color = pictures.color ?? color
        placeholder = pictures.placeholder ?? placeholder
        phash = pictures.phash
        note(pictures.damage)
    }

    /// What is wrong with a file that is salvaged.
    mutating func note(_ damage: ImagingError?) {
        failure = failure ?? damage.map { Failure($0) }
    }

    /// Adds what earlier runs made, and puts all in order.
    mutating func addThumbs(_ others: [Thumb]) {
        thumbs += others
        thumbs.sort { ($0.width * $0.height, $0.size) < ($1.width * $1.height, $1.size) }
    }

    /// Takes over what an earlier run wrote of the original that still stands.
    mutating func keepOriginal(of earlier: Receipt?) {
        guard let earlier else { return }
        (status, finalURL, etag, lastModified) = (earlier.status, earlier.finalURL, earlier.etag, earlier.lastModified)
        (format, width, height) = (earlier.format, earlier.width, earlier.height)
        (orientation, original) = (earlier.orientation, earlier.original)
    }

    /// Ends the receipt: a rule of the user's leaves the photo out, and so many bytes of it did not come.
    mutating func skip(_ reason: String, saved: Int? = nil) {
        state = .skipped
        failure = Failure(.policy, reason)
        failure?.savedBytes = saved
    }

    /// The receipt as the failure leaves it.
    func ended(with failure: Failure) -> Receipt {
        var receipt = self
        receipt.end(with: failure)
        return receipt
    }

    /// Ends the receipt: what the user, the run or the host called off is skipped, everything else failed.
    mutating func end(with failure: Failure) {
        state = [.cancelled, .optedOut].contains(failure.cause) ? .skipped : .failed
        self.failure = failure
        status = failure.status ?? status
        finalURL = failure.finalURL ?? finalURL
    }
}

extension Thumb {
    /// What a receipt says of a thumbnail that stands under `path`.
    init(_ thumbnail: Thumbnail, at path: String) {
        let file = StoredFile(path: path, bytes: thumbnail.bytes.count, sha256: SHA256.digest(of: thumbnail.bytes))
        self.init(
            size: thumbnail.size.description, width: thumbnail.width, height: thumbnail.height,
            format: thumbnail.format.rawValue, file: file)
    }
}
