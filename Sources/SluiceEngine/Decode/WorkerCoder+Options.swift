// SPDX-License-Identifier: MIT

internal import SluiceImaging

extension WorkerCoder {
    /// Encodes or decodes every thumbnail option.
    mutating func code(_ options: inout ThumbnailOptions) throws(Malformed) {
        try code(&options.sizes, placeholder: Self.placeholderSize) { (coder, size) throws(Malformed) in
            try coder.code(&size)
        }
        try code(&options.fit)
        try code(&options.gravity)
        try code(&options.enlarges)
        try code(&options.background)
        try code(&options.kernel)
        try code(&options.sharpen)
        try code(&options.qualityMode)
        try code(&options.decoder)
        try code(&options.isLinear)
        try code(&options.profile)
        var kept = options.keptMetadata.sorted { $0.rawValue < $1.rawValue }
        try code(&kept, placeholder: .exif) { (coder, kind) throws(Malformed) in try coder.code(&kind) }
        options.keptMetadata = Set(kept)
        try code(&options.format)
        try code(&options.animation)
        try code(&options.quality)
        try code(&options.isProgressive)
        try code(&options.speed)
        try code(&options.subsampling)
        try code(&options.isLossless)
        try code(&options.maxBytes, placeholder: 0) { (coder, bytes) throws(Malformed) in try coder.code(&bytes) }
        try code(&options.salvages)
        try code(&options.acceptsMissingEnd)
        var formats = options.allowedFormats.sorted { $0.name < $1.name }
        try code(&formats, placeholder: .jpeg) { (coder, format) throws(Malformed) in try coder.code(&format) }
        options.allowedFormats = Set(formats)
        try code(&options.limits)
    }

    private static var placeholderSize: ThumbnailSize { ThumbnailSize(width: 1, height: 1) }

    private mutating func code(_ size: inout ThumbnailSize) throws(Malformed) {
        try code(&size.width, placeholder: 0) { (coder, side) throws(Malformed) in try coder.code(&side) }
        try code(&size.height, placeholder: 0) { (coder, side) throws(Malformed) in try coder.code(&side) }
    }

    private mutating func code(_ color: inout BackgroundColor) throws(Malformed) {
        try code(&color.red)
        try code(&color.green)
        try code(&color.blue)
        try code(&color.alpha)
    }

    private mutating func code(_ limits: inout ImageLimits) throws(Malformed) {
        try code(&limits.pixels)
        try code(&limits.scans)
        try code(&limits.memory)
        try code(&limits.seconds)
    }
}
