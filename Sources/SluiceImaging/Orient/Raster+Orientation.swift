// SPDX-License-Identifier: MIT

extension Raster {
    /// The picture turned upright from how EXIF's orientation, 1 to 8, says it is stored.
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

    /// Picks pixels up: the steps lead from one to the next within a row, and from one row's first to the next's.
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
