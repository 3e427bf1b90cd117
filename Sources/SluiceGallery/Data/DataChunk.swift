// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One chunk of the gallery's data: a script that passes records to `sluice.chunk`.
///
/// It is a script because a page from `file://` can load no other data. Members have the manifest's names where the
/// manifest has them; unknown values are absent.
struct DataChunk {
    /// The longest facts of a camera that are shown, in bytes.
    private static let maximumEXIF = 8192

    let number: Int
    let tiles: [Tile]

    var bytes: [UInt8] {
        var bytes = Array("sluice.chunk(\(number),[\n".utf8)
        var writer = JSONWriter()
        for (index, tile) in tiles.enumerated() {
            if index > 0 { bytes += ",\n".utf8 }
            writer.removeAll()
            writer.object { record(tile, &$0) }
            bytes += writer.bytes
        }
        return bytes + "\n]);\n".utf8
    }

    private func record(_ tile: Tile, _ writer: inout JSONWriter) {
        let photo = tile.photo
        writer.member("seq", tile.seq)
        writer.member("id", photo.shownID.shown(upTo: 200))
        writer.member("state", tile.state.rawValue)
        writer.member("cause", tile.receipt?.failure?.cause.name)
        writer.member("detail", tile.receipt?.failure?.detail.shown(upTo: 500))
        writer.member("remedy", tile.remedy)
        writer.member("width", tile.size?.width)
        writer.member("height", tile.size?.height)
        writer.member("color", tile.color)
        for (field, text) in zip(Tile.fields, tile.texts) {
            switch field.property {
            case .text: writer.member(field.name, text)
            case .number: writer.member(field.name, field.number(of: photo))
            }
        }
        writer.member("usage", tile.receipt?.usage?.shown(upTo: 500))
        writer.member("url", tile.receipt?.url.flatMap(WebLink.init)?.address)
        files(tile, &writer)
    }

    private func files(_ tile: Tile, _ writer: inout JSONWriter) {
        if let original = tile.original {
            writer.member("file", relativeAddress(of: original.path))
            writer.member("bytes", original.bytes)
            writer.member("format", tile.receipt?.format)
        }
        writer.member("local", tile.localOriginal)
        if tile.original != nil || tile.localOriginal != nil, !tile.originalIsShown { writer.member("download", true) }
        if let exif = tile.receipt?.exif, exif.utf8.count <= Self.maximumEXIF { writer.member("exif", exif) }
        guard !tile.images.isEmpty else { return }
        writer.member("placeholder", tile.receipt?.placeholder?.shown(upTo: 200))
        writer.array("thumbs") { thumbs in
            for image in tile.images {
                thumbs.object { thumb in
                    thumb.member("file", image.address)
                    thumb.member("width", image.size?.width)
                    thumb.member("height", image.size?.height)
                }
            }
        }
    }
}
