// SPDX-License-Identifier: MIT

internal import CSluice

/// Makes thumbnails of picture files: one decode, all sizes, upright and in sRGB.
///
/// Any number of threads may share one: it holds no decoder, only the colour profiles that it has met, and each call
/// takes its own memory and gives it back. The same file and options give the same bytes, whoever asks and whenever.
public struct Thumbnailer: Sendable {
    /// What it makes.
    public let options: ThumbnailOptions
    private let ways = ColorWays()
    /// A decode that takes so many bytes is worth the time in which memory is returned to the system.
    private static let large = 16 << 20

    /// Makes a thumbnailer.
    public init(_ options: ThumbnailOptions = ThumbnailOptions()) { self.options = options }

    /// Makes the thumbnails of an open file, whose position does not matter and stays.
    ///
    /// Fails unless the whole picture is there and right, or ``ThumbnailOptions/salvages`` is on. With no sizes the file
    /// is only checked: its kind, its limits, and that it has its end. `interrupt` is looked at between rows.
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

    /// Makes the thumbnails of a file in memory, and adds up what the parts of that took.
    public func thumbnails(
        of bytes: [UInt8], interrupt: Interrupt = .never, timing times: inout PictureTimes
    ) throws(ImagingError) -> PictureResult {
        try thumbnails(of: open(PictureBytes(bytes)), interrupt: interrupt, timing: &times)
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
        var times = PictureTimes()
        return try thumbnails(of: picture, interrupt: interrupt, timing: &times)
    }

    /// Makes the thumbnails, and adds up what the parts of that took, also if it fails.
    public func thumbnails(
        of picture: OpenPicture, interrupt: Interrupt = .never, timing times: inout PictureTimes
    ) throws(ImagingError) -> PictureResult {
        let watch = Watch(interrupt, seconds: options.limits.seconds)
        try watch.check()
        // What small decodes left to the next ones is not to stand beside a large one, nor what that leaves beside them.
        let isLarge = picture.memory >= Self.large
        if isLarge { csluice_return_memory() }
        defer { if isLarge { csluice_return_memory() } }
        var damage = picture.damage
        if damage == nil {
            do throws(ImagingError) {
                return try make(picture, watch, salvages: false, &times)
            } catch {
                guard options.salvages, error.isDamage else { throw error }
                damage = error
            }
        }
        // Once more, and not so from the start: what is whole must come out the same, whatever is wished for.
        var result = try make(picture, watch, salvages: true, &times)
        result.damage = damage
        return result
    }

    private func make(
        _ picture: OpenPicture, _ watch: Watch, salvages: Bool, _ times: inout PictureTimes
    ) throws(ImagingError) -> PictureResult {
        let header = picture.header
        guard !options.sizes.isEmpty else {
            if !salvages { try Completeness.check(picture.source, header.info, limits: options.limits, watch: watch) }
            return PictureResult(info: header.info, thumbnails: [], color: nil, notes: header.notes)
        }
        var notes = header.notes
        let plans = try plans(header.info)
        let profile = options.profile == .strip ? nil : try header.readProfile(picture.source)
        let scaled = try scale(picture, plans, watch, profile, salvages: salvages, &notes, &times)
        let scaledAt = ContinuousClock.now
        let colors = ColorPlan(from: profile, of: scaled.first?.layout ?? .rgb, header.info, options, by: ways)
        notes += colors.notes
        let parts = zip(plans, scaled).map {
            $0.choosePart(of: colors.apply($1).upright(from: header.info.orientation))
        }
        let smallest = smallest(parts).map { colors.shown($0) }
        let placeholder = smallest.map { Placeholder(of: $0) }
        times.resample += ContinuousClock.now - scaledAt
        let exif = try header.keptEXIF(options.keeps, picture.source, &notes)
        let metadata = PictureMetadata(profile: colors.profile, exif: exif)
        let thumbnails = try encode(
            parts, plans, isGrey: header.info.colorModel == .grey, metadata, watch, &notes, &times)
        return PictureResult(
            info: header.info, thumbnails: thumbnails, color: smallest?.dominantColor,
            placeholder: placeholder?.sketch, phash: placeholder?.phash, notes: notes)
    }

    func open(_ source: PictureBytes) throws(ImagingError) -> OpenPicture {
        var picture = try openHeader(source)
        try picture.info.check(options.limits)
        guard !options.sizes.isEmpty else { return picture }
        let decoder = try decoder(for: picture.header)
        let scalers = scalers(try plans(picture.info), of: picture.header)
        picture.memory = decoder.memory(
            for: picture.header, count: source.count, scalers, isLinear: options.isLinear)
        guard picture.memory <= options.limits.memory else {
            // Up, so that the two never look the same.
            let amount = (picture.memory >> 20) + 1
            throw ImagingError(.decodeLimit, "takes about \(amount) MB (limit \(options.limits.memory >> 20))")
        }
        return picture
    }

    private func openHeader(_ source: PictureBytes) throws(ImagingError) -> OpenPicture {
        do throws(ImagingError) {
            return OpenPicture(source: source, header: try PictureHeader(of: source))
        } catch {
            guard options.salvages, error.isDamage else { throw error }
            return OpenPicture(source: source, header: try PictureHeader(of: source, salvages: true), damage: error)
        }
    }

    private func decoder(for header: PictureHeader) throws(ImagingError) -> any PictureDecoding {
        guard let decoder = Decoders.decoder(for: header.info.format) else {
            throw ImagingError(.unsupported, header.info.format.name)
        }
        return decoder
    }

    private func scalers(_ plans: [ThumbnailPlan], of header: PictureHeader) -> ScalerSet {
        ScalerSet(
            plans.map(\.fitting), of: header.info, kernel: options.kernel,
            mode: options.isLinear ? .exact : options.qualityMode)
    }

    /// Decodes once, and makes every size while the rows go by.
    private func scale(
        _ picture: OpenPicture, _ plans: [ThumbnailPlan], _ watch: Watch, _ profile: [UInt8]?, salvages: Bool,
        _ notes: inout [String], _ times: inout PictureTimes
    ) throws(ImagingError) -> [Raster] {
        let start = ContinuousClock.now
        let scalers = scalers(plans, of: picture.header)
        defer {
            let whole = ContinuousClock.now - start
            // An estimate from a few rows: where one of them was interrupted, it may be more than there was.
            let scaling = min(scalers.spent, whole * 9 / 10)
            times.decode += whole - scaling
            times.resample += scaling
        }
        let job = DecodeJob(
            source: picture.source, header: picture.header, wanted: scalers.wanted, limits: options.limits,
            watch: watch, salvages: salvages, isFast: options.qualityMode == .fast)
        let decoder = try decoder(for: picture.header)
        if options.isLinear {
            let rows = LightRows(scalers, profile: profile, isGrey: picture.info.colorModel == .grey)
            notes += try decoder.decode(job, salvagingInto: rows).notes
            if let note = rows.note { notes.append(note) }
        } else {
            notes += try decoder.decode(job, salvagingInto: scalers).notes
        }
        return scalers.finish()
    }

    private func plans(_ info: ImageInfo) throws(ImagingError) -> [ThumbnailPlan] {
        var plans: [ThumbnailPlan] = []
        for size in options.sizes { plans.append(try ThumbnailPlan(size, of: info, options)) }
        return plans
    }

    private func encode(
        _ parts: [Raster], _ plans: [ThumbnailPlan], isGrey: Bool, _ metadata: PictureMetadata, _ watch: Watch,
        _ notes: inout [String], _ times: inout PictureTimes
    ) throws(ImagingError) -> [Thumbnail] {
        var thumbnails: [Thumbnail] = []
        for index in parts.indices {
            try watch.check()
            let raster = PictureTimes.measured(&times.resample) { plans[index].finish(parts[index]).withoutIdleAlpha }
            let opaque = options.format == .jpeg ? raster.flattened(over: options.background) : raster
            let picture = isGrey ? opaque.withoutIdleColor : opaque
            let encoder = options.encoder(for: picture, metadata)
            let bytes = try PictureTimes.measured(&times.encode) { () throws(ImagingError) in
                try encoder.encode(picture, atMost: options.maxBytes, watch)
            }
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
