// SPDX-License-Identifier: MIT

extension Raster {
    /// Returns the image on a canvas of at least its own size; `shares` (0 to 1) is the part of the free space that
    /// lies left of and above the image.
    func padded(to canvas: ThumbnailPlan.Box, shares: (x: Double, y: Double), _ background: BackgroundColor) -> Raster {
        guard canvas.width != width || canvas.height != height else { return self }
        let isGrey = background.red == background.green && background.green == background.blue
        let wanted: PixelLayout =
            layout == .rgba || background.alpha < 255 ? .rgba : layout == .grey && isGrey ? .grey : .rgb
        let source = expanded(to: wanted)
        let channels = wanted.channels
        let pixel = [background.red, background.green, background.blue, background.alpha].prefix(channels)
        let left = Int((Double(canvas.width - width) * shares.x).rounded(.down))
        let top = Int((Double(canvas.height - height) * shares.y).rounded(.down))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(canvas.width * canvas.height * channels)
        func fill(_ pixels: Int) { for _ in 0..<pixels { bytes += pixel } }
        fill(top * canvas.width)
        for row in 0..<height {
            fill(left)
            bytes += source.bytes[row * width * channels..<(row + 1) * width * channels]
            fill(canvas.width - width - left)
        }
        fill((canvas.height - height - top) * canvas.width)
        return Raster(width: canvas.width, height: canvas.height, layout: wanted, bytes: bytes)
    }
}

extension Raster {
    /// Returns the part of the image that starts at a pixel.
    func part(x: Int, y: Int, _ width: Int, _ height: Int) -> Raster {
        let channels = layout.channels
        var part = Raster(width: width, height: height, layout: layout, bytes: [])
        part.bytes.reserveCapacity(width * height * channels)
        for row in y..<y + height {
            let start = (row * self.width + x) * channels
            part.bytes += bytes[start..<start + width * channels]
        }
        return part
    }
}
