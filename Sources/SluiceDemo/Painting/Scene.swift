// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// A picture's motif with its lighting and random numbers, independent of the size it is painted at.
///
/// Lengths are fractions of the canvas, and every size draws the same random numbers.
struct Scene {
    let motif: Motif
    let lighting: SceneLighting
    private var random: SeededRandom

    init(motif: Motif, number: Int) {
        // Consecutive pictures get different lightings: the step visits the whole list before it repeats.
        let index = Int(number.magnitude % 1_000_000)
        let lightings = motif == .paper ? SceneLighting.papers : SceneLighting.days
        self.motif = motif
        lighting = lightings[(index * 5 + index / lightings.count) % lightings.count]
        random = SeededRandom(seed: number, 0x5CE7E)
    }

    func paint(on canvas: inout Canvas) {
        var scene = self
        switch motif {
        case .mountains: scene.mountains(on: &canvas)
        case .lake: scene.lake(on: &canvas)
        case .forest: scene.forest(on: &canvas)
        case .paper: scene.paper(on: &canvas)
        }
    }

    /// Paints several ridges in depth, each with haze at its foot.
    private mutating func mountains(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.72)
        ridges(on: &canvas, count: random.integer(in: 4...6), from: random.between(0.52, 0.62), to: 1.02, size: 1)
    }

    /// Paints mountains reflected in still water, behind a bank with pines.
    private mutating func lake(on canvas: inout Canvas) {
        let shore = random.between(0.56, 0.68)
        sky(on: &canvas, horizon: shore)
        ridges(on: &canvas, count: random.integer(in: 3...4), from: shore * 0.86, to: shore * 1.06, size: shore)
        water(on: &canvas, shore: shore)
        let bank = ridge(on: canvas, base: 1.06, height: 0.1, peaks: 1.2, roughness: 0.45)
        let pines = pines(on: canvas, along: bank, count: 26, height: 0.05...0.15, clumps: true)
        canvas.fill(below: pines, Self.rows(canvas, lighting.near, from: 0.8, lighting.near.mixed(.black, 0.35), to: 1))
    }

    /// Paints rows of pines that fade into mist.
    private mutating func forest(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.7)
        let count = random.integer(in: 4...5)
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let base = 0.5 + 0.52 * depth
            let ground = ridge(on: canvas, base: base, height: 0.16, peaks: 0.8, roughness: 0.35)
            let size = 0.05 + 0.24 * depth * depth
            let trees = pines(on: canvas, along: ground, count: Int(110 - 80 * depth), height: size * 0.6...size * 1.25)
            let color = lighting.far.mixed(lighting.near, 0.15 + 0.85 * depth)
            let foot = color.mixed(lighting.haze, 0.62 - 0.45 * depth)
            canvas.fill(below: trees, Self.rows(canvas, color, from: base - size, foot, to: base + 0.14))
        }
    }

    /// Paints waves of cut paper, each with a shadow on the previous one.
    private mutating func paper(on canvas: inout Canvas) {
        let inks = lighting.sky
        canvas.paint(columns: 2, rows: 8) { _, v in inks[3].mixed(inks[2], v * 0.35) }
        let sun = Point(
            x: random.between(0.25, 0.75) * Float(canvas.width), y: random.between(0.18, 0.3) * Float(canvas.height))
        canvas.disc(sun, canvas.side * random.between(0.09, 0.14), lighting.sun.mixed(inks[3], 0.2).packed)
        let count = random.integer(in: 5...7)
        let scale = Float(canvas.height) * 256
        let shadow = Self.rows(canvas, .black, from: 0, .black, to: 1)
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let (phase, turns, other) = (random.fraction(), random.between(0.6, 1.4), random.fraction())
            let edge = Self.edge(canvas) { u in
                (0.34 + 0.56 * depth - 0.05 * wave(u * turns + phase) - 0.022 * wave(u * turns * 2.3 + other)) * scale
            }
            for step in 1...6 {
                canvas.fill(below: edge.map { $0 - Int32(Float(step) * 0.0035 * scale) }, shadow, strength: 9)
            }
            let color = [lighting.far, lighting.near, inks[0], inks[2]][index % 4].mixed(lighting.near, depth * 0.3)
            let top = 0.3 + 0.56 * depth
            canvas.fill(
                below: edge,
                Self.rows(canvas, color.mixed(.white, 0.1), from: top, color.mixed(.black, 0.1), to: top + 0.3))
        }
    }

    /// Paints the sky down to `horizon`, with thin clouds, the sun and its glow; with stars, if it is dark.
    private mutating func sky(on canvas: inout Canvas, horizon: Float) {
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let sun = Point(x: random.between(0.18, 0.82), y: horizon * random.between(0.25, 0.66))
        let (noise, cloudiness) = (Noise(&random), random.fraction() * (lighting.isDark ? 0.3 : 0.7))
        let lighting = lighting
        canvas.paint(columns: 72, rows: 56) { u, v in
            let (dx, dy) = ((u - sun.x) * width / height, v - sun.y)
            let near = 1 / (1 + 16 * (dx * dx + dy * dy))
            let color = lighting.sky(at: v / horizon).mixed(lighting.sun, near * near * 0.55)
            let cloud = noise.fractal(u * width / height * 1.6, v * 7, octaves: 4)
            let veil = ramp(cloud, 0.02, 0.75) * cloudiness * ramp(v, horizon * 1.05, horizon * 0.25)
            return color.mixed(Color.white.mixed(lighting.haze, 0.35), veil)
        }
        for _ in 0..<(lighting.isDark ? 260 : 0) {
            let position = Point(x: random.fraction() * width, y: random.fraction() * horizon * height)
            let size = canvas.side * (0.0006 + 0.0016 * random.fraction() * random.fraction())
            canvas.disc(position, max(size, 0.55), Color.white.packed, strength: random.integer(in: 70...240))
        }
        let radius = (height * canvas.side).squareRoot() * random.between(0.028, 0.05)
        let center = Point(x: sun.x * width, y: sun.y * height)
        canvas.disc(center, radius * 1.25, lighting.sun.packed, strength: 60)
        canvas.disc(center, radius, lighting.sun.mixed(.white, 0.3).packed)
    }

    /// Paints ridges from far to near, with colours from the haze to the nearest ridge.
    private mutating func ridges(on canvas: inout Canvas, count: Int, from: Float, to: Float, size: Float) {
        let (style, peaks) = (random.between(0.42, 0.56), random.between(0.9, 1.7))
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let base = from + (to - from) * depth * (0.55 + 0.45 * depth)
            let height = (0.30 - 0.14 * depth) * random.between(0.8, 1.25) * size
            let edge = ridge(on: canvas, base: base, height: height, peaks: peaks * (1 + 0.7 * depth), roughness: style)
            let color = lighting.far.mixed(lighting.near, depth * (0.6 + 0.4 * depth))
            let foot = color.mixed(lighting.haze, 0.5 * (1 - depth) + 0.12)
            canvas.fill(below: edge, Self.rows(canvas, color, from: base - height * 0.7, foot, to: base + 0.1))
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
        // The shore, and a few streaks of light.
        let streaks = (0..<14).map { _ in
            (
                y: shore + (1 - shore) * random.fraction() * random.fraction(), x: random.between(-0.1, 1),
                length: random.between(0.05, 0.35)
            )
        }
        for (y, x, length) in [(shore, 0, 1)] + streaks {
            let (left, right) = (Int(x * Float(canvas.width)), Int((x + length) * Float(canvas.width)))
            for row in 0..<max(1, Int(canvas.side * 0.0016)) {
                canvas.blend(row: Int(y * height) + row, from: left, to: right, lighting.haze.packed, strength: 64)
            }
        }
    }

    /// Returns a ridge's edge for each column.
    ///
    /// `base` and `height` are fractions of the canvas's height; `peaks` is relative to its width.
    private mutating func ridge(
        on canvas: borrowing Canvas, base: Float, height: Float, peaks: Float, roughness: Float
    ) -> [Int32] {
        let noise = Noise(&random)
        let (scale, aspect) = (Float(canvas.height) * 256, Float(canvas.width) / Float(canvas.height))
        return Self.edge(canvas) { u in
            (base - height * (0.5 + 0.5 * noise.fractal(u * peaks * aspect, octaves: 7, roughness: roughness))) * scale
        }
    }

    /// Returns the silhouette of `ground` with pines on it.
    private mutating func pines(
        on canvas: borrowing Canvas, along ground: [Int32], count: Int, height: ClosedRange<Float>, clumps: Bool = false
    ) -> [Int32] {
        var edge = ground
        let scale = Float(canvas.height)
        let clump = Noise(&random)
        for _ in 0..<count {
            let u = random.between(-0.02, 1.02)
            let tall = random.between(height.lowerBound, height.upperBound) * scale
            let lean = random.between(0.13, 0.2)
            let tiers = Float(random.integer(in: 6...9))
            if clumps, clump(u * 5) < 0.05 { continue }
            let center = u * Float(canvas.width)
            let root = Float(ground[max(0, min(ground.count - 1, Int(center)))]) / 256 + tall * 0.06
            let reach = Int(tall * lean) + 1
            for x in (Int(center) - reach...Int(center) + reach).clamped(to: 0...canvas.width - 1) {
                let aside = abs(Float(x) + 0.5 - center) / (tall * lean)
                // A sawtooth over the outline makes the branches hang.
                let tier = aside * tiers
                let saw = (tier - tier.rounded(.down)) * 0.75 / tiers
                let top = (root - tall * max(0, 1 - aside + saw * ramp(aside, 0, 0.2) - 0.1 * aside)) * 256
                if aside < 1 { edge[x] = min(edge[x], Int32(top)) }
            }
        }
        return edge
    }

    /// Returns an edge for each column; `height` maps the column as a fraction to 256ths of a pixel.
    private static func edge(_ canvas: borrowing Canvas, _ height: (Float) -> Float) -> [Int32] {
        let width = canvas.width
        return (0..<width).map { x in Int32(max(-1e8, min(1e8, height((Float(x) + 0.5) / Float(width))))) }
    }

    /// Returns a colour for each row: a gradient from `top` at `start` to `bottom` at `end`, as fractions of the
    /// height.
    private static func rows(
        _ canvas: borrowing Canvas, _ top: Color, from start: Float, _ bottom: Color, to end: Float
    )
        -> [UInt32]
    {
        let height = Float(canvas.height)
        let span = max(end - start, 0.001)
        return (0..<canvas.height).map { y in
            top.mixed(bottom, max(0, min(1, ((Float(y) + 0.5) / height - start) / span))).packed
        }
    }
}
