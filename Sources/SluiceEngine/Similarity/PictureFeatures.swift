// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The distinctive spots of a picture, by which crops of it are found.
///
/// Spots are extrema of the difference of Gaussians, as in SIFT. A spot's surroundings are turned and mirrored to a
/// common position, so that a turned or mirrored copy has the same spots, and are hashed to 64 bits.
struct PictureFeatures: Sendable {
    /// A spot; lengths are fractions of the square root of the picture's area.
    struct Spot: Sendable, Hashable {
        let x: Float
        let y: Float
        /// How the surroundings were turned and mirrored.
        let symmetry: Symmetry
        let hash: UInt64
    }

    /// The most spots of a picture.
    static let maxCount = 64
    /// The radii of the Gaussians: the first one, their ratio and their number.
    private static let firstRadius: Float = 1.4
    private static let ratio: Float = 1.26
    private static let levels = 8
    /// Half the width of a spot's surroundings, in radii.
    private static let reach: Float = 5
    /// The samples of the surroundings in each direction.
    private static let patch = 16
    /// The least difference of brightness between a spot and its surroundings.
    private static let minContrast: Float = 1

    let spots: [Spot]

    /// Finds the spots of a picture, the most distinctive ones first.
    init(of sample: PictureSample) {
        let plane = Plane(sample)
        let (width, height) = (plane.width, plane.height)
        var blurred: [Plane] = []
        var radius = Self.firstRadius
        var radii: [Float] = []
        for _ in 0..<Self.levels {
            blurred.append(plane.blurred(radius))
            radii.append(radius)
            radius *= Self.ratio
        }
        var candidates: [(strength: Float, column: Int, row: Int, level: Int)] = []
        let differences = (1..<Self.levels).map { blurred[$0].minus(blurred[$0 - 1]) }
        for level in 1..<differences.count - 1 {
            let margin = Int(radii[level] * 3) + 1
            guard 2 * margin + 2 < min(width, height) else { continue }
            for row in margin..<height - margin {
                for column in margin..<width - margin {
                    let value = differences[level].values[row * width + column]
                    guard abs(value) > Self.minContrast, Self.isExtremum(differences, level, column, row, width),
                        !differences[level].isEdge(column, row)
                    else { continue }
                    candidates.append((abs(value), column, row, level))
                }
            }
        }
        candidates.sort { ($0.strength, $1.row, $1.column) > ($1.strength, $0.row, $0.column) }
        var spots: [Spot] = []
        for candidate in candidates where spots.count < Self.maxCount {
            spots += Self.spots(
                at: candidate.column, candidate.row, radius: radii[candidate.level], in: blurred[candidate.level],
                unit: Float(PictureSample.side))
        }
        self.spots = spots
    }

    /// Whether a value is larger, or smaller, than all 26 neighbours in its plane and the two next to it.
    private static func isExtremum(
        _ planes: [Plane], _ level: Int, _ column: Int, _ row: Int, _ width: Int
    ) -> Bool {
        let value = planes[level].values[row * width + column]
        for near in level - 1...level + 1 {
            for y in row - 1...row + 1 {
                for x in column - 1...column + 1 where near != level || y != row || x != column {
                    let other = planes[near].values[y * width + x]
                    guard value > 0 ? value > other : value < other else { return false }
                }
            }
        }
        return true
    }

    /// The spot at a place; two if its direction is uncertain.
    private static func spots(
        at column: Int, _ row: Int, radius: Float, in plane: Plane, unit: Float
    ) -> [Spot] {
        var values = [Float](repeating: 0, count: patch * patch)
        let step = 2 * reach * radius / Float(patch)
        let start = (Float(patch) - 1) / 2
        var sum: Float = 0
        for y in 0..<patch {
            for x in 0..<patch {
                let value = plane.value(
                    Float(column) + (Float(x) - start) * step, Float(row) + (Float(y) - start) * step)
                values[y * patch + x] = value
                sum += value
            }
        }
        let mean = sum / Float(values.count)
        var (alongX, alongY): (Float, Float) = (0, 0)
        for y in 0..<patch {
            for x in 0..<patch {
                let value = values[y * patch + x] - mean
                let (dx, dy) = ((Float(x) - start) / start, (Float(y) - start) / start)
                let weight = max(0, 1 - (dx * dx + dy * dy) / 2)
                alongX += dx * value * weight
                alongY += dy * value * weight
            }
        }
        let (sizeX, sizeY) = (abs(alongX), abs(alongY))
        // The normal position is brighter on the right, and less so at the bottom.
        func spot(swaps: Bool) -> Spot {
            let symmetry = Symmetry(swapsAxes: swaps, reversesX: alongX < 0, reversesY: alongY < 0)
            return Spot(
                x: (Float(column) + 0.5) / unit, y: (Float(row) + 0.5) / unit, symmetry: symmetry,
                hash: hash(of: values, as: symmetry))
        }
        let larger = max(sizeX, sizeY)
        guard min(sizeX, sizeY) > larger * 0.8 else { return [spot(swaps: sizeY > sizeX)] }
        return [spot(swaps: false), spot(swaps: true)]
    }

    /// The signs of the lowest frequencies of a patch, the lowest first.
    private static func hash(of values: [Float], as symmetry: Symmetry) -> UInt64 {
        var turned = [Float](repeating: 0, count: patch * patch)
        let last = patch - 1
        for y in 0..<patch {
            for x in 0..<patch {
                let (column, row) = symmetry.swapsAxes ? (y, x) : (x, y)
                turned[y * patch + x] =
                    values[
                        (symmetry.reversesY ? last - row : row) * patch + (symmetry.reversesX ? last - column : column)]
            }
        }
        let terms = waves.count
        var sums = [Float](repeating: 0, count: terms * patch)
        for y in 0..<patch {
            for u in 0..<terms {
                var sum: Float = 0
                for x in 0..<patch { sum += turned[y * patch + x] * waves[u][x] }
                sums[y * terms + u] = sum
            }
        }
        var bits: UInt64 = 0
        for (u, v) in frequencies {
            var sum: Float = 0
            for y in 0..<patch { sum += sums[y * terms + u] * waves[v][y] }
            bits = bits << 1 | (sum > 0 ? 1 : 0)
        }
        return bits
    }

    /// The cosine waves of a patch.
    private static let waves: [[Float]] = (0..<11).map { wave in
        (0..<patch).map { Float(cos(.pi / Double(patch) * (Double($0) + 0.5) * Double(wave))) }
    }

    /// The 64 lowest frequencies after the mean, in the order of their length.
    private static let frequencies: [(Int, Int)] = {
        let all = (0..<11).flatMap { v in (0..<11).map { u in (u, v) } }.dropFirst()
        return Array(
            all.sorted { ($0.0 * $0.0 + $0.1 * $0.1, $0.1) < ($1.0 * $1.0 + $1.1 * $1.1, $1.1) }.prefix(64))
    }()
}

/// A grey picture of floating-point numbers.
private struct Plane {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        values = [Float](repeating: 0, count: width * height)
    }

    /// Makes a picture with square pixels and about as many of them as the sample has values.
    init(_ sample: PictureSample) {
        let root = sample.aspect.squareRoot()
        let side = Double(PictureSample.side)
        // The shape of a strip is not kept, so that the memory is limited.
        let width = Int(min(max((side * root).rounded(), 32), 512))
        let height = Int(min(max((side / root).rounded(), 32), 512))
        self.init(width: width, height: height)
        for row in 0..<height {
            for column in 0..<width {
                values[row * width + column] = sample.value(
                    (Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
            }
        }
    }

    /// Returns the difference of two planes of the same size.
    func minus(_ other: Plane) -> Plane {
        var result = self
        for index in values.indices { result.values[index] -= other.values[index] }
        return result
    }

    /// The value at a place, between the four nearest ones.
    func value(_ x: Float, _ y: Float) -> Float {
        let (x, y) = (min(max(x, 0), Float(width - 1)), min(max(y, 0), Float(height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (across, down) = (x - Float(left), y - Float(top))
        let upper = values[top * width + left] * (1 - across) + values[top * width + right] * across
        let lower = values[bottom * width + left] * (1 - across) + values[bottom * width + right] * across
        return upper * (1 - down) + lower * down
    }

    /// Whether a place is on an edge rather than in a corner or on a blob, by the ratio of the curvatures.
    func isEdge(_ column: Int, _ row: Int) -> Bool {
        func at(_ x: Int, _ y: Int) -> Float { values[(row + y) * width + column + x] }
        let xx = at(1, 0) + at(-1, 0) - 2 * at(0, 0)
        let yy = at(0, 1) + at(0, -1) - 2 * at(0, 0)
        let xy = (at(1, 1) - at(-1, 1) - at(1, -1) + at(-1, -1)) / 4
        let (trace, determinant) = (xx + yy, xx * yy - xy * xy)
        return determinant <= 0 || trace * trace > 12.1 * determinant
    }

    /// Returns the convolution with a Gaussian of this standard deviation.
    func blurred(_ radius: Float) -> Plane {
        let reach = Int((3 * radius).rounded(.up))
        var weights = (-reach...reach).map { Float(exp(-Double($0 * $0) / Double(2 * radius * radius))) }
        let total = weights.reduce(0, +)
        for index in weights.indices { weights[index] /= total }
        return alongRows(weights).alongColumns(weights)
    }

    private func alongRows(_ weights: [Float]) -> Plane {
        let reach = weights.count / 2
        var result = self
        var line = [Float](repeating: 0, count: width + 2 * reach)
        for row in 0..<height {
            for index in line.indices { line[index] = values[row * width + min(max(index - reach, 0), width - 1)] }
            for column in 0..<width {
                var sum: Float = 0
                for tap in weights.indices { sum += line[column + tap] * weights[tap] }
                result.values[row * width + column] = sum
            }
        }
        return result
    }

    private func alongColumns(_ weights: [Float]) -> Plane {
        let reach = weights.count / 2
        var result = Plane(width: width, height: height)
        for row in 0..<height {
            for tap in weights.indices {
                let from = min(max(row + tap - reach, 0), height - 1) * width
                let weight = weights[tap]
                for column in 0..<width { result.values[row * width + column] += values[from + column] * weight }
            }
        }
        return result
    }
}
