// SPDX-License-Identifier: MIT

/// How one thumbnail comes of a picture: what is scaled, and what is then done to it when it is upright.
struct ThumbnailPlan {
    /// A size in pixels.
    struct Box {
        var width: Int
        var height: Int
    }

    /// What is scaled, in the picture as stored.
    let fitting: Fitting
    private let options: ThumbnailOptions
    /// The part to choose of the scaled picture.
    private var part: Box?
    /// The canvas to put it on.
    private var canvas: Box?

    /// Plans one of the options' sizes; fails if it would have more pixels than a picture may have.
    init(_ size: ThumbnailSize, of info: ImageInfo, _ options: ThumbnailOptions) throws(ImagingError) {
        self.options = options
        let (width, height) = (info.uprightWidth, info.uprightHeight)
        var fitting = Fitting(
            width: width, height: height, into: size, options.fit, gravity: options.gravity,
            enlarges: options.enlarges)
        if let box = Self.box(size) {
            if options.fit == .pad { canvas = box }
            if options.fit == .cover, options.gravity == .attention,
                let whole = Fitting(width: width, height: height, coveringWhole: box)
            {
                fitting = whole
                part = box
            }
        }
        let pixels = max(fitting.pixels ?? .max, canvas?.pixels ?? 0)
        guard pixels <= options.limits.pixels else {
            throw ImagingError(.tooManyPixels, "thumbnail \(size) (limit \(options.limits.pixels))")
        }
        self.fitting = fitting.stored(info.orientation, width: info.width, height: info.height)
    }

    private static func box(_ size: ThumbnailSize) -> Box? {
        guard let width = size.width, let height = size.height else { return nil }
        return Box(width: width, height: height)
    }

    /// The part of the scaled picture, which is upright, that the thumbnail shows.
    func choosePart(of picture: Raster) -> Raster {
        part.map { picture.busiestPart($0.width, $0.height) } ?? picture
    }

    /// The thumbnail of its part.
    func finish(_ picture: Raster) -> Raster {
        let sharp = picture.sharpened(options.sharpen)
        return canvas.map { sharp.padded(to: $0, shares: options.gravity.shares, options.background) } ?? sharp
    }
}

extension ThumbnailPlan.Box {
    /// How many pixels there are; as many as can be counted if there are more.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }
}

extension ThumbnailOptions.Gravity {
    /// How much of the room that is over lies before the picture, or the part of it: none, half, or all.
    var shares: (x: Double, y: Double) {
        let x =
            switch self {
            case .west, .northwest, .southwest: 0.0
            case .east, .northeast, .southeast: 1.0
            case .centre, .north, .south, .attention: 0.5
            }
        let y =
            switch self {
            case .north, .northeast, .northwest: 0.0
            case .south, .southeast, .southwest: 1.0
            case .centre, .east, .west, .attention: 0.5
            }
        return (x, y)
    }
}
