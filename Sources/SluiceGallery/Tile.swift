// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What a gallery shows of one entry: an entry's facts, bounded and made ready, but not yet escaped.
///
/// It is handed on many times, and has so many texts that copying it would cost as much as writing it.
final class Tile {
    /// How the entry stands.
    enum State: String {
        case done, skipped, failed, pending
    }

    let entry: Entry
    let state: State
    let caption: String?
    let author: String?
    let collection: String?
    /// The upright picture's size, or as near to it as is known.
    let size: Size?
    /// The dominant colour, `#rrggbb`.
    let color: String?
    /// The files to show, the smallest first.
    let pictures: [Picture]

    init(_ entry: Entry) {
        let photo = entry.item.photo
        self.entry = entry
        state = entry.receipt.flatMap { State(rawValue: $0.state.rawValue) } ?? .pending
        caption = photo.caption?.shown(upTo: 4000)
        author = photo.author?.shown(upTo: 300)
        collection = photo.collection?.shown(upTo: 300)
        size = Size(of: entry)
        color = [entry.receipt?.color, photo.color].lazy.compactMap { $0 }.first(where: isColor)
        pictures = state == .done ? Picture.all(of: entry.receipt, size: size) : []
    }

    var seq: Int { entry.item.seq }
    var photo: Photo { entry.item.photo }
    var receipt: Receipt? { entry.receipt }
    /// The original's file, if it stands.
    var original: StoredFile? { state == .done ? receipt?.original : nil }

    /// The options with which `sluice mirror` would fetch what failed, if any would.
    var remedy: String? {
        guard state == .failed, let cause = receipt?.failure?.cause else { return nil }
        return switch cause.remedy {
        case .retry: "--retry=\(cause.name)"
        case .option(let option): "--retry=\(cause.name) \(option)"
        case .none: nil
        }
    }

    /// What the tile is called where there is no caption.
    var name: String { caption ?? "Photo \(seq)" }
}

/// A picture's width and height.
struct Size: Equatable {
    var width: Int
    var height: Int

    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, width > 0, height > 0, width <= 1 << 20, height <= 1 << 20 else { return nil }
        self.width = width
        self.height = height
    }

    /// The upright size: what was measured, turned as the EXIF orientation says, else what the feed states.
    init?(of entry: Entry) {
        let receipt = entry.receipt
        let isTurned = (5...8).contains(receipt?.orientation ?? 1)
        let measured = isTurned ? Size(receipt?.height, receipt?.width) : Size(receipt?.width, receipt?.height)
        let stated = Size(entry.item.photo.width, entry.item.photo.height)
        let thumb = receipt?.thumbs.last.flatMap { Size($0.width, $0.height) }
        guard let size = measured ?? thumb ?? stated else { return nil }
        self = size
    }

    /// The width's share of both sides, from 0 to 4095: as exact as the eye, and the same for every machine.
    var share: Int { 4095 * width / (width + height) }
}

/// One file that shows an entry.
struct Picture: Equatable {
    var address: String
    var size: Size?

    /// The thumbnails, else the original.
    static func all(of receipt: Receipt?, size: Size?) -> [Picture] {
        guard let receipt else { return [] }
        let thumbs = receipt.thumbs.map {
            Picture(address: relativeAddress(of: $0.file.path), size: Size($0.width, $0.height))
        }
        if !thumbs.isEmpty { return thumbs.filter { !$0.address.isEmpty } }
        guard let original = receipt.original else { return [] }
        return [Picture(address: relativeAddress(of: original.path), size: size)].filter { !$0.address.isEmpty }
    }
}

/// Whether the text is `#rrggbb`.
func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#") && text.dropFirst().allSatisfy(\.isHexDigit)
        && text.utf8.allSatisfy { $0 < 0x80 }
}
