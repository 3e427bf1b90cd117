// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Generated images, so that a test knows every expected pixel.
enum SampleImages {
    /// An opaque colour gradient.
    static func landscape(_ width: Int, _ height: Int) -> Raster {
        make(width, height, .rgb) { x, y in
            [
                UInt8(x * 255 / max(1, width - 1)), UInt8(y * 255 / max(1, height - 1)),
                UInt8((x + height - y) * 255 / (width + height)),
            ]
        }
    }

    /// Red, green, blue and white quarters: top left, top right, bottom left, bottom right.
    static func quarters(_ width: Int, _ height: Int) -> Raster {
        make(width, height, .rgb) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): [255, 0, 0]
            case (false, true): [0, 255, 0]
            case (true, false): [0, 0, 255]
            case (false, false): [255, 255, 255]
            }
        }
    }

    /// An image of one colour.
    static func plain(_ width: Int, _ height: Int, _ layout: PixelLayout, _ pixel: [UInt8]) -> Raster {
        make(width, height, layout) { _, _ in pixel }
    }

    static func make(_ width: Int, _ height: Int, _ layout: PixelLayout, _ pixel: (Int, Int) -> [UInt8]) -> Raster {
        var bytes: [UInt8] = []
        for y in 0..<height { for x in 0..<width { bytes += pixel(x, y) } }
        return Raster(width: width, height: height, layout: layout, bytes: bytes)
    }

    /// Encodes an image as a small file of the given format.
    static func file(_ format: ImageFormat, _ raster: Raster = landscape(24, 16), progressive: Bool = false) throws
        -> [UInt8]
    {
        var encoder = ImageEncoder(format)
        encoder.quality = 95
        encoder.isProgressive = progressive
        return try encoder.encode(raster)
    }
}

extension Raster {
    /// Returns the samples of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        let start = (y * width + x) * layout.channels
        return bytes[start..<start + layout.channels].map(Int.init)
    }

    /// Returns the maximum difference of any sample from another image; 256 if the images' shapes differ.
    func distance(to other: Raster) -> Int {
        guard width == other.width, height == other.height, layout == other.layout else { return 256 }
        return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 256
    }
}
