// SPDX-License-Identifier: MIT

extension ImageHeader {
    /// Reads the items of an AVIF: its primary picture, or the grid of pictures that make it up.
    static func avif(_ window: inout ByteWindow) throws(ImagingError) -> ImageHeader {
        let items = try HEIFItems(&window)
        let type = items.items[items.primary]?.type
        let tiles = type == "grid" ? items.targets(of: "dimg", from: items.primary) : []
        guard type == "av01" || !tiles.isEmpty else {
            throw ImagingError(.unsupported, "AVIF without an AV1 picture")
        }
        // libavif before 1.1 places tiles in the order of their numbers, which would scramble the picture.
        guard tiles == tiles.sorted() else { throw ImagingError(.unsupported, "AVIF grid with tiles in another order") }
        guard let range = items.property("av1C", of: tiles.first ?? items.primary), range.count >= 4
        else {
            throw ImagingError(.corrupt, "AVIF without its configuration")
        }
        var header = try ImageHeader(items, as: .avif, &window)
        let flags = try window.uint8(at: range.lowerBound + 2)
        header.info.bitDepth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
        let isGrey = flags & 0x10 != 0
        header.info.colorModel = isGrey ? .grey : .rgb
        // Halves of a plane in full resolution.
        let chroma = isGrey ? 0 : flags & 0x08 == 0 ? 4 : flags & 0x04 == 0 ? 2 : 1
        header.setWholeImageBytes(
            halfPlanes: 2 + chroma + (header.info.hasAlpha ? 2 : 0), isGrid: !tiles.isEmpty)
        return header
    }

    /// Counts the decoded planes, which a grid has twice, and a quarter more for the decoder's own lists.
    private mutating func setWholeImageBytes(halfPlanes: Int, isGrid: Bool) {
        let (pixels, overflow) = decodedInfo.width.multipliedReportingOverflow(by: decodedInfo.height)
        // The pixel limit rejects such a picture.
        guard !overflow, pixels < 1 << 48 else { return }
        wholeImageBytes =
            pixels * halfPlanes / 2 * (info.bitDepth > 8 ? 2 : 1) * (isGrid ? 2 : 1) * 5 / 4
    }
}
