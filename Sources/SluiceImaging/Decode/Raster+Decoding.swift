// SPDX-License-Identifier: MIT

extension Raster {
    /// Decodes a whole picture as it is stored: not turned, its colours not converted.
    init(decoding source: PictureBytes, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        let header = try PictureHeader(of: source)
        try header.info.check(limits)
        guard let decoder = Decoders.decoder(for: header.info.format) else {
            throw ImagingError(.unsupported, header.info.format.name)
        }
        let size = ThumbnailSize(width: header.info.width, height: header.info.height)
        let whole = Fitting(width: header.info.width, height: header.info.height, into: size, .inside)
        let scalers = ScalerSet([whole], of: header.info)
        let job = DecodeJob(
            source: source, header: header, wanted: scalers.wanted, limits: limits,
            watch: Watch(.never, seconds: limits.seconds))
        _ = try decoder.decode(job, into: scalers)
        self = scalers.finish()[0]
    }
}
