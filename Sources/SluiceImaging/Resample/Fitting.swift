// SPDX-License-Identifier: MIT

/// Which part of a picture becomes a thumbnail of which size.
struct Fitting: Sendable, Hashable {
    /// A stretch of one axis of the picture, in its pixels, and how many pixels it becomes.
    struct Axis: Sendable, Hashable {
        var start: Double
        var extent: Double
        var target: Int

        /// The same stretch of a picture that was made smaller by a decoder.
        func scaled(by scale: Double) -> Axis { Axis(start: start * scale, extent: extent * scale, target: target) }

        /// The size that the whole axis, `length` long, must at least be decoded to.
        ///
        /// `times` is how often the target is left for the last kernel to work on: twice is enough to be sharp with.
        func leastSource(of length: Int, times: Double) -> Int {
            Int(min(Double(length), (Double(length) * Double(target) * times / extent).rounded(.up)))
        }

        /// The same stretch of an axis `length` long that is read from its other end.
        func mirrored(_ length: Int) -> Axis {
            Axis(start: Double(length) - extent - start, extent: extent, target: target)
        }
    }

    var columns: Axis
    var rows: Axis

    /// Fits an upright picture into a size; one to be padded like one inside.
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
        default: shrink(toWidth: size.width ?? .max, height: size.height ?? .max, enlarges)
        }
    }

    /// Scales an upright picture so that it just covers a box; `nil` for a strip of which the box shows too little.
    init?(width: Int, height: Int, coveringWhole box: ThumbnailPlan.Box) {
        let scale = max(Double(box.width) / Double(width), Double(box.height) / Double(height))
        func whole(_ length: Int, _ least: Int) -> Axis? {
            let target = (Double(length) * scale).rounded()
            guard target <= Double(least) * Self.mostOverhang else { return nil }
            return Axis(start: 0, extent: Double(length), target: max(least, Int(target)))
        }
        guard let columns = whole(width, box.width), let rows = whole(height, box.height) else { return nil }
        self.columns = columns
        self.rows = rows
    }

    /// How many boxes of a strip are looked through for the best one.
    private static let mostOverhang = 8.0

    private mutating func shrink(toWidth width: Int, height: Int, _ enlarges: Bool) {
        let scale = min(enlarges ? .infinity : 1, Double(width) / columns.extent, Double(height) / rows.extent)
        columns.target = Self.side(columns.extent * scale)
        rows.target = Self.side(rows.extent * scale)
    }

    /// A side in whole pixels; what no limit would let through stays countable.
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

    /// The same for the picture as stored, `width` by `height`: its axes are turned as orientation says.
    func stored(_ orientation: Int, width: Int, height: Int) -> Fitting {
        var stored = self
        if orientation > 4 { swap(&stored.columns, &stored.rows) }
        if [2, 3, 7, 8].contains(orientation) { stored.columns = stored.columns.mirrored(width) }
        if [3, 4, 6, 7].contains(orientation) { stored.rows = stored.rows.mirrored(height) }
        return stored
    }

    /// How many pixels the thumbnail has; `nil` if they cannot be counted.
    var pixels: Int? {
        let (pixels, overflow) = columns.target.multipliedReportingOverflow(by: rows.target)
        return overflow ? nil : pixels
    }
}
