// SPDX-License-Identifier: MIT

/// A position on a canvas, in pixels from its upper left corner.
struct Point: Sendable, Hashable {
    var x: Float
    var y: Float

    init(_ x: Float, _ y: Float) {
        self.x = x
        self.y = y
    }
}

extension Canvas {
    /// Fills a convex polygon with antialiased edges; `strength` is 0 to 256, `columns` clips it horizontally.
    mutating func fill(
        _ points: [Point], _ color: UInt32, strength: Int = 256, columns: (left: Int, right: Int)? = nil
    ) {
        let limits = columns ?? (0, width)
        let sides = Self.sides(of: points)
        guard let top = sides.first?.top, let bottom = sides.map(\.bottom).max(), bottom > 0, top < Float(height) else {
            return
        }
        var first = 0
        for y in max(0, Int(top))...min(height - 1, Int(bottom)) {
            while first < sides.count, sides[first].bottom <= Float(y) { first += 1 }
            let lines = Self.slices(of: sides[first...], row: y)
            if !lines.isEmpty { fill(lines, row: y, color, strength: strength, limits) }
        }
    }

    /// A side of a polygon, from its upper to its lower end.
    private struct Side {
        var top: Float
        var bottom: Float
        var x: Float
        var slope: Float
    }

    /// Returns the sides that are not horizontal, topmost first.
    private static func sides(of points: [Point]) -> [Side] {
        var sides: [Side] = []
        guard var last = points.last else { return [] }
        for point in points {
            let (a, b) = last.y < point.y ? (last, point) : (point, last)
            if a.y < b.y { sides.append(Side(top: a.y, bottom: b.y, x: a.x, slope: (b.x - a.x) / (b.y - a.y))) }
            last = point
        }
        return sides.sorted { $0.top < $1.top }
    }

    /// Returns where four scan lines through a row of pixels lie inside the polygon, in 256ths of a pixel.
    private static func slices(of sides: ArraySlice<Side>, row: Int) -> [(start: Int, end: Int)] {
        var lines: [(start: Int, end: Int)] = []
        for line in 0..<4 {
            let y = Float(row) + (Float(line) + 0.5) / 4
            var (start, end) = (Float.infinity, -Float.infinity)
            for side in sides {
                if side.top > y { break }
                if side.bottom <= y { continue }
                let x = side.x + side.slope * (y - side.top)
                start = min(start, x)
                end = max(end, x)
            }
            if start < end { lines.append((Int(max(-1e6, start) * 256), Int(min(1e6, end) * 256))) }
        }
        return lines
    }

    private mutating func fill(
        _ lines: [(start: Int, end: Int)], row y: Int, _ color: UInt32, strength: Int, _ limits: (left: Int, right: Int)
    ) {
        var (outerStart, outerEnd, innerStart, innerEnd) = (Int.max, Int.min, Int.min, Int.max)
        for line in lines {
            outerStart = min(outerStart, line.start >> 8)
            outerEnd = max(outerEnd, (line.end + 255) >> 8)
            innerStart = max(innerStart, (line.start + 255) >> 8)
            innerEnd = min(innerEnd, line.end >> 8)
        }
        outerStart = max(outerStart, limits.left)
        outerEnd = min(outerEnd, limits.right)
        innerStart = max(innerStart, limits.left)
        innerEnd = min(innerEnd, limits.right)
        if lines.count < 4 || innerEnd <= innerStart { (innerStart, innerEnd) = (outerEnd, outerEnd) }
        edge(lines, row: y, from: outerStart, to: innerStart, color, strength: strength)
        blend(row: y, from: innerStart, to: innerEnd, color, strength: strength)
        edge(lines, row: y, from: innerEnd, to: outerEnd, color, strength: strength)
    }

    /// Blends the pixels that the polygon covers partially.
    private mutating func edge(
        _ lines: [(start: Int, end: Int)], row y: Int, from start: Int, to end: Int, _ color: UInt32, strength: Int
    ) {
        var x = start
        while x < end {
            var cover = 0
            for line in lines { cover += max(0, min(line.end, (x + 1) << 8) - max(line.start, x << 8)) }
            blend(row: y, from: x, to: x + 1, color, strength: (cover * strength) >> 10)
            x += 1
        }
    }

    /// Fills an ellipse.
    mutating func ellipse(
        _ center: Point, _ radiusX: Float, _ radiusY: Float, _ color: UInt32, strength: Int = 256,
        columns: (left: Int, right: Int)? = nil
    ) {
        fill(Self.arc(center, radiusX, radiusY, from: 0, to: 1), color, strength: strength, columns: columns)
    }

    /// Fills a disc.
    mutating func disc(_ center: Point, _ radius: Float, _ color: UInt32, strength: Int = 256) {
        ellipse(center, radius, radius, color, strength: strength)
    }

    /// Fills a rectangle.
    mutating func rectangle(_ corner: Point, _ width: Float, _ height: Float, _ color: UInt32, strength: Int = 256) {
        let (x, y) = (corner.x, corner.y)
        let corners = [Point(x, y), Point(x + width, y), Point(x + width, y + height), Point(x, y + height)]
        fill(corners, color, strength: strength)
    }

    /// Returns points along an ellipse, clockwise from the right; `from` and `to` are full turns.
    static func arc(_ center: Point, _ radiusX: Float, _ radiusY: Float, from: Float, to: Float) -> [Point] {
        let count = max(8, min(160, Int((radiusX + radiusY) * (to - from))))
        return (0...count).map { index in
            let turn = from + (to - from) * Float(index) / Float(count)
            return Point(center.x + radiusX * wave(turn + 0.25), center.y + radiusY * wave(turn))
        }
    }
}

extension Canvas {
    /// Fills all rows below a fraction of the height, with one colour per row.
    mutating func fillBand(from start: Float, _ colors: [UInt32]) {
        for y in max(0, Int(start * Float(height)))..<height { fill(row: y, from: 0, to: width, colors[y]) }
    }

    /// Makes everything outside a large rounded rectangle transparent, with a smooth edge.
    mutating func cutOut() {
        let (halfWidth, halfHeight) = (Float(width) / 2, Float(height) / 2)
        let soft = side * 0.012
        let corner = side * 0.28
        for y in 0..<height {
            for x in 0..<width {
                let dx = max(0, abs(Float(x) + 0.5 - halfWidth) - (halfWidth - corner - soft))
                let dy = max(0, abs(Float(y) + 0.5 - halfHeight) - (halfHeight - corner - soft))
                guard dx + dy > corner else { continue }
                let beyond = (dx * dx + dy * dy).squareRoot() - corner
                if beyond > -soft { fade(row: y, from: x, to: x + 1, strength: Int(ramp(beyond, soft, -soft) * 256)) }
            }
        }
    }
}
