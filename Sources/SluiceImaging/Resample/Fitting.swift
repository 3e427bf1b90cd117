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
        /// Twice the target leaves the last kernel enough to be sharp with.
        func leastSource(of length: Int) -> Int {
            min(length, Int((Double(length) * Double(target) * 2 / extent).rounded(.up)))
        }
    }

    var columns: Axis
    var rows: Axis

    /// Fits an upright picture into a size.
    init(width: Int, height: Int, into size: ThumbnailSize, _ fit: ThumbnailOptions.Fit) {
        columns = Axis(start: 0, extent: Double(width), target: width)
        rows = Axis(start: 0, extent: Double(height), target: height)
        switch (fit, size.width, size.height) {
        case (.cover, let boxWidth?, let boxHeight?): cover(boxWidth, boxHeight)
        case (.fill, let boxWidth?, let boxHeight?):
            columns.target = boxWidth
            rows.target = boxHeight
        default: shrink(toWidth: size.width ?? .max, height: size.height ?? .max)
        }
    }

    private mutating func shrink(toWidth width: Int, height: Int) {
        let scale = min(1, Double(width) / columns.extent, Double(height) / rows.extent)
        columns.target = max(1, Int((columns.extent * scale).rounded()))
        rows.target = max(1, Int((rows.extent * scale).rounded()))
    }

    private mutating func cover(_ width: Int, _ height: Int) {
        let scale = max(Double(width) / columns.extent, Double(height) / rows.extent)
        columns = Self.middle(of: columns.extent, target: width, scale: scale)
        rows = Self.middle(of: rows.extent, target: height, scale: scale)
    }

    private static func middle(of length: Double, target: Int, scale: Double) -> Axis {
        let extent = min(length, Double(target) / scale)
        return Axis(start: (length - extent) / 2, extent: extent, target: target)
    }

    /// The same for the picture as stored: its axes change places where orientation says so, and since the part that is
    /// used lies in the middle, no flip moves it.
    func stored(_ orientation: Int) -> Fitting {
        var stored = self
        if orientation > 4 { swap(&stored.columns, &stored.rows) }
        return stored
    }

    /// How many pixels the thumbnail has; `nil` if they cannot be counted.
    var pixels: Int? {
        let (pixels, overflow) = columns.target.multipliedReportingOverflow(by: rows.target)
        return overflow ? nil : pixels
    }
}
