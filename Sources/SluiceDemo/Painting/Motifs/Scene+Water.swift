// SPDX-License-Identifier: MIT

internal import SluiceOrigin

extension Scene {
    /// Paints the open sea with the sun's reflection, one or two islands, and perhaps a sail.
    mutating func sea(on canvas: inout Canvas) {
        let horizon = random.between(0.5, 0.64)
        let sun = sky(on: &canvas, horizon: horizon, sunHeight: 0.5...0.88, clouds: 0.9)
        if lighting.isDark { stars(on: &canvas, count: 140, horizon: horizon * 0.6) }
        let deep = lighting.near.mixed(lighting.sky[0], 0.55)
        let shallow = lighting.haze.mixed(lighting.sky[1], 0.55)
        canvas.fillBand(from: horizon, Self.rows(canvas, shallow, from: horizon, deep, to: 1))
        glitter(on: &canvas, horizon: horizon, sun: sun)
        for index in 0..<random.integer(in: 1...2) { island(on: &canvas, horizon: horizon, isNear: index > 0) }
        if random.happens(withProbability: 0.6) { sail(on: &canvas, horizon: horizon) }
        if random.happens(withProbability: 0.4) { birds(on: &canvas) }
    }

    /// Paints short strokes of light, wider and sparser towards the viewer.
    private mutating func glitter(on canvas: inout Canvas, horizon: Float, sun: Point) {
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        for _ in 0..<420 {
            let depth = random.fraction()
            let y = horizon + (1 - horizon) * depth * depth
            let spread = 0.03 + 0.22 * depth
            let x = sun.x + (random.fraction() + random.fraction() - 1) * spread
            let length = canvas.side * random.between(0.006, 0.02 + 0.06 * depth)
            let thick = max(0.8, canvas.side * (0.001 + 0.003 * depth))
            let strength = Int(150 * (1 - depth * 0.75))
            canvas.rectangle(
                Point(x * width - length / 2, y * height), length, thick, lighting.sun.packed, strength: strength)
        }
        for _ in 0..<90 {
            let depth = random.fraction()
            let y = horizon + (1 - horizon) * depth
            let corner = Point(random.between(-0.1, 1) * width, y * height)
            let length = width * random.between(0.03, 0.1 + 0.2 * depth)
            let color = random.happens(withProbability: 0.5) ? lighting.near : lighting.haze
            canvas.rectangle(corner, length, max(0.8, canvas.side * 0.002 * (0.4 + depth)), color.packed, strength: 22)
        }
    }

    private mutating func island(on canvas: inout Canvas, horizon: Float, isNear: Bool) {
        let noise = Noise(&random)
        let scale = Float(canvas.height) * 256
        let center = random.between(0.1, 0.9)
        let reach = random.between(0.12, 0.3)
        let height = random.between(0.05, 0.13)
        let foot = horizon + (isNear ? 0.012 : 0.002)
        let edge = Self.edge(canvas) { u in
            let hill = max(0, 1 - (u - center) * (u - center) / (reach * reach))
            return (foot + 0.01 - hill * (height + 0.05 * noise.fractal(u * 9, octaves: 5, roughness: 0.5))) * scale
        }
        let color = lighting.far.mixed(lighting.near, isNear ? 0.7 : 0.35)
        let shore = [Int32](repeating: Int32(foot * scale), count: edge.count)
        canvas.fill(
            below: edge, above: shore, Self.rows(canvas, color, from: 0, color.mixed(lighting.haze, 0.3), to: foot))
    }

    private mutating func sail(on canvas: inout Canvas, horizon: Float) {
        let size = canvas.side * random.between(0.04, 0.085)
        let x = random.between(0.15, 0.85) * Float(canvas.width)
        let y = (horizon + random.between(0.03, 0.14)) * Float(canvas.height)
        let cloth = Color.white.mixed(lighting.haze, 0.3)
        canvas.fill(
            [Point(x, y - size), Point(x + size * 0.48, y - size * 0.1), Point(x, y - size * 0.1)], cloth.packed)
        let jib = [
            Point(x - size * 0.05, y - size * 0.85), Point(x - size * 0.05, y - size * 0.1),
            Point(x - size * 0.34, y - size * 0.1),
        ]
        canvas.fill(jib, cloth.mixed(lighting.far, 0.35).packed)
        let hull = [
            Point(x - size * 0.42, y - size * 0.06), Point(x + size * 0.55, y - size * 0.06),
            Point(x + size * 0.38, y + size * 0.08),
            Point(x - size * 0.3, y + size * 0.08),
        ]
        canvas.fill(hull, lighting.near.packed)
        for index in 0..<7 {
            let width = size * random.between(0.2, 0.5)
            let line = y + size * (0.14 + 0.11 * Float(index))
            canvas.rectangle(Point(x - width / 2, line), width, size * 0.03, cloth.packed, strength: 110 - index * 12)
        }
    }
}
