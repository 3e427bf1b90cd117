// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The data that a gallery shows of one entry.
///
/// Texts are limited in length, but not yet escaped. This is a class because it is passed on often, and copying its
/// many strings would cost as much as writing them.
final class Tile {
    enum State: String {
        case done, skipped, failed, pending, rejected
    }

    let entry: LedgerEntry
    let state: State
    /// Whether the mirror has the photo, which may be rejected.
    private let isStored: Bool
    /// The texts of ``fields``; `nil` for numbers, for missing texts and for addresses that a gallery may not link to.
    let texts: [String?]
    /// The size of the picture in its upright orientation, or the best estimate; `nil` if unknown.
    let size: PixelSize?
    /// The dominant colour, `#rrggbb`.
    let color: String?
    /// The image files, smallest first.
    let images: [TileImage]
    /// The address of the original elsewhere on the same disk, for a thumbnail of a local file.
    let localOriginal: String?

    init(_ entry: LedgerEntry, originals: LocalOriginals? = nil) {
        let photo = entry.item.photo
        self.entry = entry
        let stored = entry.receipt.flatMap { State(rawValue: $0.state.rawValue) } ?? .pending
        state = photo.isRejected ? .rejected : stored
        isStored = stored == .done
        texts = Self.fields.map { $0.shownText(of: photo) }
        size = PixelSize(of: entry)
        color = [entry.receipt?.color, photo.color].lazy.compactMap { $0 }.first(where: isColor)
        images = isStored ? TileImage.all(of: entry.receipt, size: size) : []
        let isThumbnail = isStored && entry.receipt?.original == nil
        localOriginal = isThumbnail ? entry.receipt?.url.flatMap { originals?.address(of: $0) } : nil
    }

    /// The photo fields that the gallery shows as the feed states them.
    static let fields = PhotoField.all.filter { if case .ofFeed = $0.gallery { true } else { false } }
    private static let captionIndex = fields.firstIndex(of: .field(\.caption))
    private static let userCaptionIndex = fields.firstIndex(of: .field(\.userCaption))
    private static let authorIndex = fields.firstIndex(of: .field(\.author))
    private static let collectionIndex = fields.firstIndex(of: .field(\.collection))
    private static let licenseIndex = fields.firstIndex(of: .field(\.license))
    private static let attributionIndex = fields.firstIndex(of: .field(\.attribution))
    /// The positions in ``fields`` of the texts other than the caption that the search finds.
    static let searchable = fields.indices.filter { fields[$0].uses.contains(.search) && $0 != captionIndex }

    /// The user's caption, or else the feed's.
    var caption: String? { Self.userCaptionIndex.flatMap { texts[$0] } ?? feedCaption }
    var feedCaption: String? { Self.captionIndex.flatMap { texts[$0] } }
    var author: String? { Self.authorIndex.flatMap { texts[$0] } }
    var collection: String? { Self.collectionIndex.flatMap { texts[$0] } }
    var license: String? { Self.licenseIndex.flatMap { texts[$0] } }
    var attribution: String? { Self.attributionIndex.flatMap { texts[$0] } }

    var seq: Int { entry.item.seq }
    var photo: Photo { entry.item.photo }
    var receipt: Receipt? { entry.receipt }
    /// The ThumbHash of the picture in Base64.
    var placeholder: String? { images.isEmpty ? nil : receipt?.placeholder?.shown(upTo: 200) }
    var original: StoredFile? { isStored ? receipt?.original : nil }

    /// Whether browsers show the original, rather than only download it.
    var originalIsShown: Bool { receipt?.originalIsShown ?? true }

    /// The options with which `sluice mirror` may download a failed photo, or make its missing thumbnails; `nil` if
    /// none would help.
    var remedy: String? {
        guard state == .failed || receipt?.isUndecodable == true, let cause = receipt?.failure?.cause else {
            return nil
        }
        guard cause.remedy != .none else { return nil }
        let retry = "\(CommandFlag.retry)=\(cause.name)"
        return cause.remedy.options.map { "\(retry) \($0)" } ?? retry
    }

    /// The cause of a failed photo, and its remedy.
    var failure: TileFailure? {
        guard state == .failed, let cause = receipt?.failure?.cause else { return nil }
        return TileFailure(cause: cause, remedy: remedy)
    }

    /// The caption, or a name made from the sequence number.
    var name: String { caption ?? "Photo \(seq)" }
}

/// Why a photo failed, and the options with which `sluice mirror` may download it.
struct TileFailure: Equatable {
    var cause: Cause
    var remedy: String?
}

extension Receipt {
    /// Whether browsers show the original; those of formats that Sluice only recognises may contain scripts.
    fileprivate var originalIsShown: Bool {
        guard !isUndecodable else { return false }
        return format.flatMap(StoredFormat.init)?.isShownByBrowsers ?? true
    }
}

extension PhotoField {
    /// The text as the gallery shows it.
    ///
    /// The script checks links again, but unsafe ones should not be in the data at all.
    fileprivate func shownText(of photo: Photo) -> String? {
        guard case .ofFeed(let limit, _, _) = gallery, let text = text(of: photo) else { return nil }
        return switch kind {
        case .link: WebLink(text)?.address
        // A part of an object would be no object.
        case .object: text.utf8.count <= limit ? text : nil
        default: text.shown(upTo: limit)
        }
    }
}

/// A width and height in pixels.
struct PixelSize: Equatable {
    var width: Int
    var height: Int

    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0, width <= 1 << 20, height <= 1 << 20 else { return nil }
        self.width = width
        self.height = height
    }

    /// The size in upright orientation: measured, with the EXIF orientation applied, or else as the feed states it.
    init?(of entry: LedgerEntry) {
        let receipt = entry.receipt
        let isTurned = (5...8).contains(receipt?.orientation ?? 1)
        let measured =
            isTurned ? PixelSize(receipt?.height, receipt?.width) : PixelSize(receipt?.width, receipt?.height)
        let stated = PixelSize(entry.item.photo.width, entry.item.photo.height)
        let thumb = receipt?.thumbs.last.flatMap { PixelSize($0.width, $0.height) }
        guard let size = measured ?? thumb ?? stated else { return nil }
        self = size
    }

    /// The aspect ratio as the width's share of width plus height, from 0 to 4095.
    ///
    /// Integers give equal results everywhere.
    var widthShare: Int { 4095 * width / (width + height) }
}

struct TileImage: Equatable {
    var address: String
    var size: PixelSize?

    /// The thumbnails, or the original of a photo without thumbnails.
    static func all(of receipt: Receipt?, size: PixelSize?) -> [TileImage] {
        guard let receipt else { return [] }
        let thumbs = receipt.thumbs.map {
            TileImage(address: relativeAddress(of: $0.file.path), size: PixelSize($0.width, $0.height))
        }
        if !thumbs.isEmpty { return thumbs.filter { !$0.address.isEmpty } }
        guard let original = receipt.original, receipt.originalIsShown else { return [] }
        return [TileImage(address: relativeAddress(of: original.path), size: size)].filter { !$0.address.isEmpty }
    }
}

/// Whether the text is `#rrggbb`.
func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && text.dropFirst().allSatisfy(\.isHexDigit)
        && text.utf8.allSatisfy { $0 < 0x80 }
}

/// A column of the gallery's table that is hidden if it has no value for any entry.
///
/// The raw values are the CSS classes of the cells.
enum TableColumn: String, CaseIterable {
    case author = "who"
    case collection = "set"
    case state
    case size = "dims"
    case file = "weight"
    case date

    func hasValue(for tile: Tile) -> Bool {
        switch self {
        case .author: tile.author != nil
        case .collection: tile.collection != nil
        case .state: tile.state != .done
        case .size: tile.size != nil
        case .file: tile.original != nil
        case .date: tile.photo.date != nil
        }
    }
}
