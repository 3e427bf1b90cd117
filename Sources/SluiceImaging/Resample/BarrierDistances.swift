// SPDX-License-Identifier: MIT

/// The minimum barrier distance of each cell of a plane from its border.
///
/// The distance is the smallest difference between the highest and the lowest value on any way to the border. It is
/// approximated in three passes, from the top left, the bottom right and the top left again. Each continues the ways of
/// two neighbours.
struct BarrierDistances {
    private let columns: Int
    private let plane: [Double]
    private var highest: [Double]
    private var lowest: [Double]
    private(set) var values: [Double]

    init(_ plane: [Double], columns: Int) {
        self.columns = columns
        self.plane = plane
        (highest, lowest) = (plane, plane)
        let rows = plane.count / columns
        values = plane.indices.map { index in
            let (x, y) = (index % columns, index / columns)
            return x == 0 || y == 0 || x == columns - 1 || y == rows - 1 ? 0 : .infinity
        }
        guard columns > 2, rows > 2 else { return }
        for step in [-1, 1, -1] {
            for y in 1..<rows - 1 {
                for x in 1..<columns - 1 {
                    let index = (step < 0 ? y : rows - 1 - y) * columns + (step < 0 ? x : columns - 1 - x)
                    extend(from: index + step * columns, to: index)
                    extend(from: index + step, to: index)
                }
            }
        }
    }

    /// Continues the way of a neighbour to a cell, if it is shorter than the cell's own.
    private mutating func extend(from neighbour: Int, to cell: Int) {
        let high = max(highest[neighbour], plane[cell])
        let low = min(lowest[neighbour], plane[cell])
        if high - low < values[cell] { (values[cell], highest[cell], lowest[cell]) = (high - low, high, low) }
    }
}
