// SPDX-License-Identifier: MIT

extension Thumbnailer {
    /// Does the least that the first size can cost with the same codecs, and adds up what that took.
    ///
    /// The picture is decoded at the scale that the options ask for, its pixels are picked in place of mixed, and what they
    /// give is encoded: nothing is turned, coloured or described. Picking counts as decoding. It is what a thumbnail's cost
    /// is held against, and no thumbnail for anybody to look at.
    public func floor(of bytes: [UInt8], timing times: inout PictureTimes) throws(ImagingError) {
        let picture = try open(PictureBytes(bytes))
        guard let size = options.sizes.first, let decoder = Decoders.decoder(for: picture.info.format) else {
            throw ImagingError(.unsupported, "\(picture.info.format.name) has no floor")
        }
        let fitting = try ThumbnailPlan(size, of: picture.info, options).fitting
        let wanted = ScalerSet([fitting], of: picture.info, kernel: options.kernel, mode: options.qualityMode).wanted
        let rows = PickedRows(width: fitting.columns.target, height: fitting.rows.target)
        let job = DecodeJob(
            source: picture.source, header: picture.header, wanted: wanted, limits: options.limits,
            watch: Watch(.never, seconds: options.limits.seconds), isFast: options.qualityMode == .fast)
        _ = try PictureTimes.measured(&times.decode) { () throws(ImagingError) in
            try decoder.decode(job, into: rows)
        }
        guard let raster = rows.raster else {
            throw ImagingError(.unsupported, "the floor takes pictures of 8 bits in grey or RGB")
        }
        let encoder = options.encoder(for: raster, PictureMetadata())
        _ = try PictureTimes.measured(&times.encode) { () throws(ImagingError) in try encoder.encode(raster) }
    }
}
