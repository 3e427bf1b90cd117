// SPDX-License-Identifier: MIT

/// Compares the pixels of two pictures: whether one shows the other, turned or mirrored or not.
struct ComparedPicture: Sendable {
    /// The correlation of a copy and its original at least; re-encoded and scaled copies have 0.997 and more.
    private static let minAgreement: Float = 0.98
    /// The largest relative difference of the shapes of copies; thumbnails are rounded to pixels.
    private static let maxShapeDifference = 0.06

    private let aspect: Double
    private let coarse: Grid
    private let fine: Grid

    init(_ sample: PictureSample) {
        aspect = sample.aspect
        coarse = Grid(sample, 16)
        fine = Grid(sample, 40)
    }

    /// Returns how this picture is turned and mirrored, compared with an original that it shows; `nil` if it shows
    /// another picture.
    func symmetry(as original: ComparedPicture) -> Symmetry? {
        var best: (symmetry: Symmetry, agreement: Float)?
        for symmetry in Symmetry.all {
            let aspect = symmetry.swapsAxes ? 1 / original.aspect : original.aspect
            guard abs(self.aspect / aspect - 1) < Self.maxShapeDifference else { continue }
            let agreement = coarse.agreement(with: original.coarse.turned(by: symmetry))
            if agreement > best?.agreement ?? 0.7 { best = (symmetry, agreement) }
        }
        guard let best, fine.agreement(with: original.fine.turned(by: best.symmetry)) >= Self.minAgreement else {
            return nil
        }
        return best.symmetry
    }

    /// The brightness of a picture at some places, with its mean and variation.
    private struct Grid {
        let side: Int
        let values: [Float]
        let mean: Float
        let variation: Float

        init(_ sample: PictureSample, _ side: Int) { self.init(side, sample.grid(side)) }

        private init(_ side: Int, _ values: [Float]) {
            (self.side, self.values) = (side, values)
            let mean = values.reduce(0, +) / Float(values.count)
            self.mean = mean
            variation = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }

        /// The grid of a copy that is turned and mirrored.
        func turned(by symmetry: Symmetry) -> Grid {
            guard symmetry != Symmetry() else { return self }
            let last = side - 1
            var turned: [Float] = []
            turned.reserveCapacity(values.count)
            for y in 0..<side {
                for x in 0..<side {
                    let (column, row) = symmetry.swapsAxes ? (y, x) : (x, y)
                    turned.append(
                        values[
                            (symmetry.reversesY ? last - row : row) * side
                                + (symmetry.reversesX ? last - column : column)])
                }
            }
            return Grid(side, turned)
        }

        /// The correlation; plain pictures agree if they have the same brightness.
        func agreement(with other: Grid) -> Float {
            let noise = 9 * Float(values.count)
            if variation < noise, other.variation < noise { return abs(mean - other.mean) < 4 ? 1 : 0 }
            var product: Float = 0
            for index in values.indices { product += (values[index] - mean) * (other.values[index] - other.mean) }
            return product / max((variation * other.variation).squareRoot(), 1)
        }
    }
}

/// A picture that is reduced to the brightness of 128 by 128 places, for comparisons.
struct PictureSample: Sendable {
    /// The number of places in each direction.
    static let side = 128

    /// The brightness, row by row.
    let luma: [UInt8]
    /// The picture's width divided by its height.
    let aspect: Double

    /// Makes a sample; `nil` if there are not 128 by 128 values.
    init?(luma: [UInt8], aspect: Double) {
        guard luma.count == Self.side * Self.side, aspect.isFinite, aspect > 0 else { return nil }
        (self.luma, self.aspect) = (luma, aspect)
    }

    /// Returns the brightness of `side` by `side` places.
    func grid(_ side: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(side * side)
        // Each place is the mean of as many points as there are values in it.
        let points = max(1, (2 * Self.side + side) / (2 * side))
        let step = 1 / Float(side * points)
        for row in 0..<side {
            for column in 0..<side {
                var sum: Float = 0
                for down in 0..<points {
                    for across in 0..<points {
                        sum += value(
                            (Float(column * points + across) + 0.5) * step, (Float(row * points + down) + 0.5) * step)
                    }
                }
                values.append(sum / Float(points * points))
            }
        }
        return values
    }

    /// The brightness at a place, between the four nearest values.
    private func value(_ x: Float, _ y: Float) -> Float {
        let limit = Float(Self.side - 1)
        let x = min(max(x * Float(Self.side) - 0.5, 0), limit)
        let y = min(max(y * Float(Self.side) - 0.5, 0), limit)
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, Self.side - 1), min(top + 1, Self.side - 1))
        let (across, down) = (x - Float(left), y - Float(top))
        func at(_ column: Int, _ row: Int) -> Float { Float(luma[row * Self.side + column]) }
        let upper = at(left, top) * (1 - across) + at(right, top) * across
        let lower = at(left, bottom) * (1 - across) + at(right, bottom) * across
        return upper * (1 - down) + lower * down
    }
}

/// One of the eight ways to turn and mirror a picture by right angles.
struct Symmetry: Sendable, Hashable {
    /// Whether the axes are exchanged, before the directions are reversed.
    var swapsAxes = false
    /// Whether left and right are exchanged.
    var reversesX = false
    /// Whether top and bottom are exchanged.
    var reversesY = false

    /// All eight, the one that changes nothing first.
    static let all: [Symmetry] = [false, true].flatMap { swaps in
        [false, true].flatMap { reversesY in
            [false, true].map { Symmetry(swapsAxes: swaps, reversesX: $0, reversesY: reversesY) }
        }
    }

    /// Returns an estimate of the perceptual hash of a picture that is turned or mirrored like this.
    ///
    /// Mirroring negates every second frequency, and exchanging the axes exchanges the frequencies of both. The
    /// estimate is exact if the median of the frequencies is 0; it usually differs in few bits.
    func hash(of hash: UInt64) -> UInt64 {
        var hash = hash
        if reversesX { hash ^= 0x5555_5555_5555_5555 }
        if reversesY { hash ^= 0x00FF_00FF_00FF_00FF }
        return swapsAxes ? Self.transposed(hash) : hash
    }

    /// Exchanges the rows and columns of a square of 8 by 8 bits.
    private static func transposed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        var moved = (bits ^ bits >> 7) & 0x00AA_00AA_00AA_00AA
        bits ^= moved ^ moved << 7
        moved = (bits ^ bits >> 14) & 0x0000_CCCC_0000_CCCC
        bits ^= moved ^ moved << 14
        moved = (bits ^ bits >> 28) & 0x0000_0000_F0F0_F0F0
        return bits ^ moved ^ moved << 28
    }
}
