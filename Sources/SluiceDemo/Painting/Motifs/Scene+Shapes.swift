// SPDX-License-Identifier: MIT

internal import SluiceOrigin

extension Scene {
    /// Paints soft, blurred bands of colour.
    mutating func veil(on canvas: inout Canvas) {
        let inks = palette
        let (bend, fold) = (Noise(&random), Noise(&random))
        let tilt = random.between(-0.6, 0.6)
        let order = [inks[random.integer(in: 1...2)], inks[4], inks[0], inks[3], inks[random.integer(in: 1...2)]]
        canvas.paint(columns: 96, rows: 96) { u, v in
            let warp = 0.34 * bend.fractal(u * 1.3, v * 1.3, octaves: 2)
            let position = max(0, min(0.9999, v + tilt * (u - 0.5) + warp)) * 4
            let index = Int(position)
            let color = order[index].mixed(order[index + 1], ramp(position - Float(index), 0, 1))
            let shine = fold(u * 2.4 + warp * 3, v * 2.4)
            return shine > 0 ? color.mixed(.white, shine * 0.22) : color.mixed(inks[2], -shine * 0.2)
        }
    }

    /// Paints waves of cut paper, each with a shadow on the previous one.
    mutating func waves(on canvas: inout Canvas) {
        let inks = palette
        canvas.paint(columns: 2, rows: 8) { _, v in inks[0].mixed(inks[4], v * 0.35) }
        let sun = Point(
            random.between(0.25, 0.75) * Float(canvas.width), random.between(0.18, 0.3) * Float(canvas.height))
        canvas.disc(sun, canvas.side * random.between(0.09, 0.14), inks[4].mixed(inks[0], 0.2).packed)
        let count = 6
        let scale = Float(canvas.height) * 256
        for index in 0..<count {
            let depth = Float(index) / Float(count - 1)
            let (phase, turns, other) = (random.fraction(), random.between(0.6, 1.4), random.fraction())
            let edge = Self.edge(canvas) { u in
                (0.34 + 0.56 * depth - 0.05 * wave(u * turns + phase) - 0.022 * wave(u * turns * 2.3 + other)) * scale
            }
            let from = inks[1 + index % 4]
            let color = from.mixed(inks[2], depth * 0.3)
            let shadow = Self.rows(canvas, .black, from: 0, .black, to: 1)
            for step in 1...6 {
                let lift = Int32(Float(step) * 0.0035 * scale)
                canvas.fill(below: edge.map { $0 - lift }, above: edge, shadow, strength: 9)
            }
            let top = 0.3 + 0.56 * depth
            canvas.fill(
                below: edge,
                Self.rows(canvas, color.mixed(.white, 0.1), from: top, color.mixed(.black, 0.1), to: top + 0.3))
        }
    }

    /// Paints nested arches, as on old tiles.
    mutating func arches(on canvas: inout Canvas) {
        let inks = palette
        canvas.paint(columns: 2, rows: 4) { _, v in inks[0].mixed(inks[3], 0.12 * v) }
        let columns = max(2, Int((Float(canvas.width) / canvas.side * 3).rounded()))
        let size = Float(canvas.width) / Float(columns)
        let rows = Int(Float(canvas.height) / (size * 0.5)) + 2
        for row in 0...rows {
            let shift: Float = row.isMultiple(of: 2) ? 0 : 0.5
            for column in -1...columns {
                let center = Point((Float(column) + 0.5 + shift) * size, (Float(row) * 0.5) * size)
                let start = random.integer(in: 0...3)
                for ring in 0..<5 {
                    let color = ring == 4 ? inks[0] : inks[1 + (start + ring) % 4]
                    let radius = size * (0.5 - 0.098 * Float(ring))
                    canvas.disc(center, radius, color.packed)
                    canvas.disc(center, radius - size * 0.086, inks[0].packed)
                }
            }
        }
    }

    /// Paints quarter, half and full discs on a grid.
    mutating func mosaic(on canvas: inout Canvas) {
        let inks = palette
        canvas.paint(columns: 1, rows: 1) { _, _ in inks[0] }
        let cell = canvas.side / Float(random.integer(in: 4...6))
        let columns = Int((Float(canvas.width) / cell).rounded(.up))
        let rows = Int((Float(canvas.height) / cell).rounded(.up))
        for row in 0..<rows {
            for column in 0..<columns {
                let corner = Point(Float(column) * cell, Float(row) * cell)
                let ground = random.integer(in: 0...4)
                let ink = (ground + random.integer(in: 1...4)) % 5
                tile(
                    on: &canvas, corner, cell, ground: inks[ground], ink: inks[ink],
                    third: inks[random.integer(in: 0...4)])
            }
        }
    }

    private mutating func tile(
        on canvas: inout Canvas, _ corner: Point, _ cell: Float, ground: Color, ink: Color, third: Color
    ) {
        let (x, y) = (corner.x, corner.y)
        canvas.rectangle(corner, cell + 0.5, cell + 0.5, ground.packed)
        let turn = random.integer(in: 0...3)
        let (east, south) = (turn == 1 || turn == 2, turn >= 2)
        let hub = Point(x + (east ? cell : 0), y + (south ? cell : 0))
        // The start of the quarter turn that lies inside the cell, seen from the hub.
        let start: Float = east ? (south ? 0.5 : 0.25) : (south ? 0.75 : 0)
        let middle = Point(x + cell / 2, y + cell / 2)
        switch random.integer(in: 0...5) {
        case 0, 1: canvas.fill([hub] + Canvas.arc(hub, cell, cell, from: start, to: start + 0.25), ink.packed)
        case 2:
            canvas.fill([hub] + Canvas.arc(hub, cell, cell, from: start, to: start + 0.25), ink.packed)
            canvas.fill([hub] + Canvas.arc(hub, cell / 2, cell / 2, from: start, to: start + 0.25), third.packed)
        case 3:
            canvas.disc(middle, cell * 0.36, ink.packed)
            canvas.disc(middle, cell * 0.16, ground.packed)
        case 4:
            let half = Float(turn) / 4
            canvas.fill(Canvas.arc(middle, cell / 2, cell / 2, from: half, to: half + 0.5), ink.packed)
        default:
            canvas.fill([hub, Point(x + (east ? 0 : cell), hub.y), Point(hub.x, y + (south ? 0 : cell))], ink.packed)
        }
    }

    /// Paints a colour field divided into triangles.
    mutating func facets(on canvas: inout Canvas) {
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        let size = canvas.side / 7
        let (columns, rows) = (Int(width / size) + 2, Int(height / size) + 2)
        var nodes: [Point] = []
        for row in 0...rows {
            for column in 0...columns {
                let (dx, dy) = (random.between(-0.36, 0.36), random.between(-0.36, 0.36))
                nodes.append(Point((Float(column) - 0.5 + dx) * size, (Float(row) - 0.5 + dy) * size))
            }
        }
        let (noise, inks, lighting) = (Noise(&random), palette, lighting)
        func tone(_ point: Point) -> Color {
            let warp = noise.fractal(point.x / width * 2.2, point.y / height * 2.2, octaves: 2)
            return lighting.sky(at: point.y / height + warp * 0.3).mixed(inks[1 + Int(abs(warp) * 8) % 4], 0.3)
        }
        canvas.paint(columns: 24, rows: 24) { u, v in tone(Point(u * width, v * height)) }
        for row in 0..<rows {
            for column in 0..<columns {
                let a = nodes[row * (columns + 1) + column]
                let b = nodes[row * (columns + 1) + column + 1]
                let c = nodes[(row + 1) * (columns + 1) + column]
                let d = nodes[(row + 1) * (columns + 1) + column + 1]
                for triangle in random.happens(withProbability: 0.5)
                    ? [[a, b, c], [b, d, c]] : [[a, b, d], [a, d, c]]
                {
                    let middle = Point(triangle.reduce(0) { $0 + $1.x } / 3, triangle.reduce(0) { $0 + $1.y } / 3)
                    let shine = random.between(-0.16, 0.16)
                    let color = tone(middle)
                    canvas.fill(triangle, (shine > 0 ? color.mixed(.white, shine) : color.mixed(.black, -shine)).packed)
                }
            }
        }
    }

    mutating func orbs(on canvas: inout Canvas) {
        let inks = palette
        let (width, height) = (Float(canvas.width), Float(canvas.height))
        canvas.paint(columns: 8, rows: 8) { u, v in inks[0].mixed(inks[3], 0.25 * (u + v) / 2) }
        for index in 0..<random.integer(in: 11...16) {
            let radius = canvas.side * random.between(0.06, 0.34) * (index < 4 ? 1.2 : 0.8)
            let center = Point(random.between(0.05, 0.95) * width, random.between(0.05, 0.95) * height)
            let ink = inks[random.integer(in: 1...4)].packed
            canvas.disc(center, radius, ink, strength: random.integer(in: 110...190))
            if random.happens(withProbability: 0.5) {
                canvas.disc(center, radius * random.between(0.35, 0.7), inks[0].packed, strength: 130)
            }
        }
        for _ in 0..<26 {
            let center = Point(random.fraction() * width, random.fraction() * height)
            canvas.disc(center, canvas.side * random.between(0.004, 0.011), inks[random.integer(in: 1...4)].packed)
        }
    }
}
