// SPDX-License-Identifier: MIT

internal import SluiceOrigin

extension Scene {
    /// Paints stars, the Milky Way, perhaps a moon, and a dark ridge with pines.
    mutating func night(on canvas: inout Canvas) {
        let (noise, dust) = (Noise(&random), Noise(&random))
        let slope = random.between(0.5, 1.1) * (random.happens(withProbability: 0.5) ? 1 : -1)
        let offset = random.between(0.25, 0.45)
        let aspect = Float(canvas.width) / Float(canvas.height)
        let lighting = lighting
        canvas.paint(columns: 96, rows: 72) { u, v in
            let away = (v - offset - (u - 0.5) * slope * 0.6) * 3.4
            let band = 1 / (1 + away * away * 5)
            let cloud = band * (0.55 + 0.45 * noise.fractal(u * 5 * aspect, v * 5, octaves: 4))
            let dark = ramp(dust.fractal(u * 4 * aspect, v * 4, octaves: 4), 0.05, 0.6) * band
            return lighting.sky(at: v).mixed(
                lighting.sun.mixed(lighting.sky[3], 0.55), max(0, cloud - dark * 0.5) * 0.5)
        }
        stars(on: &canvas, count: 700, horizon: 0.95)
        if random.happens(withProbability: 0.5) { moon(on: &canvas) }
        nightGround(on: &canvas)
    }

    /// Paints green polar lights over dark hills.
    mutating func aurora(on canvas: inout Canvas) {
        let (curve, rays, hue) = (Noise(&random), Noise(&random), Noise(&random))
        let lighting = lighting
        let lower = Color(0x4DF5A8)
        let upper = random.happens(withProbability: 0.5) ? Color(0x9B5CFF) : Color(0x3FC6E8)
        let (first, second) = (random.between(0.42, 0.55), random.between(0.3, 0.4))
        canvas.paint(columns: 180, rows: 60) { u, v in
            var color = lighting.sky(at: v)
            for (base, seed) in [(first, Float(0)), (second, 40)] {
                let foot = base + 0.16 * curve(u * 2.2 + seed) + 0.05 * curve(u * 6 + seed)
                let above = foot - v
                let ray = 0.5 + 0.5 * rays(u * 34 + seed)
                let tall = 0.2 + 0.22 * ray
                let glow = above > 0 ? ramp(above, tall, 0) : ramp(-above, 0.045, 0)
                let strength = glow * (0.3 + 0.5 * ray) * (0.75 + 0.25 * hue(u * 3 + seed))
                color = color.mixed(lower.mixed(upper, max(0, min(1, above / tall * 1.3))), strength * 0.85)
            }
            return color
        }
        stars(on: &canvas, count: 320, horizon: 0.8)
        nightGround(on: &canvas)
    }

    private mutating func nightGround(on canvas: inout Canvas) {
        let back = ridge(on: canvas, base: 0.96, height: 0.2, peaks: 1.4)
        canvas.fill(
            below: back, Self.rows(canvas, lighting.far.mixed(lighting.near, 0.35), from: 0.72, lighting.near, to: 1))
        let ground = ridge(on: canvas, base: 1.02, height: 0.12, peaks: 0.8, roughness: 0.4)
        let trees = pines(on: canvas, along: ground, count: 46, height: 0.06...0.17, clumps: true)
        canvas.fill(below: trees, Self.rows(canvas, lighting.near, from: 0, lighting.near.mixed(.black, 0.4), to: 1))
    }

    private mutating func moon(on canvas: inout Canvas) {
        let center = Point(
            random.between(0.2, 0.8) * Float(canvas.width), random.between(0.14, 0.34) * Float(canvas.height))
        let radius = canvas.side * random.between(0.04, 0.065)
        for ring in stride(from: Float(4), to: 1, by: -0.1) {
            canvas.disc(center, radius * ring, lighting.sun.packed, strength: 4)
        }
        canvas.disc(center, radius, lighting.sun.packed)
        for _ in 0..<7 {
            let (turn, away) = (random.fraction(), random.between(0.1, 0.62))
            let crater = Point(center.x + radius * away * wave(turn + 0.25), center.y + radius * away * wave(turn))
            canvas.disc(crater, radius * random.between(0.08, 0.22), lighting.sky[3].packed, strength: 50)
        }
    }

    /// Paints layers of towers with lit windows.
    mutating func city(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.85, sunHeight: 0.3...0.7)
        if lighting.isDark { stars(on: &canvas, count: 120, horizon: 0.5) }
        for layer in 0..<3 {
            let depth = Float(layer) / 2
            let color = lighting.far.mixed(lighting.near, 0.2 + 0.8 * depth)
            let lamp = lighting.isDark || random.happens(withProbability: 0.5) ? Color(0xFFD98A) : lighting.haze
            var x: Float = -0.05
            let unit = canvas.side / Float(canvas.width)
            while x < 1.05 {
                let wide = random.between(0.05, 0.13) * unit * (0.7 + 0.5 * depth)
                let hill = 0.75 + 0.25 * wave(x * 0.9 + depth * 0.37)
                let tall = random.between(0.14, 0.46) * hill * (1 - 0.35 * depth)
                tower(on: &canvas, x: x, wide: wide, top: 0.86 - tall + 0.1 * depth, color, lamp: lamp, depth: depth)
                x += wide * random.between(0.92, 1.3)
            }
        }
        canvas.fillBand(
            from: 0.965, Self.rows(canvas, lighting.near, from: 0.96, lighting.near.mixed(.black, 0.4), to: 1))
    }

    private mutating func tower(
        on canvas: inout Canvas, x: Float, wide: Float, top: Float, _ color: Color, lamp: Color, depth: Float
    ) {
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let (left, right) = (Int(x * width), Int((x + wide) * width))
        let first = Int(top * height)
        let haze = color.mixed(lighting.haze, 0.35 * (1 - depth) + 0.08)
        for y in max(0, first)..<canvas.height {
            canvas.fill(
                row: y, from: left, to: right, color.mixed(haze, min(1, (Float(y) / height - top) * 2.2)).packed)
        }
        let style = random.integer(in: 0...5)
        let middle = (x + wide / 2) * width
        let side = wide * width
        if style == 0 {
            canvas.rectangle(Point(middle - side * 0.02, top * height - side * 0.9), side * 0.04, side, color.packed)
        }
        if style == 1 {
            canvas.rectangle(
                Point(middle - side * 0.3, top * height - side * 0.22), side * 0.6, side * 0.3, color.packed)
        }
        if style == 2 {
            canvas.fill(
                [
                    Point(x * width, top * height), Point((x + wide) * width, top * height),
                    Point(middle, top * height - side * 0.6),
                ], color.packed)
        }
        let columns = random.integer(in: 3...5)
        let cell = side / Float(columns)
        for row in 0..<26 {
            let y = top * height + cell * (0.7 + Float(row) * 1.35)
            for column in 0..<columns where random.happens(withProbability: 0.34) {
                let corner = Point(x * width + cell * (Float(column) + 0.28), y)
                if y < height * 0.95 {
                    canvas.rectangle(corner, cell * 0.44, cell * 0.6, lamp.packed, strength: 90 + Int(depth * 130))
                }
            }
        }
    }

    /// Paints hot-air balloons over hills.
    mutating func balloons(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.8, sunHeight: 0.3...0.8, clouds: 0.9)
        for index in 0..<3 {
            let depth = Float(index) / 2
            let edge = ridge(on: canvas, base: 0.88 + 0.12 * depth, height: 0.14, peaks: 0.9 + depth, roughness: 0.42)
            let color = lighting.far.mixed(lighting.near, 0.1 + 0.75 * depth)
            canvas.fill(below: edge, Self.rows(canvas, color, from: 0.76, color.mixed(lighting.haze, 0.35), to: 1))
        }
        let count = random.integer(in: 3...6)
        for index in 0..<count {
            let slot = (Float(index) + random.between(0.25, 0.75)) / Float(count)
            let size = canvas.side * random.between(0.05, 0.125)
            let inks = Palettes.all[random.integer(in: 0...Palettes.all.count - 1)]
            balloon(
                on: &canvas, Point(slot * Float(canvas.width), random.between(0.16, 0.58) * Float(canvas.height)), size,
                inks)
        }
    }

    private func balloon(on canvas: inout Canvas, _ center: Point, _ size: Float, _ inks: [Color]) {
        let colors = [inks[1], inks[4], inks[2], inks[3]].map { $0.mixed(lighting.haze, 0.12) }
        for (index, part) in [Float(1), 0.74, 0.44, 0.15].enumerated() {
            let envelope =
                Canvas.arc(center, size * part, size, from: 0.5, to: 1)
                + Canvas.arc(center, size * part, size * 0.35, from: 0, to: 0.1)
                + [
                    Point(center.x + size * 0.14 * part, center.y + size * 1.22),
                    Point(center.x - size * 0.14 * part, center.y + size * 1.22),
                ]
                + Canvas.arc(center, size * part, size * 0.35, from: 0.4, to: 0.5)
            canvas.fill(envelope, colors[index].packed)
        }
        canvas.ellipse(
            Point(center.x - size * 0.32, center.y - size * 0.35), size * 0.3, size * 0.42, Color.white.packed,
            strength: 34)
        canvas.rectangle(
            Point(center.x - size * 0.13, center.y + size * 1.42), size * 0.26, size * 0.2, Color(0x5A3A28).packed)
        for offset in [Float(-0.12), 0.1] {
            canvas.rectangle(
                Point(center.x + size * offset, center.y + size * 1.2), size * 0.02, size * 0.24, Color(0x5A3A28).packed
            )
        }
    }
}
