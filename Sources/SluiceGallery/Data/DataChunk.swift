// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One chunk of the gallery's data: a script that hands over records, because `file://` lets a page load scripts alone.
///
/// The members are called as in the manifest, where it has them, and a missing fact is absent as it is there.
struct DataChunk {
    let number: Int
    let tiles: [Tile]

    var bytes: [UInt8] {
        var bytes = Array("sluice.chunk(\(number),[\n".utf8)
        var writer = JSONWriter()
        for (place, tile) in tiles.enumerated() {
            if place > 0 { bytes += ",\n".utf8 }
            writer.removeAll()
            writer.object { record(tile, &$0) }
            bytes += writer.bytes
        }
        return bytes + "\n]);\n".utf8
    }

    private func record(_ tile: Tile, _ writer: inout JSONWriter) {
        let photo = tile.photo
        writer.member("seq", tile.seq)
        writer.member("id", photo.id.shown(upTo: 200))
        writer.member("collection", tile.collection)
        writer.member("state", tile.state.rawValue)
        writer.member("cause", tile.receipt?.failure?.cause.name)
        writer.member("detail", tile.receipt?.failure?.detail.shown(upTo: 500))
        writer.member("remedy", tile.remedy)
        writer.member("width", tile.size?.width)
        writer.member("height", tile.size?.height)
        writer.member("color", tile.color)
        writer.member("caption", tile.caption)
        writer.member("author", tile.author)
        writer.member("author_url", link(photo.authorURL))
        writer.member("page_url", link(photo.pageURL))
        writer.member("url", link(tile.receipt?.url))
        writer.member("license", photo.license?.shown(upTo: 300))
        writer.member("license_url", link(photo.licenseURL))
        writer.member("attribution", photo.attribution?.shown(upTo: 600))
        writer.member("date", photo.date)
        writer.member("camera", photo.camera?.shown(upTo: 300))
        files(tile, &writer)
    }

    private func files(_ tile: Tile, _ writer: inout JSONWriter) {
        if let original = tile.original {
            writer.member("file", relativeAddress(of: original.path))
            writer.member("bytes", original.bytes)
            writer.member("format", tile.receipt?.format)
        }
        guard !tile.pictures.isEmpty else { return }
        writer.member("placeholder", tile.receipt?.placeholder?.shown(upTo: 200))
        writer.member(
            "thumbs",
            array: { thumbs in
                for picture in tile.pictures {
                    thumbs.object { thumb in
                        thumb.member("file", picture.address)
                        thumb.member("width", picture.size?.width)
                        thumb.member("height", picture.size?.height)
                    }
                }
            })
    }

    /// The address, if a gallery may link to it; the script asks again, but what need not be there should not be.
    private func link(_ address: String?) -> String? {
        address.flatMap(WebLink.init)?.address
    }
}
