// SPDX-License-Identifier: MIT

/// A preview of an image in about 25 bytes, in the format of Evan Wallace's ThumbHash.
///
/// It encodes the mean colour, the aspect ratio, the transparency, and the lowest frequencies of brightness and colour.
struct ThumbHash {
    let bytes: [UInt8]

    /// Computes the hash of an sRGB image, which should be small because at most seven waves across are kept.
    init(of image: Raster) {
        let planes = Planes(image)
        let lightWaves = planes.hasAlpha ? 5.0 : 7.0
        let longest = Double(max(image.width, image.height))
        let across = max(1, Int((lightWaves * Double(image.width) / longest).rounded()))
        let down = max(1, Int((lightWaves * Double(image.height) / longest).rounded()))
        let light = HashPlane(planes.light, width: image.width, max(3, across), max(3, down))
        let yellow = HashPlane(planes.yellow, width: image.width, 3, 3)
        let red = HashPlane(planes.red, width: image.width, 3, 3)
        let alpha = planes.hasAlpha ? HashPlane(planes.alpha, width: image.width, 5, 5) : nil
        let isWide = image.width > image.height
        let head =
            Self.steps(63, light.mean) | Self.steps(31.5, 1 + yellow.mean) << 6 | Self.steps(31.5, 1 + red.mean) << 12
            | Self.steps(31, light.scale) << 18 | (alpha == nil ? 0 : 1) << 23
        let shape =
            (isWide ? down : across) | Self.steps(63, yellow.scale) << 3 | Self.steps(63, red.scale) << 9
            | (isWide ? 1 : 0) << 15
        var bytes = [head, head >> 8, head >> 16, shape, shape >> 8].map { UInt8(truncatingIfNeeded: $0) }
        if let alpha { bytes.append(UInt8(Self.steps(15, alpha.mean) | Self.steps(15, alpha.scale) << 4)) }
        let waves = [light, yellow, red, alpha].compactMap(\.self).flatMap(\.waves).map { UInt8(Self.steps(15, $0)) }
        for first in stride(from: 0, to: waves.count, by: 2) {
            bytes.append(waves[first] | (first + 1 < waves.count ? waves[first + 1] << 4 : 0))
        }
        self.bytes = bytes
    }

    /// The hash in Base64.
    var text: String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[bits >> (18 - 6 * index) & 63] : "=")
            }
        }
        return text
    }

    /// Rounds a fraction to a multiple of 1/`most` and returns the multiple.
    private static func steps(_ most: Double, _ fraction: Double) -> Int { Int((most * fraction + 0.5).rounded(.down)) }
}

/// An image's brightness, yellow-blue and red-green differences, and opacity, drawn over its mean colour.
private struct Planes {
    let light: [Double]
    let yellow: [Double]
    let red: [Double]
    let alpha: [Double]
    let hasAlpha: Bool

    init(_ image: Raster) {
        let pixels = Self.pixels(image)
        hasAlpha = image.layout == .rgba && pixels.contains { $0.w < 1 }
        let colors = hasAlpha ? Self.overMean(pixels) : pixels
        light = colors.map { ($0.x + $0.y + $0.z) / 3 }
        yellow = colors.map { ($0.x + $0.y) / 2 - $0.z }
        red = colors.map { $0.x - $0.y }
        alpha = hasAlpha ? pixels.map(\.w) : []
    }

    private static func overMean(_ pixels: [SIMD4<Double>]) -> [SIMD4<Double>] {
        var mean = SIMD4<Double>()
        for pixel in pixels { mean += SIMD4(pixel.x, pixel.y, pixel.z, 1) * pixel.w }
        if mean.w > 0 { mean /= mean.w }
        return pixels.map { mean * (1 - $0.w) + $0 * $0.w }
    }

    /// Returns red, green, blue and opacity from 0 to 1.
    private static func pixels(_ image: Raster) -> [SIMD4<Double>] {
        let bytes = image.bytes
        let channels = image.layout.channels
        return stride(from: 0, to: bytes.count, by: channels).map { start in
            let green = channels == 1 ? start : start + 1
            let blue = channels == 1 ? start : start + 2
            let alpha = image.layout == .rgba ? bytes[start + 3] : 255
            return SIMD4(Double(bytes[start]), Double(bytes[green]), Double(bytes[blue]), Double(alpha)) / 255
        }
    }
}

/// One encoded plane: its mean, its strongest wave as the scale, and all waves from 0 to 1 in units of the scale.
private struct HashPlane {
    let mean: Double
    let scale: Double
    let waves: [Double]

    /// Keeps the lower triangle of frequencies out of `columns` by `rows`.
    init(_ plane: [Double], width: Int, _ columns: Int, _ rows: Int) {
        let terms = CosineTransform(of: plane, width: width, columns: columns, rows: rows)
        var waves: [Double] = []
        for row in 0..<rows {
            for column in 0..<columns where column * rows < columns * (rows - row) && column + row > 0 {
                waves.append(terms[column, row])
            }
        }
        let scale = waves.reduce(0) { max($0, abs($1)) }
        mean = terms[0, 0]
        // A plain plane has only rounding noise, which must not be amplified.
        self.scale = scale < 1e-9 ? 0 : scale
        self.waves = scale < 1e-9 ? waves.map { _ in 0 } : waves.map { 0.5 + 0.5 / scale * $0 }
    }
}
