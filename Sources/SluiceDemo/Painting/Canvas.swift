// SPDX-License-Identifier: MIT

/// A bitmap to paint on; all drawing is clipped to its bounds.
///
/// All loops over pixels are here. They use a plain pointer, so that painting is fast in debug
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
    /// The edge is in 256ths of a pixel for each column; `strength` is 0 to 256.
    mutating func fill(below edge: [Int32], _ colors: [UInt32], strength: Int = 256) {
        precondition(edge.count == width && colors.count == height, "an edge must span the canvas")
        guard let highest = edge.min(), let lowest = edge.max() else { return }
        let solid = (Int(lowest) + 255) >> 8
        for y in min(height, max(0, Int(highest) >> 8))..<height {
            if y >= solid {
                blend(row: y, from: 0, to: width, colors[y], strength: strength)
            } else {
                fill(row: y, below: edge, colors[y], strength: Int32(strength))
            }
        }
    }

    private mutating func fill(row y: Int, below edge: [Int32], _ color: UInt32, strength: Int32) {
        let row = unsafe pixels + y * width
        let bottom = Int32(y + 1) << 8
        unsafe edge.withUnsafeBufferPointer { edge in
            var x = 0
            while x < edge.count {
                unsafe Self.blend(color, on: &row[x], cover: bottom &- edge[x], strength)
                x += 1
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

    /// Fills a disc with a smooth edge; `strength` is 0 to 256.
    mutating func disc(_ center: Point, _ radius: Float, _ color: UInt32, strength: Int = 256) {
        let outer = radius + 0.5
        for y in stride(from: max(0, Int(center.y - outer)), to: min(height, Int(center.y + outer) + 1), by: 1) {
            let dy = Float(y) + 0.5 - center.y
            let reach = max(0, outer * outer - dy * dy).squareRoot()
            let solid = max(0, max(0, radius - 0.5) * max(0, radius - 0.5) - dy * dy).squareRoot()
            let (start, end) = (Int(center.x - solid) + 1, Int(center.x + solid))
            blend(row: y, from: start, to: end, color, strength: strength)
            for x in Int(center.x - reach)...Int(center.x + reach) where x < start || x >= end {
                let dx = Float(x) + 0.5 - center.x
                let cover = max(0, min(1, outer - (dx * dx + dy * dy).squareRoot()))
                blend(row: y, from: x, to: x + 1, color, strength: Int(cover * Float(strength)))
            }
        }
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
                let alpha = ramp((dx * dx + dy * dy).squareRoot() - corner, soft, -soft)
                unsafe pixels[y * width + x] = pixels[y * width + x] & 0x00FF_FFFF | UInt32(alpha * 255) << 24
            }
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
struct Point: Sendable {
    var x: Float
    var y: Float
}
