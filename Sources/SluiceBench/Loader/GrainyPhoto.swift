// SPDX-License-Identifier: MIT

internal import SluiceOrigin

/// A painted picture with grain, which costs a codec about what a photograph does; the same from the same number.
struct GrainyPhoto: Sendable {
    let width: Int
    let height: Int
    /// Four bytes a pixel.
    let rgba: [UInt8]

    /// How far grain moves a sample at most, each way.
    private static let grain = 6

    init(number: Int, width: Int) {
        let picture = Painting(number: abs(number) % 1000 + 1).picture(width: width)
        self.width = picture.width
        self.height = picture.height
        var chance = Chance(seed: UInt64(truncatingIfNeeded: number))
        var pixels = picture.rgba
        for start in stride(from: 0, to: pixels.count, by: 4) {
            var bits = chance.next()
            for sample in start..<start + 3 {
                let shift = Int(bits & 0xFF) % (2 * Self.grain + 1) - Self.grain
                pixels[sample] = UInt8(clamping: Int(pixels[sample]) + shift)
                bits >>= 8
            }
        }
        rgba = pixels
    }
}
