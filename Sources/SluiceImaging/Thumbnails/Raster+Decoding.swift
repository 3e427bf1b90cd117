// SPDX-License-Identifier: MIT

extension Raster {
    /// Decodes a whole image as stored, without rotation or colour conversion.
    init(
        decoding input: ImageInput, limits: ImageLimits = ImageLimits(), watchdog: DecodeWatchdog? = nil
    ) throws(ImagingError) {
        let header = try ImageHeader(of: input)
        try header.info.check(limits)
        let decoder = try Codecs.decoder(for: header.info.format)
        try self.init(of: header.info) { (rows) throws(ImagingError) in
            let job = DecodeJob(
                input: input, header: header, minimumSize: rows.minimumSize, limits: limits,
                watchdog: watchdog ?? DecodeWatchdog(.never, seconds: limits.seconds))
            _ = try decoder.decode(job, into: rows)
        }
    }

    /// Collects the rows of a whole image from `deliver`.
    init(
        of info: ImageInfo, from deliver: (_ rows: ScalerSet) throws(ImagingError) -> Void
    ) throws(ImagingError) {
        let size = ThumbnailSize(width: info.width, height: info.height)
        let rows = ScalerSet([ScaleGeometry(width: info.width, height: info.height, into: size, .inside)], of: info)
        try deliver(rows)
        self = rows.finish()[0]
    }
}
