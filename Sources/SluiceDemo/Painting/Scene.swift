// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// A picture's motif with its lighting, palette and random numbers, independent of the size it is painted at.
///
/// Lengths are fractions of the canvas, and every size draws the same random numbers.
struct Scene {
    let motif: Motif
    let lighting: SceneLighting
    let palette: [Color]
    var random: SeededRandom

    init(motif: Motif, number: Int) {
        var random = SeededRandom(seed: number, 0x5CE7E)
        // Consecutive pictures get different lightings: the step visits the whole list before it repeats.
        let index = Int(number.magnitude % 1_000_000)
        let step = index * 5 + index / 12
        self.motif = motif
        switch motif {
        case .night, .aurora: lighting = SceneLighting.nights[step % SceneLighting.nights.count]
        case .dunes: lighting = SceneLighting.deserts[step / 3 % SceneLighting.deserts.count]
        default: lighting = SceneLighting.days[step % SceneLighting.days.count]
        }
        let palette = Palettes.all[(index * 3 + index / 14) % Palettes.all.count]
        self.palette = palette
        _ = random.next()
        self.random = random
    }

    func paint(on canvas: inout Canvas) {
        var scene = self
        switch motif {
        case .mountains: scene.mountains(on: &canvas)
        case .lake: scene.lake(on: &canvas)
        case .sea: scene.sea(on: &canvas)
        case .dunes: scene.dunes(on: &canvas)
        case .forest: scene.forest(on: &canvas)
        case .night: scene.night(on: &canvas)
        case .aurora: scene.aurora(on: &canvas)
        case .city: scene.city(on: &canvas)
        case .hills: scene.hills(on: &canvas)
        case .balloons: scene.balloons(on: &canvas)
        case .veil: scene.veil(on: &canvas)
        case .waves: scene.waves(on: &canvas)
        case .arches: scene.arches(on: &canvas)
        case .mosaic: scene.mosaic(on: &canvas)
        case .facets: scene.facets(on: &canvas)
        case .orbs: scene.orbs(on: &canvas)
        }
    }

    /// Paints the sky down to `horizon`, with the sun's glow, thin clouds and the sun itself.
    ///
    /// - Returns: the sun's position as fractions of the canvas.
    @discardableResult
    mutating func sky(on canvas: inout Canvas, horizon: Float, sunHeight: ClosedRange<Float>, clouds: Float = 0.5)
        -> Point
    {
        let sun = Point(
            random.between(0.18, 0.82), horizon * random.between(sunHeight.lowerBound, sunHeight.upperBound))
        let aspect = Float(canvas.width) / Float(canvas.height)
        let noise = Noise(&random)
        let cloudiness = random.fraction() * clouds * (lighting.isDark ? 0.4 : 1)
        let lighting = lighting
        canvas.paint(columns: 72, rows: 56) { u, v in
            var color = lighting.sky(at: v / horizon)
            let (dx, dy) = ((u - sun.x) * aspect, v - sun.y)
            let near = 1 / (1 + 16 * (dx * dx + dy * dy))
            color = color.mixed(lighting.sun, near * near * 0.55)
            let cloud = noise.fractal(u * aspect * 1.6, v * 7, octaves: 4)
            let veil = ramp(cloud, 0.02, 0.75) * cloudiness * ramp(v, horizon * 1.05, horizon * 0.25)
            return color.mixed(Color.white.mixed(lighting.haze, 0.35), veil)
        }
        let radius = Float(canvas.height).squareRoot() * canvas.side.squareRoot() * random.between(0.028, 0.05)
        let center = Point(sun.x * Float(canvas.width), sun.y * Float(canvas.height))
        canvas.disc(center, radius * 1.25, lighting.sun.packed, strength: 60)
        canvas.disc(center, radius, lighting.sun.mixed(.white, 0.3).packed)
        return sun
    }

    /// Returns a ridge's edge for each column.
    ///
    /// `base` and `height` are fractions of the canvas's height; `peaks` is relative to its width.
    mutating func ridge(
        on canvas: borrowing Canvas, base: Float, height: Float, peaks: Float, roughness: Float = 0.5, octaves: Int = 6
    ) -> [Int32] {
        let noise = Noise(&random)
        let scale = Float(canvas.height) * 256
        let aspect = Float(canvas.width) / Float(canvas.height)
        return Self.edge(canvas) { u in
            (base - height * (0.5 + 0.5 * noise.fractal(u * peaks * aspect, octaves: octaves, roughness: roughness)))
                * scale
        }
    }

    /// Returns an edge for each column; `height` maps the column as a fraction to 256ths of a pixel.
    static func edge(_ canvas: borrowing Canvas, _ height: (Float) -> Float) -> [Int32] {
        let width = canvas.width
        return (0..<width).map { x in Int32(max(-1e8, min(1e8, height((Float(x) + 0.5) / Float(width))))) }
    }

    /// Returns a colour for each row: a gradient from `top` at `start` to `bottom` at `end`, as fractions of the
    /// height.
    static func rows(_ canvas: borrowing Canvas, _ top: Color, from start: Float, _ bottom: Color, to end: Float)
        -> [UInt32]
    {
        let height = Float(canvas.height)
        let span = max(end - start, 0.001)
        return (0..<canvas.height).map { y in
            top.mixed(bottom, max(0, min(1, ((Float(y) + 0.5) / height - start) / span))).packed
        }
    }

    /// Scatters stars over the sky above `horizon`.
    mutating func stars(on canvas: inout Canvas, count: Int, horizon: Float) {
        for _ in 0..<count {
            let position = Point(
                random.fraction() * Float(canvas.width), random.fraction() * horizon * Float(canvas.height))
            let size = canvas.side * (0.0006 + 0.0016 * random.fraction() * random.fraction())
            let strength = random.integer(in: 70...240)
            let color = Color.white.mixed(
                random.happens(withProbability: 0.3) ? Color(0xFFD9B0) : Color(0xBFD4FF), random.fraction() * 0.7)
            canvas.disc(position, max(size, 0.55), color.packed, strength: strength)
        }
    }
}
