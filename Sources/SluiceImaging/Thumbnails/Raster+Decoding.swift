// SPDX-License-Identifier: MIT

extension Raster {
    /// Decodes a whole image as stored, without rotation or colour conversion.
    init(decoding input: ImageInput, limits: ImageLimits = ImageLimits()) throws(ImagingError) {
        let header = try ImageHeader(of: input)
        try header.info.check(limits)
        let decoder = try Codecs.decoder(for: header.info.format)
        let size = ThumbnailSize(width: header.info.width, height: header.info.height)
        let whole = ScaleGeometry(width: header.info.width, height: header.info.height, into: size, .inside)
        let scalers = ScalerSet([whole], of: header.info)
        let job = DecodeJob(
            input: input, header: header, minimumSize: scalers.minimumSize, limits: limits,
            watchdog: DecodeWatchdog(.never, seconds: limits.seconds))
        _ = try decoder.decode(job, into: scalers)
        self = scalers.finish()[0]
    }
}
