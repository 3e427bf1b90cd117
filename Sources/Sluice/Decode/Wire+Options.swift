// SPDX-License-Identifier: MIT

internal import SluiceImaging

extension Wire {
    /// Carries what thumbnails are to be made: every option, whatever else a worker is not told.
    mutating func carry(_ options: inout ThumbnailOptions) throws(Malformed) {
        try carry(&options.sizes, blank: Self.blankSize) { (wire, size) throws(Malformed) in try wire.carry(&size) }
        try carry(&options.fit)
        try carry(&options.gravity)
        try carry(&options.enlarges)
        try carry(&options.background)
        try carry(&options.kernel)
        try carry(&options.sharpen)
        try carry(&options.qualityMode)
        try carry(&options.isLinear)
        try carry(&options.profile)
        var kept = options.keeps.sorted { $0.rawValue < $1.rawValue }
        try carry(&kept, blank: .exif) { (wire, kind) throws(Malformed) in try wire.carry(&kind) }
        options.keeps = Set(kept)
        try carry(&options.format)
        try carry(&options.quality)
        try carry(&options.isProgressive)
        try carry(&options.subsampling)
        try carry(&options.isLossless)
        try carry(&options.maxBytes, blank: 0) { (wire, bytes) throws(Malformed) in try wire.carry(&bytes) }
        try carry(&options.salvages)
        try carry(&options.limits)
    }

    private static var blankSize: ThumbnailSize { ThumbnailSize(width: 1, height: 1) }

    private mutating func carry(_ size: inout ThumbnailSize) throws(Malformed) {
        try carry(&size.width, blank: 0) { (wire, side) throws(Malformed) in try wire.carry(&side) }
        try carry(&size.height, blank: 0) { (wire, side) throws(Malformed) in try wire.carry(&side) }
    }

    private mutating func carry(_ color: inout BackgroundColor) throws(Malformed) {
        try carry(&color.red)
        try carry(&color.green)
        try carry(&color.blue)
        try carry(&color.alpha)
    }

    private mutating func carry(_ limits: inout ImageLimits) throws(Malformed) {
        try carry(&limits.pixels)
        try carry(&limits.scans)
        try carry(&limits.memory)
        try carry(&limits.seconds)
    }
}
