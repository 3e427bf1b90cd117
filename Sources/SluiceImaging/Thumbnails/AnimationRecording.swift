// SPDX-License-Identifier: MIT

extension ThumbnailOptions {
    /// Returns how many frames the thumbnails of an animation may have; `pixels` is the size of a frame in all of them.
    func maxFrames(pixels: Int) -> Int {
        // An encoded frame usually has at most half a byte per pixel, and all of them may take a quarter of the memory.
        min(maxFrames ?? .max, max(2, limits.memory / 2 / max(1, pixels)))
    }
}

/// Makes animated thumbnails from the frames of an animation.
struct AnimationRecording {
    private let thumbnailer: Thumbnailer
    private let header: ImageHeader
    private let plans: [ThumbnailPlan]
    /// Where the visible part of each thumbnail starts, which is the same in all frames.
    private let origins: [(x: Int, y: Int)]
    private let colors: ColorPlan
    private let profile: [UInt8]?
    private let settings: ImageEncoder
    private var canvas: AnimationCanvas
    /// An animation for each plan.
    private var animations: [any AnimationWriting] = []
    private var sizes: [(width: Int, height: Int)] = []
    /// The number of frames so far, and the duration for which they are shown.
    private(set) var frames = 0
    private var milliseconds = 0
    private let maxFrames: Int

    /// Starts without a frame; `profile` is that of the colours in the file.
    init(
        _ thumbnailer: Thumbnailer, _ header: ImageHeader, _ plans: [ThumbnailPlan], origins: [(x: Int, y: Int)],
        profile: [UInt8]?, exif: [UInt8]
    ) {
        var options = thumbnailer.options
        options.format = .fixed(.webp)
        (self.thumbnailer, self.header, self.plans, self.origins) = (thumbnailer, header, plans, origins)
        self.profile = profile
        colors = ColorPlan(
            from: profile, of: .rgba, header.info, options, using: thumbnailer.colorConversions)
        var settings = ImageEncoder(.webp)
        (settings.quality, settings.isLossless) = (options.quality, options.isLossless)
        settings.metadata = ImageMetadata(profile: colors.profile, exif: exif)
        self.settings = settings
        maxFrames = thumbnailer.options.maxFrames(pixels: plans.reduce(0) { $0 + $1.pixels })
        canvas = AnimationCanvas(width: header.info.width, height: header.info.height)
    }

    /// Whether the thumbnails have as many frames, or last as long, as they may.
    var isFull: Bool { frames >= maxFrames || milliseconds >= maxMilliseconds }

    private var maxMilliseconds: Int { thumbnailer.options.maxMilliseconds ?? .max }

    /// Adds a frame to all thumbnails, and adds the time of each stage to `times`.
    mutating func add(_ frame: AnimationFrame, _ times: inout ImagingTimes) throws(ImagingError) {
        let rasters = try ImagingTimes.measured(&times.resample) { () throws(ImagingError) in
            canvas.draw(frame)
            return try render()
        }
        try ImagingTimes.measured(&times.encode) { () throws(ImagingError) in
            for (index, raster) in rasters.enumerated() {
                if index == animations.count {
                    sizes.append((raster.width, raster.height))
                    animations.append(
                        try settings.startAnimation(width: raster.width, height: raster.height, loops: header.loops))
                }
                try animations[index].add(raster, at: milliseconds)
            }
        }
        frames += 1
        let shown = AnimationFrame.shown(milliseconds: frame.milliseconds)
        milliseconds = min(milliseconds + shown, maxMilliseconds)
    }

    /// Makes thumbnails from the canvas.
    private func render() throws(ImagingError) -> [Raster] {
        let scalers = thumbnailer.scalers(plans, of: header)
        let shape = RowShape(width: canvas.picture.width, height: canvas.picture.height, layout: .rgba)
        if thumbnailer.options.isLinear {
            let rows = LinearLightConverter(scalers, profile: profile, isGrey: header.info.colorModel == .grey)
            try rows.begin(shape)
            canvas.picture.forEachRow { rows.receive($0) }
        } else {
            scalers.begin(shape)
            canvas.picture.forEachRow { scalers.receive($0) }
        }
        let rasters = scalers.finish()
        return plans.indices.map { index in
            let upright = colors.apply(rasters[index]).upright(from: header.info.orientation)
            return plans[index].sharpenAndPad(plans[index].crop(upright, at: origins[index]))
        }
    }

    /// Ends the animations and puts them in the place of still thumbnails, unless they are too large.
    func finish(_ result: inout ThumbnailResult, _ times: inout ImagingTimes) throws(ImagingError) {
        result.notes += colors.notes.filter { !result.notes.contains($0) }
        for index in animations.indices {
            let bytes = try ImagingTimes.measured(&times.encode) { () throws(ImagingError) in
                try animations[index].finish(at: milliseconds)
            }
            let size = thumbnailer.options.sizes[index]
            if let limit = thumbnailer.options.maxBytes, bytes.count > limit {
                result.notes.append(
                    "thumbnail \(size) not animated: it would have \(bytes.count) bytes (limit \(limit))")
            } else {
                let (width, height) = sizes[index]
                result.thumbnails[index] = Thumbnail(
                    size: size, width: width, height: height, format: settings.format, bytes: bytes)
            }
        }
    }
}
