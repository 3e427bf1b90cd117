// SPDX-License-Identifier: MIT

extension Raster {
    /// The colour that most of a sRGB picture has, as `#rrggbb`; `nil` if all of it is transparent.
    ///
    /// Colours are counted in boxes of 16 steps a channel; the answer is the mean of the fullest box, which is a colour
    /// that is there, as the mean of the whole picture often is not. Some thousands of pixels are enough to tell.
    var dominantColor: String? {
        var counts = [Int](repeating: 0, count: 4096)
        forEachSample { red, green, blue in counts[Self.box(red, green, blue)] += 1 }
        guard let most = counts.max(), most > 0, let fullest = counts.firstIndex(of: most) else { return nil }
        var sums = [0, 0, 0]
        forEachSample { red, green, blue in
            guard Self.box(red, green, blue) == fullest else { return }
            sums[0] += Int(red)
            sums[1] += Int(green)
            sums[2] += Int(blue)
        }
        let digits = Array("0123456789abcdef")
        let channels = sums.map { ($0 + most / 2) / most }
        return "#" + String(channels.flatMap { [digits[$0 >> 4], digits[$0 & 15]] })
    }

    private static func box(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
        Int(red >> 4) << 8 | Int(green >> 4) << 4 | Int(blue >> 4)
    }

    private func forEachSample(_ body: (UInt8, UInt8, UInt8) -> Void) {
        let channels = layout.channels
        let bytes = bytes.span
        // An odd step does not keep falling on the same columns of a picture whose width is even.
        let step = channels * (width * height / 4096 | 1)
        for pixel in stride(from: 0, to: bytes.count, by: step) {
            switch layout {
            case .grey: body(bytes[pixel], bytes[pixel], bytes[pixel])
            case .rgba where bytes[pixel + 3] < 128: continue
            default: body(bytes[pixel], bytes[pixel + 1], bytes[pixel + 2])
            }
        }
    }
}
