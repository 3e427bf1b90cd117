// SPDX-License-Identifier: MIT

extension Raster {
    /// Returns the image turned upright from a stored EXIF orientation, 1 to 8.
    func upright(from orientation: Int) -> Raster {
        guard orientation > 1 else { return self }
        let swaps = orientation > 4
        let mirrorsX = [2, 3, 7, 8].contains(orientation)
        let mirrorsY = [3, 4, 6, 7].contains(orientation)
        let stepX = mirrorsX ? -1 : 1
        let stepY = mirrorsY ? -width : width
        let start = (mirrorsX ? width - 1 : 0) + (mirrorsY ? (height - 1) * width : 0)
        var turned = self
        if swaps { (turned.width, turned.height) = (height, width) }
        turned.bytes = gather(
            from: start, columns: turned.width, columnStep: swaps ? stepY : stepX,
            rows: turned.height, rowStep: swaps ? stepX : stepY)
        return turned
    }

    /// Collects pixels in steps: `columnStep` between the pixels of a row, `rowStep` between the first pixels of rows.
    private func gather(from start: Int, columns: Int, columnStep: Int, rows: Int, rowStep: Int) -> [UInt8] {
        let channels = layout.channels
        let source = bytes.span
        return unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
            for row in 0..<rows {
                var pixel = (start + row * rowStep) * channels
                for _ in 0..<columns {
                    for channel in 0..<channels {
                        unsafe target[count] = source[pixel + channel]
                        count += 1
                    }
                    pixel += columnStep * channels
                }
            }
        }
    }
}
