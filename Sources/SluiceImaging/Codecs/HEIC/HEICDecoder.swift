// SPDX-License-Identifier: MIT

/// Decodes HEIC: Sluice reads the items, and libde265 decodes the tiles one at a time.
struct HEICDecoder: HEIFDecoding {
    func readHeader(_ window: inout ByteWindow, salvages: Bool) throws(ImagingError) -> ImageHeader {
        try .heic(&window)
    }

    func decode(_ job: DecodeJob, into receiver: some RowReceiving) throws(ImagingError) -> DecodeOutcome {
        try checkCompleteness(job.input, job.header.info, limits: job.limits, watchdog: job.watchdog)
        var window = ByteWindow(job.input)
        let picture = try HEICPicture(job.header, HEIFItems(&window), &window)
        let codePoints = try HEICCodePoints(of: picture.items.primary, in: picture.items, &window)
        if picture.isSingle {
            try decodeSingle(picture, job, &window, codePoints, into: receiver)
            return DecodeOutcome()
        }
        var planes = HEICPlanes(job.header, picture.colors.configuration.chroma)
        try decode(picture.colors, of: picture, job, &window, isAlpha: false, into: &planes)
        if let alpha = picture.alpha { try decode(alpha, of: picture, job, &window, isAlpha: true, into: &planes) }
        try planes.deliver(codePoints: codePoints, watchdog: job.watchdog, to: receiver)
        return DecodeOutcome()
    }

    /// Decodes a picture of one tile, and delivers its rows without a copy of the planes.
    private func decodeSingle(
        _ picture: HEICPicture, _ job: DecodeJob, _ window: inout ByteWindow, _ codePoints: HEICCodePoints?,
        into receiver: some RowReceiving
    ) throws(ImagingError) {
        let decoder = try decoder(for: picture.colors.tiles[0], of: picture, job, &window)
        let decoded = try decoder.decode()
        try withExtendedLifetime(decoder) { () throws(ImagingError) in
            try HEICPlanes.deliver(
                decoded, of: picture.colors, job.header, codePoints: codePoints, watchdog: job.watchdog, to: receiver)
        }
    }

    /// Makes a decoder that has the data of a tile.
    private func decoder(
        for tile: HEICTiles.Tile, of picture: HEICPicture, _ job: DecodeJob, _ window: inout ByteWindow
    ) throws(ImagingError) -> HEVCDecoder {
        var data: [UInt8] = []
        for extent in picture.items.items[tile.item]?.extents ?? [] {
            data += try job.input.read(at: extent.lowerBound, count: extent.count)
        }
        let decoder = try HEVCDecoder()
        try decoder.push(HEVCConfiguration(tile.configuration, &window), data)
        return decoder
    }

    private func decode(
        _ tiles: HEICTiles, of picture: HEICPicture, _ job: DecodeJob, _ window: inout ByteWindow, isAlpha: Bool,
        into planes: inout HEICPlanes
    ) throws(ImagingError) {
        for (number, tile) in tiles.tiles.enumerated() {
            try job.watchdog.check()
            let decoder = try decoder(for: tile, of: picture, job, &window)
            try planes.copy(
                decoder.decode(), of: tiles, x: number % tiles.columns * tiles.tileWidth,
                y: number / tiles.columns * tiles.tileHeight, isAlpha: isAlpha)
        }
    }
}
