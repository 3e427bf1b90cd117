// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The slow waves that a plane of samples is made of: the first terms of its cosine transform.
struct CosineTerms {
    /// How many terms there are across.
    let columns: Int
    /// The terms, row by row from the slowest; the first is the mean, and none is weighed further.
    let values: [Double]

    /// Transforms `samples`, which lie in rows of `width`, into `columns` by `rows` terms, at most eight
    /// each way.
    init(of samples: [Double], width: Int, columns: Int, rows: Int) {
        let height = samples.count / width
        let across = Self.waves(length: width)
        let down = Self.waves(length: height)
        var sums = [Waves](repeating: .zero, count: rows)
        for y in 0..<height {
            var sum = Waves.zero
            for x in 0..<width { sum += samples[y * width + x] * across[x] }
            for row in 0..<rows { sums[row] += sum * down[y][row] }
        }
        self.columns = columns
        values = sums.flatMap { sum in (0..<columns).map { sum[$0] / Double(samples.count) } }
    }

    /// The term of the wave that goes through `column` half turns across and `row` down.
    subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

    /// What the waves of none, one, two and more half turns are at one place.
    private typealias Waves = SIMD8<Double>

    /// The waves at each place of an axis.
    ///
    /// Each wave follows from the two before it, which spares most cosines.
    private static func waves(length: Int) -> [Waves] {
        (0..<length).map { place in
            let slowest = cos(.pi / Double(length) * (Double(place) + 0.5))
            var waves = Waves(repeating: 1)
            waves[1] = slowest
            for wave in 2..<Waves.scalarCount { waves[wave] = 2 * slowest * waves[wave - 1] - waves[wave - 2] }
            return waves
        }
    }
}
