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
    /// Fails unless the whole picture is there and right, or ``ThumbnailOptions/salvages`` is on. With no sizes the file is only checked: its kind, its limits,
    /// and that it has its end. `interrupt` is looked at between rows.
    public func thumbnails(
        ofFileAt descriptor: Int32, interrupt: Interrupt = .never
    ) throws(ImagingError) -> PictureResult {
        try thumbnails(of: open(fileAt: descriptor), interrupt: interrupt)
    }

    /// Makes the thumbnails of a file in memory.
    public func thumbnails(
        of bytes: [UInt8], interrupt: Interrupt = .never
    ) throws(ImagingError) -> PictureResult {
        try thumbnails(of: open(PictureBytes(bytes)), interrupt: interrupt)
    }

    /// Reads the header of an open file, and holds it against the limits; ``thumbnails(of:interrupt:)`` does the rest.
    ///
    /// In two steps, whoever decodes many pictures at once knows what each will take before it takes it.
    public func open(fileAt descriptor: Int32) throws(ImagingError) -> OpenPicture {
        try open(PictureBytes(descriptor: descriptor))
    }

    /// Makes the thumbnails of a file whose header was read, and whose descriptor is open still.
    public func thumbnails(
        of picture: OpenPicture, interrupt: Interrupt = .never
    ) throws(ImagingError) -> PictureResult {
        let watch = Watch(interrupt, seconds: options.limits.seconds)
        try watch.check()
        let (source, header) = (picture.source, picture.header)
        guard !options.sizes.isEmpty else {
            let damage = try damage(isKept: options.salvages) { () throws(ImagingError) in
                try Completeness.check(source, header.info, limits: options.limits, watch: watch)
            }
            return PictureResult(
                info: header.info, thumbnails: [], color: nil, notes: header.notes, damage: damage)
        }
        var notes = header.notes
        let plans = try plans(header.info)
        let profile = options.profile == .strip ? nil : try header.readProfile(source)
        let (scaled, damage) = try scale(source, header, plans, watch, &notes)
        let colors = ColorPlan(from: profile, of: scaled.first?.layout ?? .rgb, header.info, options, by: ways)
        notes += colors.notes
        let parts = zip(plans, scaled).map {
            $0.choosePart(of: colors.apply($1).upright(from: header.info.orientation))
        }
        let smallest = smallest(parts).map { colors.shown($0) }
        let placeholder = smallest.map { Placeholder(of: $0) }
        let metadata = PictureMetadata(profile: colors.profile, exif: header.keptEXIF(options.keeps, &notes))
        let thumbnails = try encode(parts, plans, isGrey: header.info.colorModel == .grey, metadata, watch, &notes)
        return PictureResult(
            info: header.info, thumbnails: thumbnails, color: smallest?.dominantColor,
            placeholder: placeholder?.sketch, phash: placeholder?.phash, notes: notes, damage: damage)
    }

    private func open(_ source: PictureBytes) throws(ImagingError) -> OpenPicture {
        let header = try PictureHeader(of: source, salvages: options.salvages)
        try header.info.check(options.limits)
        guard !options.sizes.isEmpty else { return OpenPicture(source: source, header: header, memory: 0) }
        let decoder = try decoder(for: header)
        let scalers = scalers(try plans(header.info), of: header)
        let memory = decoder.memory(for: header, count: source.count, scalers)
        guard memory <= options.limits.memory else {
            throw ImagingError(
                .decodeLimit, "takes about \(memory >> 20) MB (limit \(options.limits.memory >> 20))")
        }
        return OpenPicture(source: source, header: header, memory: memory)
    }

    private func decoder(for header: PictureHeader) throws(ImagingError) -> any PictureDecoding {
        guard let decoder = Decoders.decoder(for: header.info.format) else {
            throw ImagingError(.unsupported, header.info.format.name)
        }
        return decoder
    }

    private func scalers(_ plans: [ThumbnailPlan], of header: PictureHeader) -> ScalerSet {
        ScalerSet(plans.map(\.fitting), of: header.info, kernel: options.kernel, mode: options.qualityMode)
    }

    /// Decodes once, and makes every size while the rows go by.
    private func scale(
        _ source: PictureBytes, _ header: PictureHeader, _ plans: [ThumbnailPlan], _ watch: Watch,
        _ notes: inout [String]
    ) throws(ImagingError) -> (pictures: [Raster], damage: ImagingError?) {
        let scalers = scalers(plans, of: header)
        let job = DecodeJob(
            source: source, header: header, wanted: scalers.wanted, limits: options.limits, watch: watch,
            salvages: options.salvages)
        let outcome = try decoder(for: header).decode(job, salvagingInto: scalers)
        notes += outcome.notes
        return (scalers.finish(), outcome.damage)
    }

    private func plans(_ info: ImageInfo) throws(ImagingError) -> [ThumbnailPlan] {
        var plans: [ThumbnailPlan] = []
        for size in options.sizes { plans.append(try ThumbnailPlan(size, of: info, options)) }
        return plans
    }

    private func encode(
        _ parts: [Raster], _ plans: [ThumbnailPlan], isGrey: Bool, _ metadata: PictureMetadata, _ watch: Watch,
        _ notes: inout [String]
    ) throws(ImagingError) -> [Thumbnail] {
        var thumbnails: [Thumbnail] = []
        for index in parts.indices {
            try watch.check()
            let raster = plans[index].finish(parts[index]).withoutIdleAlpha
            let opaque = options.format == .jpeg ? raster.flattened(over: options.background) : raster
            let picture = isGrey ? opaque.withoutIdleColor : opaque
            let encoder = options.encoder(for: picture, metadata)
            let bytes = try encoder.encode(picture, atMost: options.maxBytes, watch)
            if let most = options.maxBytes, bytes.count > most {
                notes.append("thumbnail \(options.sizes[index]) has \(bytes.count) bytes (limit \(most))")
            }
            thumbnails.append(
                Thumbnail(
                    size: options.sizes[index], width: raster.width, height: raster.height, format: encoder.format,
                    bytes: bytes))
        }
        return thumbnails
    }

    private func smallest(_ rasters: [Raster]) -> Raster? {
        rasters.min { $0.bytes.count < $1.bytes.count }
    }
}
