// SPDX-License-Identifier: MIT

/// A map of the parts of an image that draw the eye, in at most 48 cells along its longer side.
///
/// The attention of a cell is the product of its distance from the image's border, its detail and its warmth. The
/// distance is that of the minimum barrier: the smallest range of colours on any way to the border, which is small for
/// skies and floors, and large for objects. Warm colours are those of skin and fur.
struct AttentionMap {
    private static let maxCells = 48
    /// The attention of a cell without any distance from the border: a share of the mean distance, and a constant.
    private static let (meanShare, leastDistance) = (0.3, 1.0)
    private static let warmthWeight = 8.0
    /// The weight of the image's centre, compared with all attention.
    private static let centreWeight = 0.5

    /// The width and height of a cell in pixels; the last cells may be smaller.
    private let side: Int
    private let size: (width: Int, height: Int)
    private let columns: Int
    private let attention: [Double]

    /// Maps an image in grey or RGB.
    init(_ image: Raster) {
        size = (image.width, image.height)
        side = max(1, (max(image.width, image.height) + Self.maxCells - 1) / Self.maxCells)
        columns = (image.width + side - 1) / side
        let cells = Self.cells(of: image, side, columns)
        var distances = [Double](repeating: 0, count: cells.count)
        let planes: [(Cell) -> Double] = [
            { ($0.red + $0.green + $0.blue) / 3 }, { $0.red - $0.green }, { ($0.red + $0.green) / 2 - $0.blue },
        ]
        for plane in planes {
            let barriers = BarrierDistances(cells.map(plane), columns: columns).values
            for index in distances.indices { distances[index] += barriers[index] }
        }
        let floor = Self.meanShare * distances.reduce(0, +) / Double(cells.count) + Self.leastDistance
        attention = zip(cells, distances).map { cell, distance in
            (distance + floor) * cell.detail.squareRoot() * (1 + Self.warmthWeight * cell.warmth)
        }
    }

    /// Returns the start of the window of the given size with the most attention; among equal ones, the most central.
    func bestPart(_ width: Int, _ height: Int) -> (x: Int, y: Int) {
        var across = [Double](repeating: 0, count: columns)
        var down = [Double](repeating: 0, count: attention.count / columns)
        for (index, value) in attention.enumerated() {
            across[index % columns] += value
            down[index / columns] += value
        }
        return (best(across, width, of: size.width), best(down, height, of: size.height))
    }

    private func best(_ profile: [Double], _ length: Int, of whole: Int) -> Int {
        let middle = (whole - length) / 2
        guard length < whole else { return middle }
        let window = AttentionWindow(Self.withCentre(profile), side: side, length: length, whole: whole)
        var (best, most) = (middle, window.attention(from: middle))
        for distance in 1...whole - length {
            for start in [middle - distance, middle + distance] where start >= 0 && start + length <= whole {
                let found = window.attention(from: start)
                // Rounding must not decide between equal windows.
                if found > most * (1 + 1e-9) { (best, most) = (start, found) }
            }
        }
        return best
    }

    /// Returns the shares of the attention with those of the centre, which fall as a parabola to the ends.
    private static func withCentre(_ profile: [Double]) -> [Double] {
        let all = profile.reduce(0, +)
        let centre = profile.indices.map { index in
            let place = (Double(index) + 0.5) / Double(profile.count) * 2 - 1
            return 1 - place * place
        }
        let scale = centreWeight / centre.reduce(0, +)
        return zip(profile, centre).map { (all > 0 ? $0 / all : 0) + $1 * scale }
    }
}

/// Sums the attention in windows of one length; cells near a window's ends count less, since crops should not cut.
private struct AttentionWindow {
    /// The share of the window at each end where cells count less, and their least weight.
    private static let (ramp, least) = (0.1, 0.3)

    private let profile: [Double]
    private let side: Int
    private let length: Int
    private let whole: Int

    init(_ profile: [Double], side: Int, length: Int, whole: Int) {
        self.profile = profile
        self.side = side
        self.length = length
        self.whole = whole
    }

    func attention(from start: Int) -> Double {
        let end = start + length
        var sum = 0.0
        for cell in start / side...(end - 1) / side {
            let (first, last) = (cell * side, min(cell * side + side, whole))
            let (from, to) = (max(first, start), min(last, end))
            let fromStart = Double(from + to) / 2 - Double(start)
            let toEnd = min(fromStart, Double(length) - fromStart) / Double(length)
            let weight = min(1, Self.least + (1 - Self.least) * toEnd / Self.ramp)
            sum += profile[cell] * weight * Double(to - from) / Double(last - first)
        }
        return sum
    }
}

extension AttentionMap {
    /// The mean colour and detail of a cell.
    private struct Cell {
        var (red, green, blue) = (0.0, 0.0, 0.0)
        /// The mean brightness difference of each pixel to its right and lower neighbours.
        var detail = 0.0

        /// How near the colour's direction is to that of skin, from 0 to 1; 0 for very dark and bright colours.
        var warmth: Double {
            let length = (red * red + green * green + blue * blue).squareRoot()
            guard (50...242).contains(0.299 * red + 0.587 * green + 0.114 * blue) else { return 0 }
            // Red, green and blue in proportions of 7, 5 and 4, with the length 1.
            let skin = (red: 0.7379, green: 0.5270, blue: 0.4216)
            let (x, y, z) = (red / length - skin.red, green / length - skin.green, blue / length - skin.blue)
            return max(0, 1 - 6 * (x * x + y * y + z * z).squareRoot())
        }
    }

    private static func cells(of image: Raster, _ side: Int, _ columns: Int) -> [Cell] {
        let channels = image.layout.channels
        let colour = channels >= 3 ? 1 : 0
        let rowBytes = image.width * channels
        var sums = [SIMD4<Int32>](repeating: .zero, count: columns * ((image.height + side - 1) / side))
        let bytes = image.bytes.span
        func brightness(_ at: Int) -> Int32 {
            (77 * Int32(bytes[at]) + 150 * Int32(bytes[at + colour]) + 29 * Int32(bytes[at + 2 * colour])) >> 8
        }
        for y in 0..<image.height {
            let below = y + 1 < image.height ? rowBytes : 0
            var at = y * rowBytes
            var here = brightness(at)
            for x in 0..<image.width {
                let right = x + 1 < image.width ? brightness(at + channels) : here
                sums[y / side * columns + x / side] &+= SIMD4(
                    Int32(bytes[at]), Int32(bytes[at + colour]), Int32(bytes[at + 2 * colour]),
                    abs(right - here) + abs(brightness(at + below) - here))
                here = right
                at += channels
            }
        }
        return sums.indices.map { index in
            let (x, y) = (index % columns * side, index / columns * side)
            let mean = SIMD4<Double>(sums[index]) / Double(min(side, image.width - x) * min(side, image.height - y))
            return Cell(red: mean.x, green: mean.y, blue: mean.z, detail: mean.w)
        }
    }
}

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
