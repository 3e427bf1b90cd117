// SPDX-License-Identifier: MIT

internal import CSluice

/// Makes thumbnails of image files: decodes once and makes all sizes, upright and in sRGB.
///
/// Any number of threads may share a thumbnailer. It holds no decoder, only a cache of colour conversions, and each
/// call allocates and frees its own memory. The same file and options always give the same bytes.
public struct Thumbnailer: Sendable {
    /// The thumbnails to make, and the limits.
    public let options: ThumbnailOptions
    let colorConversions = ColorConversionCache()
    /// A decode of at least this many bytes justifies the time it takes to return freed memory to the system.
    private static let trimThreshold = 16 << 20

    /// Creates a thumbnailer.
    public init(_ options: ThumbnailOptions = ThumbnailOptions()) { self.options = options }

    /// Creates the thumbnails of an open file; the file's position is neither used nor changed.
    ///
    /// Throws if the image is incomplete or corrupt, unless ``ThumbnailOptions/salvages`` is on. If no sizes are
    /// requested, only checks the format and that the file is complete, whatever its size in pixels is. Polls
    /// `cancellation` between rows.
    public func thumbnails(
        ofFileAt descriptor: Int32, cancellation: CancellationCheck = .never
    ) throws(ImagingError) -> ThumbnailResult {
        try thumbnails(of: open(fileAt: descriptor), cancellation: cancellation)
    }

    /// Creates the thumbnails of a file in memory.
    public func thumbnails(
        of bytes: [UInt8], cancellation: CancellationCheck = .never
    ) throws(ImagingError) -> ThumbnailResult {
        try thumbnails(of: open(ImageInput(bytes)), cancellation: cancellation)
    }

    /// Reads the header of an open file, checks it against the limits, and estimates the memory of a decode.
    ///
    /// Callers that decode many images concurrently can thus learn a decode's memory before it starts.
    /// ``thumbnails(of:cancellation:)-(OpenedImage,_)`` does the rest.
    package func open(fileAt descriptor: Int32) throws(ImagingError) -> OpenedImage {
        try open(ImageInput(descriptor: descriptor))
    }

    /// Reads the header of an open file and checks its size in pixels, without the estimate of ``open(fileAt:)``.
    package func openHeader(fileAt descriptor: Int32) throws(ImagingError) -> OpenedImage {
        try checkedHeader(ImageInput(descriptor: descriptor))
    }

    /// Reads the header of a file in memory and checks its size in pixels.
    package func openHeader(of bytes: [UInt8]) throws(ImagingError) -> OpenedImage {
        try checkedHeader(ImageInput(bytes))
    }

    /// Returns an opened image with the memory that a decode with these options takes, even if that exceeds the limit.
    ///
    /// The header may have been read with other options, so that one reading serves several steps. Throws if the image
    /// exceeds the pixel limit.
    package func estimatingMemory(of image: OpenedImage) throws(ImagingError) -> OpenedImage {
        guard !options.sizes.isEmpty else { return image }
        try image.info.check(options.limits)
        var image = image
        let plans = try plans(image.info)
        image.memory = try memory(of: image, plans)
        image.usesCheckingDecoder = image.memory + image.header.checkingDecoderBytes <= options.limits.memory
        image.memory += image.checkingBytes
        let withOwnDecoder = image.memory + image.header.ownDecoderBytes
        image.usesReference = options.decoder == .reference || withOwnDecoder > options.limits.memory
        if !image.usesReference {
            image.memory = withOwnDecoder
            image.addSecondThread(try secondThreadMemory(of: image, plans), within: options.limits.memory)
        }
        if let animated = try animationMemory(of: image, plans), animated <= options.limits.memory {
            image.memory = animated
        }
        return image
    }

    /// Creates the thumbnails of an opened image, whose file descriptor must still be open.
    package func thumbnails(
        of image: OpenedImage, cancellation: CancellationCheck = .never
    ) throws(ImagingError) -> ThumbnailResult {
        var times = ImagingTimes()
        return try thumbnails(of: image, cancellation: cancellation, timing: &times)
    }

    /// Creates the thumbnails of an opened image, and adds the time of each stage to `times`, even on failure.
    package func thumbnails(
        of image: OpenedImage, cancellation: CancellationCheck = .never, timing times: inout ImagingTimes
    ) throws(ImagingError) -> ThumbnailResult {
        let watchdog = DecodeWatchdog(cancellation, seconds: options.limits.seconds)
        try watchdog.check()
        // Trim before a large decode so that memory freed by small decodes does not add to it, and after it for the
        // same reason.
        let isLarge = image.memory >= Self.trimThreshold
        if isLarge { csluice_release_free_memory() }
        defer { if isLarge { csluice_release_free_memory() } }
        var damage = image.damage
        if damage == nil {
            do throws(ImagingError) {
                return try make(image, watchdog, salvages: false, &times)
            } catch {
                if let result = try completing(image, lacking: error, watchdog, &times) { return result }
                guard options.salvages, error.isDamage else { throw error }
                damage = error
            }
        }
        // A second attempt, not a salvaging first one, so that salvaging cannot change the result for an intact file.
        var result = try make(image, watchdog, salvages: true, &times)
        result.damage = damage
        return result
    }

    /// Estimates the memory of a decode by the format's library, without that of an animation.
    func memory(of image: OpenedImage, _ plans: [ThumbnailPlan]) throws(ImagingError) -> Int {
        try Codecs.decoder(for: image.info.format).memory(
            for: image.header, count: image.input.count, scalers(plans, of: image.header), isLinear: options.isLinear)
    }

    /// Estimates the memory that a second thread takes in addition.
    private func secondThreadMemory(of image: OpenedImage, _ plans: [ThumbnailPlan]) throws(ImagingError) -> Int {
        let decoder = try Codecs.decoder(for: image.info.format)
        let minimum = scalers(plans, of: image.header).minimumSize
        return decoder.secondThreadMemory(
            for: image.header, size: decoder.size(of: image.header, minimumSize: minimum))
    }

    /// Throws if a decode takes more memory than the limit.
    func checkLimit(_ memory: Int) throws(ImagingError) {
        guard memory > options.limits.memory else { return }
        // Round up so that the two numbers always differ.
        let amount = (memory >> 20) + 1
        throw ImagingError(.decodeLimit, "takes about \(amount) MB (limit \(options.limits.memory >> 20))")
    }

    /// Returns whether an image that was rejected as truncated may be complete except for its end marker.
    ///
    /// Reads only the file's structure. A decode with ``ThumbnailOptions/acceptsMissingEnd`` checks the pixels, too.
    package func mayLackOnlyItsEnd(_ image: OpenedImage, because error: ImagingError) throws(ImagingError) -> Bool {
        guard error.code == .truncated else { return false }
        let decoder = try Codecs.decoder(for: image.info.format)
        let watchdog = DecodeWatchdog(.never, seconds: options.limits.seconds)
        return try decoder.completed(image.input, watchdog: watchdog) != nil
    }

    /// Creates the thumbnails of a truncated image that lacks only its end marker; `nil` if it lacks more, or if
    /// the options do not allow that.
    private func completing(
        _ image: OpenedImage, lacking error: ImagingError, _ watchdog: DecodeWatchdog, _ times: inout ImagingTimes
    ) throws(ImagingError) -> ThumbnailResult? {
        guard options.acceptsMissingEnd, error.code == .truncated, !options.sizes.isEmpty else { return nil }
        let decoder = try Codecs.decoder(for: image.info.format)
        guard let input = try decoder.completed(image.input, watchdog: watchdog) else { return nil }
        do throws(ImagingError) {
            var result = try make(image.completed(by: input), watchdog, salvages: false, &times)
            result.notes.append("\(error.detail), but all pixels")
            return result
        } catch {
            guard error.isDamage else { throw error }
            return nil
        }
    }

    private func make(
        _ image: OpenedImage, _ watchdog: DecodeWatchdog, salvages: Bool, _ times: inout ImagingTimes
    ) throws(ImagingError) -> ThumbnailResult {
        let header = image.header
        guard !options.sizes.isEmpty else {
            if !salvages {
                try naming(header.info.format) { () throws(ImagingError) in
                    try Codecs.decoder(for: header.info.format).checkCompleteness(
                        image.input, header.info, limits: options.limits, watchdog: watchdog)
                }
            }
            return ThumbnailResult(
                info: header.info, thumbnails: [], color: nil, notes: header.notes + frameNotes(header.info, used: 1))
        }
        var notes = header.notes
        let plans = try plans(header.info)
        let profile = options.profile == .strip ? nil : try header.readProfile(image.input)
        let scaled = try naming(header.info.format) { () throws(ImagingError) in
            try scale(image, plans, watchdog, profile, salvages: salvages, &notes, &times)
        }
        let scaledAt = ContinuousClock.now
        let colors = ColorPlan(
            from: profile, of: scaled.first?.layout ?? .rgb, header.info, options, using: colorConversions)
        notes += colors.notes
        let upright = scaled.map { colors.apply($0).upright(from: header.info.orientation) }
        let origins = zip(plans, upright).map { $0.cropOrigin(in: $1) }
        let parts = plans.indices.map { plans[$0].crop(upright[$0], at: origins[$0]) }
        let smallest = smallest(parts).map { colors.convertedToSRGB($0) }
        let hashes = smallest.map { ImageHashes(of: $0) }
        times.resample += ContinuousClock.now - scaledAt
        let exif = try header.selectEXIF(options.keptMetadata, image.input, &notes)
        let metadata = ImageMetadata(profile: colors.profile, exif: exif)
        let thumbnails = try encode(
            parts, plans, isGrey: header.info.colorModel == .grey, metadata, watchdog, &notes, &times)
        var result = ThumbnailResult(
            info: header.info, thumbnails: thumbnails, color: smallest?.dominantColor,
            placeholder: hashes?.thumbHash, phash: hashes?.phash, notes: notes)
        if let smallest { result.sample = sample(of: smallest) }
        try animate(
            &result, of: image, plans,
            AnimationRecording(self, header, plans, origins: origins, profile: profile, exif: exif), watchdog,
            salvages: salvages, &times)
        try addGainMap(to: &result, of: image, plans, origins: origins, watchdog, &times)
        return result
    }

    private func sample(of image: Raster) -> [UInt8] {
        let side = ThumbnailResult.sampleSide
        return switch options.sampling {
        case .none: []
        case .brightness: image.flattened.resized(to: side, side).luma.map { UInt8(min(max($0, 0), 255)) }
        case .traits: PictureTraits(of: image.flattened).bytes
        case .colors: image.flattened.resized(to: side, side).expanded(to: .rgb).bytes
        }
    }

    func open(_ input: ImageInput) throws(ImagingError) -> OpenedImage {
        let image = try estimatingMemory(of: checkedHeader(input))
        try checkLimit(image.memory)
        return image
    }

    private func checkedHeader(_ input: ImageInput) throws(ImagingError) -> OpenedImage {
        let image = try openHeader(input)
        try options.check(image.info.format)
        var limits = options.limits
        // Without sizes, nothing is decoded.
        if options.sizes.isEmpty { limits.pixels = .max }
        try image.info.check(limits)
        return image
    }

    private func openHeader(_ input: ImageInput) throws(ImagingError) -> OpenedImage {
        do throws(ImagingError) {
            return OpenedImage(input: input, header: try ImageHeader(of: input))
        } catch {
            guard options.salvages, error.isDamage else { throw error }
            return OpenedImage(input: input, header: try ImageHeader(of: input, salvages: true), damage: error)
        }
    }

    func scalers(_ plans: [ThumbnailPlan], of header: ImageHeader) -> ScalerSet {
        ScalerSet(
            plans.map(\.geometry), of: header.info, kernel: options.kernel,
            mode: options.isLinear ? .exact : options.qualityMode)
    }

    /// Names the format in an error that says that the file cannot be decoded.
    private func naming<Value>(
        _ format: ImageFormat, _ body: () throws(ImagingError) -> Value
    ) throws(ImagingError) -> Value {
        do { return try body() } catch {
            throw error.code == .unsupported || error.code == .tooManyPixels ? error.of(format) : error
        }
    }

    /// Decodes once and scales each row to every size as it arrives.
    private func scale(
        _ image: OpenedImage, _ plans: [ThumbnailPlan], _ watchdog: DecodeWatchdog, _ profile: [UInt8]?, salvages: Bool,
        _ notes: inout [String], _ times: inout ImagingTimes
    ) throws(ImagingError) -> [Raster] {
        let start = ContinuousClock.now
        let scalers = scalers(plans, of: image.header)
        defer {
            let whole = ContinuousClock.now - start
            // `scalingTime` is extrapolated from a few rows. If one of them was interrupted, it may exceed the total.
            let scaling = min(scalers.scalingTime, whole * 9 / 10)
            times.decode += whole - scaling
            times.resample += scaling
        }
        let job = DecodeJob(
            input: image.input, header: image.header, minimumSize: scalers.minimumSize, limits: options.limits,
            watchdog: watchdog, salvages: salvages, rejectsWarnings: image.isCompleted,
            prefersSpeed: options.qualityMode == .fast, usesReference: image.usesReference,
            usesCheckingDecoder: image.usesCheckingDecoder,
            spareThread: image.allowsSecondThread ? image.spareThread : nil)
        let decoder = try Codecs.decoder(for: image.info.format)
        if options.isLinear {
            let rows = LinearLightConverter(scalers, profile: profile, isGrey: image.info.colorModel == .grey)
            notes += try decoder.decode(job, salvagingInto: rows).notes
            if let note = rows.note { notes.append(note) }
        } else {
            notes += try decoder.decode(job, salvagingInto: scalers).notes
        }
        return scalers.finish()
    }

    /// The minimum size to decode an image to.
    func minimumSize(of header: ImageHeader) throws(ImagingError) -> (width: Int, height: Int) {
        scalers(try plans(header.info), of: header).minimumSize
    }

    private func plans(_ info: ImageInfo) throws(ImagingError) -> [ThumbnailPlan] {
        var plans: [ThumbnailPlan] = []
        for size in options.sizes { plans.append(try ThumbnailPlan(size, of: info, options)) }
        return plans
    }

    private func encode(
        _ parts: [Raster], _ plans: [ThumbnailPlan], isGrey: Bool, _ metadata: ImageMetadata,
        _ watchdog: DecodeWatchdog,
        _ notes: inout [String], _ times: inout ImagingTimes
    ) throws(ImagingError) -> [Thumbnail] {
        var thumbnails: [Thumbnail] = []
        for index in parts.indices {
            try watchdog.check()
            let raster = ImagingTimes.measured(&times.resample) {
                plans[index].sharpenAndPad(parts[index]).withoutOpaqueAlpha
            }
            let opaque = options.format.canKeepAlpha ? raster : raster.flattened(over: options.background)
            let image = isGrey ? opaque.greyIfColorless : opaque
            let encoder = options.encoder(for: image, metadata)
            let bytes = try ImagingTimes.measured(&times.encode) { () throws(ImagingError) in
                try encoder.encode(
                    image, reaching: options.targetScore, atMost: options.maxBytes, watchdog)
            }
            if let limit = options.maxBytes, bytes.count > limit {
                notes.append("thumbnail \(options.sizes[index]) has \(bytes.count) bytes (limit \(limit))")
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
