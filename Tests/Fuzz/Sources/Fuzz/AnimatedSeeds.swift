// SPDX-License-Identifier: MIT

@testable internal import SluiceImaging

/// Small animations as seeds, made of still files.
enum AnimatedSeeds {
    /// Returns an animation of two frames; `nil` for a format without animations, or one that only others can write.
    static func file(_ format: ImageFormat) throws -> [UInt8]? {
        let picture = Codec.testPicture
        switch format {
        case .webp:
            let animation = try ImageEncoder(.webp).startAnimation(
                width: picture.width, height: picture.height, loops: 3)
            try animation.add(picture, at: 0)
            try animation.add(picture.flipped, at: 100)
            return try animation.finish(at: 300)
        case .gif:
            guard let still = Codecs.codec(of: .gif).makeTestFile?() else { return nil }
            // The picture follows the description of the screen and its 128 colours.
            let image = still[(13 + 128 * 3)...].dropLast()
            let control: [UInt8] = [0x21, 0xF9, 4, 2 << 2 | 1, 10, 0, 5, 0]
            return still.dropLast() + control + image + control + image + [0x3B]
        case .png:
            let still = try ImageEncoder(.png).encode(picture)
            let end = still.count - 12
            // The pixels follow the header and their own length and name.
            let pixels = Array(still[41..<end - 4])
            func control(_ number: UInt8) -> [UInt8] {
                PNGChecksums.chunk(
                    "fcTL",
                    [0, 0, 0, number, 0, 0, 0, 16, 0, 0, 0, 16] + [UInt8](repeating: 0, count: 8)
                        + [0, 1, 0, 5, number % 3, 1])
            }
            return still[..<33] + PNGChecksums.chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 3]) + control(0)
                + PNGChecksums.chunk("IDAT", pixels)
                + control(1) + PNGChecksums.chunk("fdAT", [0, 0, 0, 2] + pixels) + still[end...]
        default: return nil
        }
    }
}

extension Raster {
    /// The image with its rows in reverse order.
    fileprivate var flipped: Raster {
        var flipped = self
        let rowBytes = width * layout.channels
        flipped.bytes = (0..<height).reversed().flatMap { bytes[$0 * rowBytes..<($0 + 1) * rowBytes] }
        return flipped
    }
}
