// SPDX-License-Identifier: MIT

internal import SluiceDemo

/// A generated picture with sensor grain, which costs a codec about as much as a photograph.
///
/// The same number and width always give the same pixels.
struct GrainyPhoto: Sendable {
    let width: Int
    let height: Int
    /// The pixels, four bytes each.
    let rgba: [UInt8]

    /// The largest change that grain makes to a channel value, in either direction.
    private static let grain = 6

    init(number: Int, width: Int) {
        let picture = GeneratedPicture(number: abs(number) % 1000 + 1).bitmap(width: width)
        self.width = picture.width
        self.height = picture.height
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: number))
        var pixels = picture.rgba
        for start in stride(from: 0, to: pixels.count, by: 4) {
            var bits = random.next()
            for sample in start..<start + 3 {
                let shift = Int(bits & 0xFF) % (2 * Self.grain + 1) - Self.grain
                pixels[sample] = UInt8(clamping: Int(pixels[sample]) + shift)
                bits >>= 8
            }
        }
        rgba = pixels
    }
}
