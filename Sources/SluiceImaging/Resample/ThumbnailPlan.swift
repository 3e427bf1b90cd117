// SPDX-License-Identifier: MIT

/// The steps that turn an image into one thumbnail: scaling, then crop, sharpening and padding of the upright result.
struct ThumbnailPlan {
    struct Box {
        var width: Int
        var height: Int
    }

    /// The scaling, in coordinates of the stored image.
    let geometry: ScaleGeometry
    private let options: ThumbnailOptions
    /// The size of the part to choose by attention; `nil` if the whole scaled image is used.
    private var cropSize: Box?
    /// The size of the padded canvas; `nil` if there is no padding.
    private var canvasSize: Box?
    /// The size of the upright thumbnail.
    let result: (width: Int, height: Int)

    /// Plans one of the requested sizes; throws if the thumbnail would exceed the pixel limit.
    init(_ size: ThumbnailSize, of info: ImageInfo, _ options: ThumbnailOptions) throws(ImagingError) {
        self.options = options
        let (width, height) = (info.uprightWidth, info.uprightHeight)
        let stays =
            options.onlyShrinks && !ScaleGeometry.shrinks(width: width, height: height, into: size, options.fit)
        let fit = stays ? .inside : options.fit
        var geometry = ScaleGeometry(
            width: width, height: height, into: stays ? ThumbnailSize(width: width, height: height) : size, fit,
            gravity: options.gravity, enlarges: options.enlarges)
        if let box = Self.box(size) {
            if fit == .pad { canvasSize = box }
            if fit == .cover, options.gravity == .attention,
                let whole = ScaleGeometry(width: width, height: height, coveringWhole: box)
            {
                geometry = whole
                cropSize = box
            }
        }
        let part = canvasSize ?? cropSize
        result = (part?.width ?? geometry.columns.target, part?.height ?? geometry.rows.target)
        self.geometry = geometry.stored(info.orientation, width: info.width, height: info.height)
        guard pixels <= options.limits.pixels else {
            throw ImagingError(.tooManyPixels, "thumbnail \(size) (limit \(options.limits.pixels))")
        }
    }

    private static func box(_ size: ThumbnailSize) -> Box? {
        guard let width = size.width, let height = size.height else { return nil }
        return Box(width: width, height: height)
    }

    /// The number of pixels of the larger of the scaled and the padded image.
    var pixels: Int { max(geometry.pixels ?? .max, canvasSize?.pixels ?? 0) }

    /// Returns where the part of the upright scaled image starts that the thumbnail shows.
    func cropOrigin(in image: Raster) -> (x: Int, y: Int) {
        cropSize.map { AttentionMap(image.flattened).bestPart($0.width, $0.height) } ?? (0, 0)
    }

    /// Returns the part of the upright scaled image that starts at an origin.
    func crop(_ image: Raster, at origin: (x: Int, y: Int)) -> Raster {
        cropSize.map { image.part(x: origin.x, y: origin.y, $0.width, $0.height) } ?? image
    }

    /// Returns the finished thumbnail from the cropped image.
    func sharpenAndPad(_ image: Raster) -> Raster { pad(image.sharpened(options.sharpen), options.background) }

    /// Whether the thumbnail has a background around the image.
    var isPadded: Bool { canvasSize != nil }

    /// Returns the image with the background around it, if the thumbnail has one.
    func pad(_ image: Raster, _ background: BackgroundColor) -> Raster {
        canvasSize.map { image.padded(to: $0, shares: options.gravity.shares, background) } ?? image
    }

    /// Returns the part of the stored image that the thumbnail shows if its crop starts at an origin.
    func shownPart(from origin: (x: Int, y: Int), of info: ImageInfo) -> ScaleGeometry {
        guard let cropSize else { return geometry }
        let isTurned = info.orientation > 4
        func part(_ start: Int, _ count: Int, of whole: ScaleGeometry.Axis) -> ScaleGeometry.Axis {
            let scale = whole.extent / Double(whole.target)
            return ScaleGeometry.Axis(start: Double(start) * scale, extent: Double(count) * scale, target: count)
        }
        var upright = geometry
        upright.columns = part(origin.x, cropSize.width, of: isTurned ? geometry.rows : geometry.columns)
        upright.rows = part(origin.y, cropSize.height, of: isTurned ? geometry.columns : geometry.rows)
        return upright.stored(info.orientation, width: info.width, height: info.height)
    }
}

extension ThumbnailPlan.Box {
    /// The number of pixels, or the maximum integer if it overflows.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }
}

extension ThumbnailOptions.Gravity {
    /// The share of the free or cropped space that lies left of and above the image: 0, 0.5 or 1.
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
