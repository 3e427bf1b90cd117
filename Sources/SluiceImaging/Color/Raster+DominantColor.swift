// SPDX-License-Identifier: MIT

extension Raster {
    /// The dominant colour of an sRGB image, as `#rrggbb`; `nil` if every pixel is transparent.
    ///
    /// Colours are counted in boxes of 16 steps per channel. The result is the mean of the fullest box, which is a
    /// colour of the image, unlike the mean of all pixels. A few thousand pixels suffice.
    var dominantColor: String? {
        let colors = sampledColors
        var counts = [Int](repeating: 0, count: 4096)
        for color in colors { counts[Self.box(color)] += 1 }
        guard let maximum = counts.max(), maximum > 0, let fullest = counts.firstIndex(of: maximum) else { return nil }
        var sums = [0, 0, 0]
        for color in colors where Self.box(color) == fullest {
            for channel in 0..<3 { sums[channel] += color >> (16 - 8 * channel) & 255 }
        }
        let digits = Array("0123456789abcdef")
        let channels = sums.map { ($0 + maximum / 2) / maximum }
        return "#" + String(channels.flatMap { [digits[$0 >> 4], digits[$0 & 15]] })
    }

    private static func box(_ color: Int) -> Int { color >> 12 & 0xF00 | color >> 8 & 0xF0 | color >> 4 & 0xF }

    /// The colours of a few thousand visible pixels, as 0xRRGGBB.
    private var sampledColors: [Int] {
        let channels = layout.channels
        // An odd step does not keep hitting the same columns of an image with an even width.
        let step = channels * (width * height / 4096 | 1)
        let pixels = stride(from: 0, to: bytes.count, by: step)
        func color(_ pixel: Int) -> Int { Int(bytes[pixel]) << 16 | Int(bytes[pixel + 1]) << 8 | Int(bytes[pixel + 2]) }
        switch layout {
        case .grey: return pixels.map { Int(bytes[$0]) * 0x010101 }
        case .rgba: return pixels.compactMap { bytes[$0 + 3] < 128 ? nil : color($0) }
        default: return pixels.map(color)
        }
    }
}
