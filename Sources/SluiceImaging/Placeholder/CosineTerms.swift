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

    /// Transforms `samples`, which lie in rows of `width`, into `columns` by `rows` terms.
    init(of samples: [Double], width: Int, columns: Int, rows: Int) {
        let height = samples.count / width
        let across = Self.waves(columns, length: width)
        let down = Self.waves(rows, length: height)
        var values = [Double](repeating: 0, count: columns * rows)
        for y in 0..<height {
            for column in 0..<columns {
                var sum = 0.0
                for x in 0..<width { sum += samples[y * width + x] * across[column * width + x] }
                for row in 0..<rows { values[row * columns + column] += sum * down[row * height + y] }
            }
        }
        self.columns = columns
        self.values = values.map { $0 / Double(samples.count) }
    }

    /// The term of the wave that goes through `column` half turns across and `row` down.
    subscript(column: Int, row: Int) -> Double { values[row * columns + column] }

    /// The waves of 0 to `count` - 1 half turns, one after the other.
    ///
    /// Each follows from the two before it, which spares most cosines.
    private static func waves(_ count: Int, length: Int) -> [Double] {
        let slowest = (0..<length).map { cos(.pi / Double(length) * (Double($0) + 0.5)) }
        var waves = [Double](repeating: 1, count: length) + slowest
        waves.reserveCapacity((count + 1) * length)
        for place in length..<max(count - 1, 1) * length {
            waves.append(2 * slowest[place % length] * waves[place] - waves[place - length])
        }
        return waves
    }
}
