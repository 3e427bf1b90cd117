// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The lowest frequencies of a plane of samples: the first terms of its discrete cosine transform.
struct CosineTransform {
    /// The number of terms per row.
    let columns: Int
    /// The unnormalized terms, row by row from the lowest frequency; the first is the mean.
    let values: [Double]

    /// Transforms `samples`, in rows of `width`, into `columns` by `rows` terms, at most eight each.
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

    /// The term with `column` half periods across and `row` half periods down.
    subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

    /// The values of the first eight cosine waves at one position.
    private typealias Waves = SIMD8<Double>

    /// Computes the waves at each position of an axis.
    ///
    /// Each wave follows from the previous two, which saves most cosine calls.
    private static func waves(length: Int) -> [Waves] {
        (0..<length).map { position in
            let slowest = cos(.pi / Double(length) * (Double(position) + 0.5))
            var waves = Waves(repeating: 1)
            waves[1] = slowest
            for wave in 2..<Waves.scalarCount { waves[wave] = 2 * slowest * waves[wave - 1] - waves[wave - 2] }
            return waves
        }
    }
}
