// SPDX-License-Identifier: MIT

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
