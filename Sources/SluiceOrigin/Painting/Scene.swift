// SPDX-License-Identifier: MIT

/// One picture's motif with its light, its palette and its chances, at whatever size it is then painted.
///
/// Nothing in it depends on the size: lengths are fractions of the canvas, and the dice fall alike for every size.
struct Scene {
    let motif: Motif
    let light: Light
    let palette: [Color]
    var dice: Dice

    init(motif: Motif, number: Int) {
        var dice = Dice(seed: number, 0x5CE7E)
        // Neighbours get different lights: the step goes through the whole list before it comes back.
        let place = Int(number.magnitude % 1_000_000)
        let turn = place * 5 + place / 12
        self.motif = motif
        switch motif {
        case .night, .aurora: light = Light.nights[turn % Light.nights.count]
        case .dunes: light = Light.deserts[turn / 3 % Light.deserts.count]
        default: light = Light.days[turn % Light.days.count]
        }
        let palette = Palettes.all[(place * 3 + place / 14) % Palettes.all.count]
        self.palette = palette
        _ = dice.next()
        self.dice = dice
    }

    /// Paints the motif.
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
    /// - Returns: the sun's place as fractions of the canvas.
    @discardableResult
    mutating func sky(on canvas: inout Canvas, horizon: Float, sunHeight: ClosedRange<Float>, clouds: Float = 0.5)
        -> Point
    {
        let sun = Point(dice.between(0.18, 0.82), horizon * dice.between(sunHeight.lowerBound, sunHeight.upperBound))
        let aspect = Float(canvas.width) / Float(canvas.height)
        let noise = Noise(&dice)
        let cloudiness = dice.unit() * clouds * (light.isDark ? 0.4 : 1)
        let light = light
        canvas.paint(columns: 72, rows: 56) { u, v in
            var color = light.sky(at: v / horizon)
            let (dx, dy) = ((u - sun.x) * aspect, v - sun.y)
            let near = 1 / (1 + 16 * (dx * dx + dy * dy))
            color = color.mixed(light.sun, near * near * 0.55)
            let cloud = noise.fractal(u * aspect * 1.6, v * 7, octaves: 4)
            let veil = ramp(cloud, 0.02, 0.75) * cloudiness * ramp(v, horizon * 1.05, horizon * 0.25)
            return color.mixed(Color.white.mixed(light.haze, 0.35), veil)
        }
        let radius = Float(canvas.height).squareRoot() * canvas.side.squareRoot() * dice.between(0.028, 0.05)
        let center = Point(sun.x * Float(canvas.width), sun.y * Float(canvas.height))
        canvas.disc(center, radius * 1.25, light.sun.packed, strength: 60)
        canvas.disc(center, radius, light.sun.mixed(.white, 0.3).packed)
        return sun
    }

    /// A ridge's edge for each column: `base` and `height` are fractions of the canvas's height, `peaks` of its width.
    mutating func ridge(
        on canvas: borrowing Canvas, base: Float, height: Float, peaks: Float, roughness: Float = 0.5, octaves: Int = 6
    ) -> [Int32] {
        let noise = Noise(&dice)
        let scale = Float(canvas.height) * 256
        let aspect = Float(canvas.width) / Float(canvas.height)
        return Self.edge(canvas) { u in
            (base - height * (0.5 + 0.5 * noise.fractal(u * peaks * aspect, octaves: octaves, roughness: roughness)))
                * scale
        }
    }

    /// An edge for each column; `place` is given the column as a fraction and gives 256ths of a pixel.
    static func edge(_ canvas: borrowing Canvas, _ place: (Float) -> Float) -> [Int32] {
        let width = canvas.width
        return (0..<width).map { x in Int32(max(-1e8, min(1e8, place((Float(x) + 0.5) / Float(width))))) }
    }

    /// A colour for each row: `top` down to `start`, `bottom` from `end` on, both as fractions of the height.
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
            let place = Point(dice.unit() * Float(canvas.width), dice.unit() * horizon * Float(canvas.height))
            let size = canvas.side * (0.0006 + 0.0016 * dice.unit() * dice.unit())
            let strength = dice.whole(70...240)
            let color = Color.white.mixed(dice.falls(0.3) ? Color(0xFFD9B0) : Color(0xBFD4FF), dice.unit() * 0.7)
            canvas.disc(place, max(size, 0.55), color.packed, strength: strength)
        }
    }
}
