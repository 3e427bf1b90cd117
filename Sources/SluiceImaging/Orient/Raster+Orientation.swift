// SPDX-License-Identifier: MIT

extension Raster {
    /// The picture turned upright from how EXIF's orientation, 1 to 8, says it is stored.
    func upright(from orientation: Int) -> Raster {
        guard orientation > 1 else { return self }
        let channels = layout.channels
        let swaps = orientation > 4
        let (newWidth, newHeight) = swaps ? (height, width) : (width, height)
        let mirrorsX = [2, 3, 7, 8].contains(orientation)
        let mirrorsY = [3, 4, 6, 7].contains(orientation)
        var turned: [UInt8] = []
        turned.reserveCapacity(bytes.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (column, row) = swaps ? (y, x) : (x, y)
                let from = (mirrorsY ? height - 1 - row : row) * width + (mirrorsX ? width - 1 - column : column)
                turned.append(contentsOf: bytes[from * channels..<(from + 1) * channels])
            }
        }
        return Raster(width: newWidth, height: newHeight, layout: layout, bytes: turned)
    }
}
