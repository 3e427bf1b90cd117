// SPDX-License-Identifier: MIT

internal import SluiceOrigin

extension Scene {
    /// Paints several ridges in depth, each with haze at its foot.
    mutating func mountains(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.72, sunHeight: 0.25...0.72)
        if lighting.isDark { stars(on: &canvas, count: 160, horizon: 0.5) }
        ridges(on: &canvas, count: random.integer(in: 4...6), from: random.between(0.52, 0.62), to: 1.02)
        if random.happens(withProbability: 0.5) { birds(on: &canvas) }
    }

    /// Paints mountains reflected in still water.
    mutating func lake(on canvas: inout Canvas) {
        let shore = random.between(0.56, 0.68)
        sky(on: &canvas, horizon: shore, sunHeight: 0.25...0.62)
        if lighting.isDark { stars(on: &canvas, count: 160, horizon: shore * 0.7) }
        ridges(on: &canvas, count: random.integer(in: 3...4), from: shore * 0.86, to: shore * 1.06, shore: shore)
        water(on: &canvas, shore: shore)
        let bank = ridge(on: canvas, base: 1.06, height: 0.1, peaks: 1.2, roughness: 0.45)
        let pines = self.pines(on: canvas, along: bank, count: 26, height: 0.05...0.15, clumps: true)
        canvas.fill(below: pines, Self.rows(canvas, lighting.near, from: 0.8, lighting.near.mixed(.black, 0.35), to: 1))
    }

    /// Paints ridges from far to near, with colours from the haze to the nearest ridge.
    private mutating func ridges(on canvas: inout Canvas, count: Int, from: Float, to: Float, shore: Float? = nil) {
        let style = random.between(0.42, 0.56)
        let peaks = random.between(0.9, 1.7)
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let base = from + (to - from) * depth * (0.55 + 0.45 * depth)
            let height = (0.30 - 0.14 * depth) * random.between(0.8, 1.25) * (shore ?? 1)
            let edge = ridge(
                on: canvas, base: base, height: height, peaks: peaks * (1 + 0.7 * depth), roughness: style, octaves: 7)
            let color = lighting.far.mixed(lighting.near, depth * (0.6 + 0.4 * depth))
            let foot = color.mixed(lighting.haze, 0.5 * (1 - depth) + 0.12)
            canvas.fill(below: edge, Self.rows(canvas, color, from: base - height * 0.7, foot, to: base + 0.1))
        }
        if let shore {
            canvas.fillBand(from: shore, Self.rows(canvas, lighting.far, from: shore, lighting.near, to: 1))
        }
    }

    /// Paints the mirrored upper half, darker and broken by small waves.
    private mutating func water(on canvas: inout Canvas, shore: Float) {
        let noise = Noise(&random)
        let height = Float(canvas.height)
        let first = Int(shore * height)
        let tint = lighting.near.mixed(lighting.sky(at: 0.3), 0.55).packed
        for y in first..<canvas.height {
            let depth = (Float(y) - Float(first)) / height
            let ripple = noise(Float(y) / height * 140 / (1 + depth * 4)) * canvas.side * (0.001 + 0.012 * depth)
            let source = first - 1 - Int(Float(y - first) * 1.05)
            canvas.reflect(row: max(0, source), in: y, shift: Int(ripple), tint: tint, strength: 40 + Int(depth * 260))
        }
        for _ in 0..<14 {
            let y = shore + (1 - shore) * random.fraction() * random.fraction()
            let length = random.between(0.05, 0.35)
            let x = random.between(-0.1, 1)
            let thick = max(1, canvas.side * 0.0012)
            let corner = Point(x * Float(canvas.width), y * height)
            canvas.rectangle(corner, length * Float(canvas.width), thick, lighting.haze.packed, strength: 56)
        }
        canvas.rectangle(
            Point(0, Float(first)), Float(canvas.width), max(1, height * 0.002), lighting.haze.packed, strength: 120)
    }

    /// Paints a few distant birds.
    mutating func birds(on canvas: inout Canvas) {
        let flock = Point(random.between(0.2, 0.7), random.between(0.12, 0.34))
        let color = lighting.near.mixed(lighting.far, 0.25).packed
        for _ in 0..<random.integer(in: 3...7) {
            let size = canvas.side * random.between(0.008, 0.016)
            let x = (flock.x + random.between(-0.09, 0.09)) * Float(canvas.width)
            let y = (flock.y + random.between(-0.05, 0.05)) * Float(canvas.height)
            let lift = size * random.between(0.25, 0.6)
            for side in [Float(-1), 1] {
                let wing = [
                    Point(x, y), Point(x + side * size * 0.5, y - lift), Point(x + side * size, y - lift * 0.6),
                    Point(x + side * size * 0.5, y - lift * 0.55),
                ]
                canvas.fill(wing, color)
            }
        }
    }
}
