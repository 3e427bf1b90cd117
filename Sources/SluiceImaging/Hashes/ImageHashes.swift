// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// The two hashes of an image: a preview to show while a thumbnail loads, and one for finding copies.
struct ImageHashes {
    /// The image's ThumbHash in Base64.
    let thumbHash: String
    /// The image's perceptual hash in 16 hexadecimal digits.
    let phash: String

    /// The side to shrink images to; it keeps more detail than either hash does.
    private static let side = 48

    /// Computes both hashes of an sRGB image of any size.
    init(of image: Raster) {
        let small = image.resized(within: Self.side, by: .area)
        thumbHash = ThumbHash(of: small).text
        phash = PerceptualHash(of: small).text
    }
}

/// A 64-bit hash of which few bits differ between copies of an image, whatever their size and quality.
///
/// This is the usual pHash. It computes the brightness at 32 by 32 pixels and its cosine transform. Each of the 8 by 8
/// lowest frequencies gives one bit, which is 1 if the frequency is above their median. The lowest frequency is the
/// highest bit.
struct PerceptualHash {
    let bits: UInt64

    /// Computes the hash of an sRGB image; transparent pixels count as white.
    init(of image: Raster) {
        let small = image.flattened.resized(to: 32, 32)
        let terms = CosineTransform(of: small.luma, width: 32, columns: 8, rows: 8)
        // Round to steps, so that floating-point noise does not decide the bits of a plain image.
        let steps = terms.values.map { Int(($0 * 4096).rounded()) }
        let sorted = steps.sorted()
        let doubledMedian = sorted[31] + sorted[32]
        bits = steps.reduce(0) { $0 << 1 | (2 * $1 > doubledMedian ? 1 : 0) }
    }

    /// The hash in 16 hexadecimal digits.
    var text: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Raster {
    /// The brightness of each pixel, 0 to 255, scaled by its opacity.
    var luma: [Double] {
        let channels = layout.channels
        return stride(from: 0, to: bytes.count, by: channels).map { start in
            guard channels > 1 else { return Double(bytes[start]) }
            let weighted = Int(bytes[start]) * 299 + Int(bytes[start + 1]) * 587 + Int(bytes[start + 2]) * 114
            return Double(layout == .rgba ? weighted * Int(bytes[start + 3]) / 255 : weighted) / 1000
        }
    }
}

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
