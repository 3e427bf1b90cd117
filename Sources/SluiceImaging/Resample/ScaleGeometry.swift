// SPDX-License-Identifier: MIT

/// The part of an image that becomes a thumbnail, and the thumbnail's size.
struct ScaleGeometry: Sendable, Hashable {
    /// A range of one axis in source pixels, and the number of target pixels.
    struct Axis: Sendable, Hashable {
        var start: Double
        var extent: Double
        var target: Int

        /// Returns the same range of an image that a decoder has scaled by `scale`.
        func scaled(by scale: Double) -> Axis { Axis(start: start * scale, extent: extent * scale, target: target) }

        /// Returns the minimum length to decode the whole axis to.
        ///
        /// `oversampling` is the number of decoded pixels per target pixel; two are enough for a sharp result.
        func minimumSource(of length: Int, oversampling: Double) -> Int {
            Int(min(Double(length), (Double(length) * Double(target) * oversampling / extent).rounded(.up)))
        }

        /// Returns the same range of an axis that is read from its other end.
        func mirrored(_ length: Int) -> Axis {
            Axis(start: Double(length) - extent - start, extent: extent, target: target)
        }
    }

    var columns: Axis
    var rows: Axis

    /// Fits an upright image into a size; ``ThumbnailOptions/Fit/pad`` is treated like `inside`.
    init(
        width: Int, height: Int, into size: ThumbnailSize, _ fit: ThumbnailOptions.Fit,
        gravity: ThumbnailOptions.Gravity = .centre, enlarges: Bool = false
    ) {
        columns = Axis(start: 0, extent: Double(width), target: width)
        rows = Axis(start: 0, extent: Double(height), target: height)
        switch (fit, size.width, size.height) {
        case (.cover, let boxWidth?, let boxHeight?): cover(boxWidth, boxHeight, gravity)
        case (.fill, let boxWidth?, let boxHeight?):
            columns.target = boxWidth
            rows.target = boxHeight
        case (.outside, let boxWidth?, let boxHeight?):
            scale(by: max(Double(boxWidth) / columns.extent, Double(boxHeight) / rows.extent), enlarges)
        default:
            let scales = [size.width.map { Double($0) / columns.extent }, size.height.map { Double($0) / rows.extent }]
            scale(by: scales.compactMap(\.self).min() ?? 1, enlarges)
        }
    }

    /// Whether a size has fewer pixels than an upright image in the direction that decides its scale.
    static func shrinks(width: Int, height: Int, into size: ThumbnailSize, _ fit: ThumbnailOptions.Fit) -> Bool {
        let isNarrower = size.width.map { $0 < width }
        let isLower = size.height.map { $0 < height }
        return fit.coversSize ? isNarrower != false && isLower != false : isNarrower == true || isLower == true
    }

    /// Scales an upright image to just cover a box; `nil` if the image is so long that the box shows too little of it.
    init?(width: Int, height: Int, coveringWhole box: ThumbnailPlan.Box) {
        let scale = max(Double(box.width) / Double(width), Double(box.height) / Double(height))
        func whole(_ length: Int, _ least: Int) -> Axis? {
            let target = (Double(length) * scale).rounded()
            guard target <= Double(least) * Self.maxOverhangRatio else { return nil }
            return Axis(start: 0, extent: Double(length), target: max(least, Int(target)))
        }
        guard let columns = whole(width, box.width), let rows = whole(height, box.height) else { return nil }
        self.columns = columns
        self.rows = rows
    }

    /// The maximum length of the scaled image in boxes, among which the best is searched.
    private static let maxOverhangRatio = 8.0

    private mutating func scale(by factor: Double, _ enlarges: Bool) {
        let scale = enlarges ? factor : min(1, factor)
        columns.target = Self.side(columns.extent * scale)
        rows.target = Self.side(rows.extent * scale)
    }

    /// Rounds a side to whole pixels and caps it far above any limit, so that it fits an integer.
    private static func side(_ length: Double) -> Int { max(1, Int(min(length, 1e9).rounded())) }

    private mutating func cover(_ width: Int, _ height: Int, _ gravity: ThumbnailOptions.Gravity) {
        let shares = gravity.shares
        let scale = max(Double(width) / columns.extent, Double(height) / rows.extent)
        columns = Self.part(of: columns.extent, target: width, scale: scale, share: shares.x)
        rows = Self.part(of: rows.extent, target: height, scale: scale, share: shares.y)
    }

    private static func part(of length: Double, target: Int, scale: Double, share: Double) -> Axis {
        let extent = min(length, Double(target) / scale)
        return Axis(start: (length - extent) * share, extent: extent, target: target)
    }

    /// Returns the geometry for the stored image of `width` by `height`, before orientation is applied.
    func stored(_ orientation: Int, width: Int, height: Int) -> ScaleGeometry {
        var stored = self
        if orientation > 4 { swap(&stored.columns, &stored.rows) }
        if [2, 3, 7, 8].contains(orientation) { stored.columns = stored.columns.mirrored(width) }
        if [3, 4, 6, 7].contains(orientation) { stored.rows = stored.rows.mirrored(height) }
        return stored
    }

    /// The number of the thumbnail's pixels; `nil` if it overflows.
    var pixels: Int? {
        let (pixels, overflow) = columns.target.multipliedReportingOverflow(by: rows.target)
        return overflow ? nil : pixels
    }
}

extension Raster {
    /// Returns the image on a canvas of at least its own size; `shares` (0 to 1) is the part of the free space that
    /// lies left of and above the image.
    func padded(to canvas: ThumbnailPlan.Box, shares: (x: Double, y: Double), _ background: BackgroundColor) -> Raster {
        guard canvas.width != width || canvas.height != height else { return self }
        let isGrey = background.red == background.green && background.green == background.blue
        let wanted: PixelLayout =
            layout == .rgba || background.alpha < 255 ? .rgba : layout == .grey && isGrey ? .grey : .rgb
        let source = expanded(to: wanted)
        let channels = wanted.channels
        let pixel = [background.red, background.green, background.blue, background.alpha].prefix(channels)
        let left = Int((Double(canvas.width - width) * shares.x).rounded(.down))
        let top = Int((Double(canvas.height - height) * shares.y).rounded(.down))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(canvas.width * canvas.height * channels)
        func fill(_ pixels: Int) { for _ in 0..<pixels { bytes += pixel } }
        fill(top * canvas.width)
        for row in 0..<height {
            fill(left)
            bytes += source.bytes[row * width * channels..<(row + 1) * width * channels]
            fill(canvas.width - width - left)
        }
        fill((canvas.height - height - top) * canvas.width)
        return Raster(width: canvas.width, height: canvas.height, layout: wanted, bytes: bytes)
    }
}

extension Raster {
    /// Returns the part of the image that starts at a pixel.
    func part(x: Int, y: Int, _ width: Int, _ height: Int) -> Raster {
        let channels = layout.channels
        var part = Raster(width: width, height: height, layout: layout, bytes: [])
        part.bytes.reserveCapacity(width * height * channels)
        for row in y..<y + height {
            let start = (row * self.width + x) * channels
            part.bytes += bytes[start..<start + width * channels]
        }
        return part
    }
}
