// SPDX-License-Identifier: MIT

extension Raster {
    /// The colour that most of a sRGB picture has, as `#rrggbb`; `nil` if all of it is transparent.
    ///
    /// Colours are counted in boxes of 16 steps a channel; the answer is the mean of the fullest box, which is a colour
    /// that is there, as the mean of the whole picture often is not.
    var dominantColour: String? {
        var boxes = [Box](repeating: Box(), count: 4096)
        let channels = layout.channels
        for pixel in stride(from: 0, to: bytes.count, by: channels) {
            if layout == .rgba, bytes[pixel + 3] < 128 { continue }
            let red = bytes[pixel]
            let (green, blue) = layout == .grey ? (red, red) : (bytes[pixel + 1], bytes[pixel + 2])
            boxes[Int(red >> 4) << 8 | Int(green >> 4) << 4 | Int(blue >> 4)].add(red, green, blue)
        }
        var fullest = Box()
        for box in boxes where box.count > fullest.count { fullest = box }
        return fullest.count > 0 ? fullest.mean : nil
    }

    private struct Box {
        var count = 0
        private var sums = (red: 0, green: 0, blue: 0)

        mutating func add(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
            count += 1
            sums = (sums.red + Int(red), sums.green + Int(green), sums.blue + Int(blue))
        }

        var mean: String {
            let digits = Array("0123456789abcdef")
            let channels = [sums.red, sums.green, sums.blue].map { ($0 + count / 2) / count }
            return "#" + String(channels.flatMap { [digits[$0 >> 4], digits[$0 & 15]] })
        }
    }
}
