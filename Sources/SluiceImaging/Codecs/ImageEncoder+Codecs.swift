// SPDX-License-Identifier: MIT

extension ImageEncoder {
    /// Encodes RGBA pixels with straight (not premultiplied) alpha.
    ///
    /// `pixels` holds exactly `width * height` pixels of four bytes, row by row from the top.
    package func encode(_ pixels: [UInt8], width: Int, height: Int) throws(ImagingError) -> [UInt8] {
        precondition(
            width > 0 && height > 0 && pixels.count == width * height * 4, "`pixels` has width * height RGBA values")
        return try encode(Raster(width: width, height: height, layout: .rgba, bytes: pixels))
    }

    /// Encodes an image that is in sRGB or grey.
    func encode(_ raster: Raster) throws(ImagingError) -> [UInt8] {
        guard let encoder = Codecs.codec(of: format).encoder else {
            throw ImagingError(.unsupported, "cannot write \(format.name)")
        }
        let limit = encoder.capabilities.maxSide
        guard raster.width <= limit, raster.height <= limit else {
            throw ImagingError(
                .tooManyPixels, "\(raster.width)x\(raster.height) as \(format.name) (limit \(limit) per side)")
        }
        return try encoder.encode(keepsAlpha && encoder.capabilities.keepsAlpha ? raster : raster.flattened, self)
    }

    /// Starts an animation that is played `loops` times, or for ever if that is 0.
    func startAnimation(width: Int, height: Int, loops: Int) throws(ImagingError) -> any AnimationWriting {
        guard let encoder = Codecs.codec(of: format).encoder as? any AnimationEncoding else {
            throw ImagingError(.unsupported, "cannot write animations as \(format.name)")
        }
        return try encoder.makeAnimation(width: width, height: height, loops: loops, self)
    }

    /// Encodes an image as the options want.
    ///
    /// A binary search over the qualities for `limit` bytes takes at most eight attempts. It may miss a higher quality
    /// that also fits, because sizes do not strictly grow with quality, but it never returns a file above the limit if
    /// any attempt fits. If none fits, the result has the lowest quality. Formats without a quality setting are encoded
    /// once.
    func encode(
        _ raster: Raster, reaching target: Int? = nil, atMost limit: Int? = nil, _ watchdog: DecodeWatchdog
    ) throws(ImagingError) -> [UInt8] {
        guard hasQualitySetting else { return try encode(raster) }
        let first = try firstAttempt(raster, reaching: target, watchdog)
        guard let limit, first.bytes.count > limit else { return first.bytes }
        var attempt = first.settings
        var best: [UInt8]?
        var last = first.bytes
        var low = 1
        var high = attempt.quality - 1
        while low <= high {
            try watchdog.check()
            attempt.quality = (low + high) / 2
            last = try attempt.encode(raster)
            if last.count <= limit {
                best = last
                low = attempt.quality + 1
            } else {
                high = attempt.quality - 1
            }
        }
        return best ?? last
    }

    private func firstAttempt(
        _ raster: Raster, reaching target: Int?, _ watchdog: DecodeWatchdog
    ) throws(ImagingError) -> QualitySearch.Attempt {
        guard let target, min(raster.width, raster.height) >= VisualComparison.minimumSide else {
            return QualitySearch.Attempt(settings: self, bytes: try encode(raster), score: 0)
        }
        let capabilities = Codecs.codec(of: format).encoder?.capabilities
        let isChosen = isCompact && subsampling == .half && raster.layout.channels > 2
        let choices = isChosen ? capabilities?.smallSubsamplings ?? [] : []
        var settings = self
        settings.subsampling = choices.first ?? subsampling
        var search = QualitySearch(for: Double(target), with: settings)
        while let quality = search.next {
            settings.quality = quality
            search.add(try settings.attempt(raster, watchdog))
        }
        settings.quality = search.best.settings.quality
        for other in choices.dropFirst() {
            settings.subsampling = other
            search.add(try settings.attempt(raster, watchdog))
        }
        return search.best
    }

    private func attempt(
        _ raster: Raster, _ watchdog: DecodeWatchdog
    ) throws(ImagingError) -> QualitySearch.Attempt {
        try watchdog.check()
        let bytes = try encode(raster)
        let version = try Raster(decoding: ImageInput(bytes), watchdog: watchdog)
        return QualitySearch.Attempt(
            settings: self, bytes: bytes, score: VisualComparison.score(of: version, comparedWith: raster))
    }

    private var hasQualitySetting: Bool {
        guard let capabilities = Codecs.codec(of: format).encoder?.capabilities else { return false }
        return capabilities.hasQuality && !(capabilities.canBeLossless && isLossless)
    }
}

extension ThumbnailOptions {
    /// Returns the encoder for one thumbnail.
    func encoder(for image: Raster, _ metadata: ImageMetadata) -> ImageEncoder {
        var encoder = ImageEncoder(format.format(hasAlpha: image.layout.hasAlpha))
        encoder.quality = quality
        encoder.isProgressive = isProgressive
        encoder.speed = speed
        encoder.isCompact = speed < (targetScore == nil ? Self.defaultSpeed : Self.defaultSpeed + 1)
        encoder.subsampling = subsampling
        encoder.isLossless = isLossless
        encoder.metadata = metadata
        return encoder
    }
}
