// SPDX-License-Identifier: MIT

/// A bitmap to paint on; all drawing is clipped to its bounds.
///
/// All loops over pixels are here and in extensions. They use a plain pointer, so that painting is fast in debug
/// builds, too. A pixel is a 32-bit number with red in its lowest byte.
@safe struct Canvas: ~Copyable {
    let width: Int
    let height: Int
    private let pixels: UnsafeMutablePointer<UInt32>

    init(width: Int, height: Int) {
        precondition(width > 0 && height > 0, "a canvas must not be empty")
        self.width = width
        self.height = height
        unsafe pixels = .allocate(capacity: width * height)
        unsafe pixels.initialize(repeating: 0xFF00_0000, count: width * height)
    }

    deinit { unsafe pixels.deallocate() }

    /// The shorter side in pixels, which scales strokes.
    var side: Float { Float(min(width, height)) }

    /// Returns a copy of the pixels.
    func bitmap() -> Bitmap {
        let bytes = unsafe UnsafeRawBufferPointer(start: pixels, count: width * height * 4)
        return unsafe Bitmap(width: width, height: height, rgba: [UInt8](bytes))
    }

    /// Fills part of a row.
    mutating func fill(row y: Int, from left: Int, to right: Int, _ color: UInt32) {
        let start = max(0, left)
        let count = min(width, right) - start
        guard y >= 0, y < height, count > 0 else { return }
        let run = unsafe pixels + y * width + start
        unsafe run.pointee = color
        // Copying doubled runs lets memmove do the work.
        var filled = 1
        while filled < count {
            let more = min(filled, count - filled)
            unsafe (run + filled).update(from: run, count: more)
            filled += more
        }
    }

    /// Blends a colour over part of a row; `strength` is 0 to 256.
    mutating func blend(row y: Int, from left: Int, to right: Int, _ color: UInt32, strength: Int) {
        if strength >= 256 { return fill(row: y, from: left, to: right, color) }
        let end = min(width, right)
        guard y >= 0, y < height, strength > 0 else { return }
        let row = unsafe pixels + y * width
        let weight = UInt32(strength)
        var x = max(0, left)
        while x < end {
            unsafe row[x] = Self.mix(row[x], color, weight)
            x += 1
        }
    }

    /// Fills everything below an edge, with a colour for each row.
    ///
    /// Edges are in 256ths of a pixel for each column. `floor`, if set, is the lower edge of the fill. `strength` is 0
    /// to 256.
    mutating func fill(below edge: [Int32], above floor: [Int32]? = nil, _ colors: [UInt32], strength: Int = 256) {
        precondition(edge.count == width && colors.count == height, "an edge must span the canvas")
        precondition(floor == nil || floor?.count == width, "an edge must span the canvas")
        guard let highest = edge.min(), let lowest = edge.max() else { return }
        let solid = floor == nil ? (Int(lowest) + 255) >> 8 : height
        let start = max(0, Int(highest) >> 8)
        let end = min(height, floor?.max().map { (Int($0) + 255) >> 8 } ?? height)
        guard start < end else { return }
        for y in start..<end {
            if y >= solid {
                blend(row: y, from: 0, to: width, colors[y], strength: strength)
            } else {
                fill(row: y, below: edge, above: floor, colors[y], strength: Int32(strength))
            }
        }
    }

    private mutating func fill(
        row y: Int, below edge: [Int32], above floor: [Int32]?, _ color: UInt32, strength: Int32
    ) {
        let row = unsafe pixels + y * width
        let (top, bottom) = (Int32(y) << 8, Int32(y + 1) << 8)
        unsafe edge.withUnsafeBufferPointer { edge in
            guard let floor else {
                var x = 0
                while x < edge.count {
                    unsafe Self.blend(color, on: &row[x], cover: bottom &- edge[x], strength)
                    x += 1
                }
                return
            }
            unsafe floor.withUnsafeBufferPointer { floor in
                var x = 0
                while x < edge.count {
                    let cover = unsafe min(bottom, floor[x]) &- max(top, edge[x])
                    unsafe Self.blend(color, on: &row[x], cover: cover, strength)
                    x += 1
                }
            }
        }
    }

    /// Blends a colour onto a pixel of which `cover` 256ths are covered.
    @inline(__always)
    private static func blend(_ color: UInt32, on pixel: inout UInt32, cover: Int32, _ strength: Int32) {
        guard cover > 0 else { return }
        let weight = ((cover < 256 ? cover : 256) &* strength) >> 8
        pixel = weight >= 256 ? color : mix(pixel, color, UInt32(weight))
    }

    /// Paints the whole canvas by interpolating colours between the nodes of a coarse grid.
    ///
    /// `color` receives a position as fractions of the canvas.
    mutating func paint(columns: Int, rows: Int, _ color: (Float, Float) -> Color) {
        // Cells smaller than a few pixels cost time without a visible effect.
        let columns = max(1, min(columns, width / 4))
        let rows = max(1, min(rows, height / 4))
        let stride = columns + 1
        var nodes: [Color] = []
        nodes.reserveCapacity(stride * (rows + 1))
        for row in 0...rows {
            for column in 0...columns {
                nodes.append(color(Float(column) / Float(columns), Float(row) / Float(rows)).clamped)
            }
        }
        for y in 0..<height {
            let position = (Float(y) + 0.5) / Float(height) * Float(rows)
            let above = Int(position)
            let t = position - Float(above)
            var left = nodes[above * stride].mixed(nodes[(above + 1) * stride], t)
            for column in 0..<columns {
                let node = above * stride + column + 1
                let right = nodes[node].mixed(nodes[node + stride], t)
                paint(row: y, from: column * width / columns, to: (column + 1) * width / columns, left, right)
                left = right
            }
        }
    }

    /// Fills part of a row with a gradient; both colours must be clamped, so values between them need no clamping.
    private mutating func paint(row y: Int, from start: Int, to end: Int, _ left: Color, _ right: Color) {
        guard end > start else { return }
        let scale = 65536 / Float(end - start)
        let (stepR, stepG, stepB) = (
            Int32((right.red - left.red) * scale), Int32((right.green - left.green) * scale),
            Int32((right.blue - left.blue) * scale)
        )
        var r = Int32(left.red * 65536) + 32768
        var g = Int32(left.green * 65536) + 32768
        var b = Int32(left.blue * 65536) + 32768
        let row = unsafe pixels + y * width
        var x = start
        while x < end {
            unsafe row[x] = UInt32(truncatingIfNeeded: r >> 16 | (g >> 8) & 0xFF00 | b & 0xFF_0000) | 0xFF00_0000
            r &+= stepR
            g &+= stepG
            b &+= stepB
            x += 1
        }
    }

    /// Copies a row to another, shifted sideways and tinted, to paint a reflection in water.
    mutating func reflect(row source: Int, in target: Int, shift: Int, tint: UInt32, strength: Int) {
        guard source >= 0, source < height, target >= 0, target < height, source != target else { return }
        let from = unsafe pixels + source * width
        let to = unsafe pixels + target * width
        let weight = UInt32(max(0, min(256, strength)))
        var x = 0
        while x < width {
            unsafe to[x] = Self.mix(from[min(max(x + shift, 0), width - 1)], tint, weight)
            x += 1
        }
    }

    /// Scales the alpha of part of a row; `strength` is 0 to 256.
    mutating func fade(row y: Int, from left: Int, to right: Int, strength: Int) {
        guard y >= 0, y < height, strength < 256 else { return }
        let row = unsafe pixels + y * width
        var x = max(0, left)
        while x < min(width, right) {
            let alpha = unsafe (Int(row[x] >> 24) * max(0, strength)) >> 8
            unsafe row[x] = row[x] & 0x00FF_FFFF | UInt32(alpha) << 24
            x += 1
        }
    }

    /// Mixes two pixels, two channels at a time: `weight` 256 gives the colour, 0 the background.
    private static func mix(_ background: UInt32, _ color: UInt32, _ weight: UInt32) -> UInt32 {
        let rest = 256 &- weight
        let redBlue = ((background & 0x00FF_00FF) &* rest &+ (color & 0x00FF_00FF) &* weight) >> 8 & 0x00FF_00FF
        let greenAlpha = ((background >> 8 & 0x00FF_00FF) &* rest &+ (color >> 8 & 0x00FF_00FF) &* weight) & 0xFF00_FF00
        return redBlue | greenAlpha
    }
}

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

    mutating func ellipse(
        _ center: Point, _ radiusX: Float, _ radiusY: Float, _ color: UInt32, strength: Int = 256,
        columns: (left: Int, right: Int)? = nil
    ) {
        fill(Self.arc(center, radiusX, radiusY, from: 0, to: 1), color, strength: strength, columns: columns)
    }

    mutating func disc(_ center: Point, _ radius: Float, _ color: UInt32, strength: Int = 256) {
        ellipse(center, radius, radius, color, strength: strength)
    }

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
