// SPDX-License-Identifier: MIT

extension Raster {
    /// The colour that most of a sRGB picture has, as `#rrggbb`; `nil` if all of it is transparent.
    ///
    /// Colours are counted in boxes of 16 steps a channel; the answer is the mean of the fullest box, which is a colour
    /// that is there, as the mean of the whole picture often is not. Some thousands of pixels are enough to tell.
    var dominantColor: String? {
        let colors = someColors
        var counts = [Int](repeating: 0, count: 4096)
        for color in colors { counts[Self.box(color)] += 1 }
        guard let most = counts.max(), most > 0, let fullest = counts.firstIndex(of: most) else { return nil }
        var sums = [0, 0, 0]
        for color in colors where Self.box(color) == fullest {
            for channel in 0..<3 { sums[channel] += color >> (16 - 8 * channel) & 255 }
        }
        let digits = Array("0123456789abcdef")
        let channels = sums.map { ($0 + most / 2) / most }
        return "#" + String(channels.flatMap { [digits[$0 >> 4], digits[$0 & 15]] })
    }

    private static func box(_ color: Int) -> Int { color >> 12 & 0xF00 | color >> 8 & 0xF0 | color >> 4 & 0xF }

    /// Red, green and blue of some thousands of pixels, of those that can be seen, as 0xRRGGBB.
    private var someColors: [Int] {
        let channels = layout.channels
        // An odd step does not keep falling on the same columns of a picture whose width is even.
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
