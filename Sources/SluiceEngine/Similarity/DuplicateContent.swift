// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// A content of one or more originals, with the facts that decide which copy is best.
struct DuplicateContent {
    struct Photo {
        let member: DuplicateGroup.Member
        let date: Int?
        /// The user's rating; 0 if there is none.
        let rating: Int
        let host: String
    }

    let sha256: String
    let phash: UInt64?
    /// The photos: those of the reference first, then by the user's rating and in the feed's order.
    private(set) var photos: [Photo]
    /// The number of the mirror that has ``picture``.
    let mirror: Int
    /// The smallest file that shows the whole picture with enough detail.
    let picture: StoredFile
    /// The original, as the comparison of copies needs it; `nil` until it is read.
    var compared: CopyComparison.Picture?
    let hasEXIF: Bool

    /// Reads the original of an entry; `nil` if it has none.
    init?(_ entry: LedgerEntry, mirror: Int, isReference: Bool) {
        guard let receipt = entry.receipt, receipt.state == .done, let original = receipt.original else { return nil }
        let isTurned = (5...8).contains(receipt.orientation ?? 1)
        let (width, height) = isTurned ? (receipt.height, receipt.width) : (receipt.width, receipt.height)
        let thumb = receipt.thumbs.first { Self.isWhole($0, of: width, height) }
        let member = DuplicateGroup.Member(
            item: entry.item.seq, path: original.path, bytes: original.bytes, sha256: original.sha256, width: width,
            height: height, format: receipt.format, thumb: receipt.thumbs.first?.file.path,
            isReference: isReference)
        let host = (receipt.finalURL ?? receipt.url).flatMap { WebAddress($0) }?.host ?? ""
        let photo = entry.item.photo
        photos = [Photo(member: member, date: photo.date, rating: photo.rating ?? 0, host: host)]
        sha256 = original.sha256
        phash = receipt.phash.flatMap { UInt64($0, radix: 16) }
        picture = thumb?.file ?? original
        hasEXIF = receipt.exif != nil
        self.mirror = mirror
    }

    /// Adds the photos of another entry with the same content.
    mutating func add(_ other: DuplicateContent) {
        photos += other.photos
        photos.sort {
            $0.member.isReference == $1.member.isReference ? $0.rating > $1.rating : $0.member.isReference
        }
    }

    var isReference: Bool { photos[0].member.isReference }

    /// At least this many identical photos from one host are taken for the host's placeholder.
    private static let minPlaceholderCount = 5

    /// The host that probably sends this file in place of missing photos.
    var placeholderHost: String? {
        guard photos.count >= Self.minPlaceholderCount else { return nil }
        let hosts = TextSet(photos.map(\.host)).sorted()
        return hosts.count == 1 && !hosts[0].isEmpty ? hosts[0] : nil
    }

    /// Whether a thumbnail shows the whole picture, and suffices for comparisons.
    private static func isWhole(_ thumb: Thumb, of width: Int?, _ height: Int?) -> Bool {
        guard let width, let height, min(thumb.width, thumb.height) >= 64, max(thumb.width, thumb.height) >= 120,
            width > 0, height > 0
        else { return false }
        let (shape, thumbShape) = (Double(width) / Double(height), Double(thumb.width) / Double(thumb.height))
        return abs(shape / thumbShape - 1) < 0.03
    }

    private var pixels: Int {
        let (width, height) = (photos[0].member.width ?? 0, photos[0].member.height ?? 0)
        let (product, hasOverflow) = width.multipliedReportingOverflow(by: height)
        return hasOverflow ? Int.max : product
    }

    /// The original.
    var original: StoredFile {
        let member = photos[0].member
        return StoredFile(path: member.path, bytes: member.bytes, sha256: member.sha256)
    }

    var isLossless: Bool {
        [ImageFormat.png.name, ImageFormat.tiff.name].contains(photos[0].member.format ?? "")
    }

    private var date: Int? { photos.compactMap(\.date).min() }

    /// Why this photo is better than another one; `nil` if the other one is better or as good.
    func advantage(over other: DuplicateContent) -> String? {
        if isReference != other.isReference { return isReference ? "in the reference" : nil }
        let (rating, otherRating) = (photos[0].rating, other.photos[0].rating)
        if rating != otherRating { return rating > otherRating ? "rated higher" : nil }
        if let compared, let otherCompared = other.compared,
            let verdict = CopyComparison(compared, otherCompared).verdict
        {
            return verdict.isFirst ? verdict.reason : nil
        }
        if pixels != other.pixels { return pixels > other.pixels ? "more pixels" : nil }
        if isLossless != other.isLossless { return isLossless ? "lossless" : nil }
        if hasEXIF != other.hasEXIF { return hasEXIF ? "has EXIF data" : nil }
        if let date, let otherDate = other.date, date != otherDate { return date < otherDate ? "older" : nil }
        let (bytes, otherBytes) = (photos[0].member.bytes, other.photos[0].member.bytes)
        if bytes != otherBytes { return bytes > otherBytes ? "larger file" : nil }
        return photos[0].member.item < other.photos[0].member.item ? "listed first" : nil
    }
}
