// SPDX-License-Identifier: MIT

/// A HEIC's statement about the meaning of its samples (`nclx`).
struct HEICCodePoints {
    let matrix: Int
    let isFullRange: Bool

    /// Reads the statement about a picture; `nil` if there is none.
    init?(of item: Int, in items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        for range in items.propertyList("colr", of: item) {
            var fields = BoxFields(range)
            guard try fields.text(4, in: &window) == "nclx" else { continue }
            _ = try fields.number(4, in: &window)
            matrix = try fields.number(2, in: &window)
            isFullRange = try fields.number(1, in: &window) & 0x80 != 0
            return
        }
        return nil
    }
}

/// The structure of a HEIC: what its decoder needs beside the header.
struct HEICPicture {
    let items: HEIFItems
    let colors: HEICTiles
    /// `nil` if the picture is opaque.
    let alpha: HEICTiles?

    init(_ header: ImageHeader, _ items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        let (width, height) = (header.decodedInfo.width, header.decodedInfo.height)
        self.items = items
        colors = try HEICTiles(of: items.primary, width: width, height: height, in: items, &window)
        alpha = try items.alpha(of: items.primary, &window).map { (item) throws(ImagingError) in
            try HEICTiles(of: item, width: width, height: height, in: items, &window)
        }
        if let alpha, alpha.configuration.depth != colors.configuration.depth {
            throw ImagingError(.unsupported, "HEIC with transparency of other samples")
        }
    }

    /// Whether the decoder's own planes are those of the whole picture, so that it needs no others.
    var isSingle: Bool { colors.tiles.count == 1 && alpha == nil }

    /// The memory in bytes of a decode of so many pixels.
    ///
    /// libde265 has the planes of a tile, a copy of one of them for its last filter, and 1.5 bytes for each pixel in
    /// its lists about blocks.
    func memory(pixels: Int) -> Int {
        let configuration = colors.configuration
        let sampleBytes = configuration.depth > 8 ? 2 : 1
        let tile = (colors.tileWidth + 64) * (colors.tileHeight + 64)
        let halfSamples = configuration.chroma.halfSamplesPerPixel
        let decoder = tile * (halfSamples + 2) * sampleBytes / 2 + tile * 3 / 2
        return decoder + (isSingle ? 0 : pixels * (halfSamples + (alpha == nil ? 0 : 2)) * sampleBytes / 2)
    }
}

extension ImageHeader {
    /// Reads the items of a HEIC: its primary picture, or the grid of pictures that make it up.
    static func heic(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        var items = try HEIFItems(&window)
        items.followPrimary()
        var header = try ImageHeader(items, as: .heic, &window)
        let picture = try HEICPicture(header, items, &window)
        let configuration = picture.colors.configuration
        header.info.bitDepth = configuration.depth
        header.info.colorModel = configuration.chroma == .grey ? .grey : .rgb
        header.setWholeImageBytes { pixels, _ in picture.memory(pixels: pixels) }
        return header
    }
}
