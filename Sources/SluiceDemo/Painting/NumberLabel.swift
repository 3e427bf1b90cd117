// SPDX-License-Identifier: MIT

/// Draws a photo's number as a small label.
struct NumberLabel {
    let number: Int
    /// The additional distance from the corner, as a fraction of the shorter side.
    let inset: Float

    /// The strokes of each digit on a grid of 4 by 6.
    private static let digits: [[[Point]]] = [
        [stroke(1, 0, 3, 0, 4, 1, 4, 5, 3, 6, 1, 6, 0, 5, 0, 1, 1, 0)],
        [stroke(0.8, 1.2, 2.3, 0, 2.3, 6)],
        [stroke(0, 1.1, 1, 0, 3, 0, 4, 1, 4, 2, 0, 6, 4, 6)],
        [stroke(0, 0.7, 1, 0, 3, 0, 4, 0.9, 4, 2, 3, 2.9, 1.6, 2.9), stroke(3, 2.9, 4, 3.9, 4, 5, 3, 6, 1, 6, 0, 5.3)],
        [stroke(3.1, 6, 3.1, 0, 0, 4.2, 4.2, 4.2)],
        [stroke(3.8, 0, 0.4, 0, 0.2, 2.7, 1, 2.4, 3, 2.4, 4, 3.4, 4, 5, 3, 6, 1, 6, 0, 5.3)],
        [stroke(3.7, 0.5, 3, 0, 1, 0, 0, 1, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.6, 3, 2.6, 1, 2.6, 0, 3.6)],
        [stroke(0, 0, 4, 0, 1.5, 6)],
        [
            stroke(1, 0, 3, 0, 4, 0.9, 4, 2, 3, 2.9, 1, 2.9, 0, 2, 0, 0.9, 1, 0),
            stroke(1, 2.9, 0, 3.9, 0, 5, 1, 6, 3, 6, 4, 5, 4, 3.9, 3, 2.9),
        ],
        [stroke(0.3, 5.5, 1, 6, 3, 6, 4, 5, 4, 1, 3, 0, 1, 0, 0, 1, 0, 2.4, 1, 3.4, 3, 3.4, 4, 2.4)],
    ]

    private static func stroke(_ numbers: Float...) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) }
    }

    /// Draws the label in the lower left corner.
    func draw(on canvas: inout Canvas) {
        let unit = max(1.2, canvas.side * 0.0052)
        let letters = String(number.magnitude).utf8.map { Int($0) - 48 }
        let textWidth = Float(letters.count) * 6 * unit - 2 * unit
        let margin = canvas.side * (0.03 + inset)
        let radius = 5.4 * unit
        let middle = Float(canvas.height) - margin - radius
        let left = Point(margin + radius, middle)
        let right = Point(margin + radius + textWidth - 2 * unit, middle)
        let label =
            Canvas.arc(left, radius, radius, from: 0.25, to: 0.75)
            + Canvas.arc(right, radius, radius, from: 0.75, to: 1.25)
        canvas.fill(label, Color(0x0C1018).packed, strength: 110)
        for (index, digit) in letters.enumerated() {
            let corner = Point(left.x - unit + Float(index) * 6 * unit, middle - 3 * unit)
            for line in Self.digits[digit] { draw(line, at: corner, unit, on: &canvas) }
        }
    }

    private func draw(_ line: [Point], at corner: Point, _ unit: Float, on canvas: inout Canvas) {
        let ink = Color(0xFBFBF7).packed
        let half = unit * 0.42
        let points = line.map { Point(corner.x + $0.x * unit, corner.y + $0.y * unit) }
        for point in points { canvas.disc(point, half, ink) }
        for (a, b) in zip(points, points.dropFirst()) {
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let length = (dx * dx + dy * dy).squareRoot()
            guard length > 0 else { continue }
            let (nx, ny) = (-dy / length * half, dx / length * half)
            let corners = [
                Point(a.x + nx, a.y + ny), Point(b.x + nx, b.y + ny), Point(b.x - nx, b.y - ny),
                Point(a.x - nx, a.y - ny),
            ]
            canvas.fill(corners, ink)
        }
    }
}
