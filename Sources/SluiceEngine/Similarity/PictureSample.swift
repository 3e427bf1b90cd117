// SPDX-License-Identifier: MIT

/// A picture that is reduced to the brightness of 128 by 128 places, for comparisons.
struct PictureSample: Sendable {
    /// The number of places in each direction.
    static let side = 128

    /// The brightness, row by row.
    let luma: [UInt8]
    /// The picture's width divided by its height.
    let aspect: Double

    /// Makes a sample; `nil` if there are not 128 by 128 values.
    init?(luma: [UInt8], aspect: Double) {
        guard luma.count == Self.side * Self.side, aspect.isFinite, aspect > 0 else { return nil }
        (self.luma, self.aspect) = (luma, aspect)
    }

    /// A part of a picture, from 0 to 1 in each direction.
    struct Window: Hashable {
        var x = 0.0
        var y = 0.0
        var width = 1.0
        var height = 1.0

        var area: Double { width * height }

        /// The part that is inside the picture.
        var inside: Window {
            let (left, top) = (min(max(x, 0), 1), min(max(y, 0), 1))
            return Window(
                x: left, y: top, width: max(0, min(1, x + width) - left), height: max(0, min(1, y + height) - top))
        }
    }

    /// Returns the brightness of `side` by `side` places of a part, as a copy that is turned and mirrored shows them.
    func grid(_ side: Int, of window: Window, as symmetry: Symmetry) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(side * side)
        // Each place is the mean of as many points as there are values in it.
        let covered = Double(Self.side) * max(window.width, window.height) / Double(side)
        let points = Int(min(max(covered.rounded(), 1), 8))
        let step = 1 / Double(side * points)
        let scale = 1 / Float(points * points)
        for row in 0..<side {
            for column in 0..<side {
                var sum: Float = 0
                for down in 0..<points {
                    for across in 0..<points {
                        let (x, y) = symmetry(
                            (Double(column * points + across) + 0.5) * step, (Double(row * points + down) + 0.5) * step)
                        sum += value(window.x + x * window.width, window.y + y * window.height)
                    }
                }
                values.append(sum * scale)
            }
        }
        return values
    }

    /// The brightness at a place, between the four nearest values.
    func value(_ x: Double, _ y: Double) -> Float {
        let limit = Float(Self.side - 1)
        let (x, y) = (
            min(max(Float(x) * Float(Self.side) - 0.5, 0), limit), min(max(Float(y) * Float(Self.side) - 0.5, 0), limit)
        )
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, Self.side - 1), min(top + 1, Self.side - 1))
        let (across, down) = (x - Float(left), y - Float(top))
        func at(_ column: Int, _ row: Int) -> Float { Float(luma[row * Self.side + column]) }
        let upper = at(left, top) * (1 - across) + at(right, top) * across
        let lower = at(left, bottom) * (1 - across) + at(right, bottom) * across
        return upper * (1 - down) + lower * down
    }
}
