// SPDX-License-Identifier: MIT

/// What a picture looks like in 64 bits, of which few differ between two copies of it, whatever their size and quality.
///
/// The usual pHash: light at 32 by 32 pixels, its cosine transform, and of the 8 by 8 slowest terms whether each is
/// above their median, from the slowest in the highest bit.
struct PerceptualHash {
    let bits: UInt64

    /// Makes the hash of a sRGB picture; what is transparent counts as white.
    init(of picture: Raster) {
        let small = picture.flattened.resized(to: 32, 32)
        let terms = CosineTerms(of: small.luma, width: 32, columns: 8, rows: 8)
        // Whole steps, so that the noise of sums decides nothing where an even picture has no waves.
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
