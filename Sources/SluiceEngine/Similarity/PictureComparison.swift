// SPDX-License-Identifier: MIT

/// The part of one picture that another one shows, and how it is turned and mirrored.
struct PictureMatch: Sendable, Hashable {
    var symmetry: Symmetry
    var window: PictureSample.Window
    /// The correlation of both, at most 1.
    var agreement: Float

    /// Whether the copy shows only a part.
    var isPart: Bool { window.area < 0.985 }
}

/// Compares the pixels of two pictures: whether one shows the other or a part of it, turned or mirrored or not.
struct ComparedPicture: Sendable {
    /// The agreement of a copy with the whole original at least; re-encoded and scaled copies have 0.997 and more.
    static let minAgreement: Float = 0.98
    /// The agreement of a crop with its part of the original at least; its place is known less exactly.
    static let minPartAgreement: Float = 0.96
    /// The smallest part of an original that counts as a copy of it.
    static let minArea = 0.4
    /// The largest relative difference of the shapes of copies; thumbnails are rounded to pixels.
    private static let maxShapeDifference = 0.06

    let sample: PictureSample
    private let coarse: Grid
    private let fine: Grid

    init(_ sample: PictureSample) {
        self.sample = sample
        coarse = Grid(sample, 16)
        fine = Grid(sample, 40)
    }

    /// Returns how this picture shows the whole of an original; `nil` if it does not.
    func match(withWhole original: ComparedPicture) -> PictureMatch? {
        var best: (symmetry: Symmetry, agreement: Float)?
        for symmetry in Symmetry.all {
            let aspect = symmetry.swapsAxes ? 1 / original.sample.aspect : original.sample.aspect
            guard abs(sample.aspect / aspect - 1) < Self.maxShapeDifference else { continue }
            let agreement = coarse.agreement(with: original.coarse.turned(by: symmetry))
            if agreement > best?.agreement ?? 0.7 { best = (symmetry, agreement) }
        }
        guard let best else { return nil }
        let agreement = fine.agreement(with: original.fine.turned(by: best.symmetry))
        guard agreement >= Self.minAgreement else { return nil }
        return PictureMatch(symmetry: best.symmetry, window: PictureSample.Window(), agreement: agreement)
    }

    /// Returns how this picture shows about a part of an original; `nil` if it does not.
    func match(withPart window: PictureSample.Window, of original: ComparedPicture, as symmetry: Symmetry)
        -> PictureMatch?
    {
        let side = 24
        let wanted = Grid(sample, side)
        var best = window
        var agreement = wanted.agreement(with: Grid(original.sample, side, best, symmetry))
        guard agreement > 0.35 else { return nil }
        var step = 0.01
        // Each round improves the agreement or halves the step; the number of rounds limits the time.
        for _ in 0..<24 where step > 0.002 {
            var hasMoved = false
            for change in Self.changes {
                let next = best.changed(by: change, step)
                let found = wanted.agreement(with: Grid(original.sample, side, next, symmetry))
                if found > agreement { (best, agreement, hasMoved) = (next, found, true) }
            }
            if !hasMoved { step /= 2 }
        }
        let inside = best.inside
        guard inside.area >= 0.95 * best.area, inside.area >= Self.minArea else { return nil }
        agreement = fine.agreement(with: Grid(original.sample, 40, best, symmetry))
        guard agreement >= Self.minPartAgreement else { return nil }
        return PictureMatch(symmetry: symmetry, window: inside, agreement: agreement)
    }

    /// The changes of a window that are tried: of its place, its size, and both around its centre.
    private static let changes: [PictureSample.Window] = [
        (1.0, 0.0, 0.0, 0.0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (-0.5, 0, 1, 0), (0, -0.5, 0, 1),
        (-0.5, -0.5, 1, 1),
    ].flatMap { x, y, width, height in
        [1.0, -1].map { PictureSample.Window(x: $0 * x, y: $0 * y, width: $0 * width, height: $0 * height) }
    }

    /// The brightness of a picture at some places, with its mean and variation.
    private struct Grid {
        let side: Int
        let values: [Float]
        let mean: Float
        let variation: Float

        init(
            _ sample: PictureSample, _ side: Int, _ window: PictureSample.Window = PictureSample.Window(),
            _ symmetry: Symmetry = Symmetry()
        ) {
            self.init(side, sample.grid(side, of: window, as: symmetry))
        }

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

extension PictureSample.Window {
    fileprivate func changed(by change: PictureSample.Window, _ step: Double) -> PictureSample.Window {
        PictureSample.Window(
            x: x + change.x * step, y: y + change.y * step, width: width + change.width * step,
            height: height + change.height * step)
    }
}
