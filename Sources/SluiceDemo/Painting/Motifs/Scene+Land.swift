// SPDX-License-Identifier: MIT

internal import SluiceOrigin

extension Scene {
    /// Paints dunes with winding crests, lit on one side and shaded on the other.
    mutating func dunes(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.56, sunHeight: 0.2...0.6, clouds: 0.3)
        let count = random.integer(in: 4...6)
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            dune(on: &canvas, base: 0.5 + 0.42 * depth * (0.5 + 0.5 * depth), depth: depth)
        }
    }

    /// Paints one dune; its shaded side lies between two points where the crest meets the skyline.
    private mutating func dune(on canvas: inout Canvas, base: Float, depth: Float) {
        let (noise, bend, phase, turns) = (Noise(&random), Noise(&random), random.fraction(), random.between(0.5, 1.1))
        let scale = Float(canvas.height) * 256
        let swing = 0.035 + 0.075 * depth
        func crest(_ u: Float) -> Float { base - swing * (wave(u * turns + phase) + 0.45 * noise(u * 3.1)) }
        let lit = lighting.far.mixed(lighting.near, depth * 0.4).mixed(lighting.sun, 0.16)
        let shade = lighting.far.mixed(lighting.near, 0.3 + depth * 0.6)
        let edge = Self.edge(canvas) { crest($0) * scale }
        canvas.fill(below: edge, Self.rows(canvas, lit, from: base - swing, lit.mixed(shade, 0.5), to: base + 0.3))
        for _ in 0..<random.integer(in: 1...2) {
            let (start, reach, drop) = (random.between(-0.2, 0.8), random.between(0.3, 0.7), random.between(0.05, 0.1))
            let (peak, deep) = (random.between(0.25, 0.75), drop * (0.6 + 1.6 * depth))
            let shadow = Self.edge(canvas) { u in
                let along = (u - start) / reach
                guard along > 0, along < 1 else { return crest(u) * scale }
                let rise = along < peak ? along / peak : (1 - along) / (1 - peak)
                let sag = rise * rise * (3 - 2 * rise) * deep * (1 + 0.3 * bend(u * 5))
                return crest(u) * scale + sag * scale
            }
            // The area between the skyline and the winding ridge is shaded.
            let rows = Self.rows(canvas, shade, from: base - swing, lit.mixed(shade, 0.75), to: base + 0.2)
            canvas.fill(below: edge, above: shadow, rows)
        }
    }

    /// Paints rows of pines that fade into mist.
    mutating func forest(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.7, sunHeight: 0.2...0.6)
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

    /// Paints rolling fields with furrows and single trees.
    mutating func hills(on canvas: inout Canvas) {
        sky(on: &canvas, horizon: 0.6, sunHeight: 0.2...0.65, clouds: 1)
        let greens = [Color(0x8FB56A), Color(0xC9B458), Color(0x6F9C76), Color(0xD98E4A), Color(0xA7A85C)]
        let count = random.integer(in: 4...5)
        let scale = Float(canvas.height) * 256
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let base = 0.56 + 0.36 * depth
            let (noise, phase) = (Noise(&random), random.fraction())
            let swing = 0.03 + 0.05 * depth
            let turns = random.between(0.45, 0.9)
            let edge = Self.edge(canvas) { u in
                (base - swing * (wave(u * turns + phase) + 0.5 * noise(u * 2.3))) * scale
            }
            let field = random.element(of: greens).mixed(lighting.near, 0.12 + 0.2 * depth).mixed(
                lighting.haze, 0.55 * (1 - depth))
            let deep = field.mixed(lighting.near, 0.5)
            canvas.fill(below: edge, Self.rows(canvas, field, from: base - swing, deep, to: base + 0.28))
            if random.happens(withProbability: 0.6) {
                for line in 1...7 {
                    let drop = Int32(Float(line * line) * 0.0042 * (0.5 + depth) * scale)
                    let furrow = edge.map { $0 + drop }
                    let color = line.isMultiple(of: 2) ? field : deep
                    let rows = Self.rows(canvas, color, from: base - swing, deep, to: base + 0.3)
                    canvas.fill(below: furrow, rows, strength: 90)
                }
            }
            if index > 0, index < count - 1 || count < 5 { trees(on: &canvas, along: edge, depth: depth) }
        }
    }

    private mutating func trees(on canvas: inout Canvas, along edge: [Int32], depth: Float) {
        for _ in 0..<random.integer(in: 1...5) {
            let column = random.integer(in: 0...999) * (edge.count - 1) / 999
            let size = canvas.side * (0.012 + 0.03 * depth) * random.between(0.7, 1.3)
            let foot = Point(Float(column), Float(edge[column]) / 256 + size * 0.25)
            let color = lighting.near.mixed(Color(0x3F6B46), 0.45).mixed(lighting.haze, 0.3 * (1 - depth))
            canvas.rectangle(Point(foot.x - size * 0.09, foot.y - size), size * 0.18, size, lighting.near.packed)
            canvas.ellipse(Point(foot.x, foot.y - size * 1.4), size * 0.72, size * 0.9, color.packed)
            let lit = color.mixed(lighting.sun, 0.2).packed
            canvas.ellipse(
                Point(foot.x - size * 0.18, foot.y - size * 1.55), size * 0.45, size * 0.6, lit, strength: 120)
        }
    }

    /// Returns the silhouette of `ground` with pines on it.
    mutating func pines(
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
}
