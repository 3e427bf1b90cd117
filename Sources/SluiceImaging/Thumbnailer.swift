// SPDX-License-Identifier: MIT

/// Makes thumbnails of picture files: one decode, all sizes, upright and in sRGB.
///
/// Any number of threads may share one: it holds no decoder, only the colour profiles that it has met, and each call
/// takes its own memory and gives it back. The same file and options give the same bytes, whoever asks and whenever.
public struct Thumbnailer: Sendable {
    /// What it makes.
    public let options: ThumbnailOptions
    private let ways = ColorWays()

    /// Makes a thumbnailer.
    public init(_ options: ThumbnailOptions = ThumbnailOptions()) { self.options = options }

    /// Makes the thumbnails of an open file, whose position does not matter and stays.
    ///
    /// Fails unless the whole picture is there and right. With no sizes the file is only checked: its kind, its limits,
    /// and that it has its end. `interrupt` is looked at between rows.
    public func thumbnails(
        ofFileAt descriptor: Int32, interrupt: Interrupt = .never
    ) throws(ImagingError) -> PictureResult {
        try thumbnails(of: PictureBytes(descriptor: descriptor), interrupt)
    }

    /// Makes the thumbnails of a file in memory.
    public func thumbnails(
        of bytes: [UInt8], interrupt: Interrupt = .never
    ) throws(ImagingError) -> PictureResult {
        try thumbnails(of: PictureBytes(bytes), interrupt)
    }

    private func thumbnails(of source: PictureBytes, _ interrupt: Interrupt) throws(ImagingError) -> PictureResult {
        let watch = Watch(interrupt, seconds: options.limits.seconds)
        try watch.check()
        let header = try PictureHeader(of: source)
        try header.check(options.limits)
        guard !options.sizes.isEmpty else {
            try Completeness.check(source, header.info, limits: options.limits, watch: watch)
            return PictureResult(info: header.info, thumbnails: [], color: nil, notes: header.notes)
        }
        var notes = header.notes
        let scaled = try scale(source, header, watch, &notes)
        let upright = scaled.map { $0.upright(from: header.info.orientation) }
        let smallest = smallest(upright)
        let placeholder = smallest.map { Placeholder(of: $0) }
        return PictureResult(
            info: header.info, thumbnails: try encode(upright, watch), color: smallest?.dominantColor,
            placeholder: placeholder?.sketch, phash: placeholder?.phash, notes: notes)
    }

    /// Decodes once, makes every size while the rows go by, and brings them to sRGB.
    private func scale(
        _ source: PictureBytes, _ header: PictureHeader, _ watch: Watch, _ notes: inout [String]
    ) throws(ImagingError) -> [Raster] {
        guard let decoder = Decoders.decoder(for: header.info.format) else {
            throw ImagingError(.unsupported, header.info.format.name)
        }
        let scalers = ScalerSet(try fittings(header.info), of: header.info, limits: options.limits)
        let job = DecodeJob(
            source: source, header: header, wanted: scalers.wanted, limits: options.limits, watch: watch)
        let outcome = try decoder.decode(job, into: scalers)
        notes += outcome.notes
        return scalers.finish().inSRGB(outcome.profile, by: ways, notes: &notes)
    }

    private func fittings(_ info: ImageInfo) throws(ImagingError) -> [Fitting] {
        var fittings: [Fitting] = []
        for size in options.sizes {
            let fitting = Fitting(width: info.uprightWidth, height: info.uprightHeight, into: size, options.fit)
            guard let pixels = fitting.pixels, pixels <= options.limits.pixels else {
                throw ImagingError(.tooManyPixels, "thumbnail \(size) (limit \(options.limits.pixels))")
            }
            fittings.append(fitting.stored(info.orientation))
        }
        return fittings
    }

    private func encode(_ rasters: [Raster], _ watch: Watch) throws(ImagingError) -> [Thumbnail] {
        var thumbnails: [Thumbnail] = []
        for (size, raster) in zip(options.sizes, rasters) {
            try watch.check()
            let picture = raster.withoutIdleAlpha
            var encoder = PictureEncoder(options.format.format(for: picture))
            encoder.quality = options.quality
            thumbnails.append(
                Thumbnail(
                    size: size, width: raster.width, height: raster.height, format: encoder.format,
                    bytes: try encoder.encode(picture)))
        }
        return thumbnails
    }

    private func smallest(_ rasters: [Raster]) -> Raster? {
        rasters.min { $0.bytes.count < $1.bytes.count }
    }
}

extension ThumbnailOptions.Format {
    /// What a picture is written as.
    fileprivate func format(for picture: Raster) -> ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .webp: .webp
        case .png: .png
        case .auto: picture.layout == .rgba ? .png : .jpeg
        }
    }
}
