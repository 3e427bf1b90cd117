// SPDX-License-Identifier: MIT

extension Raster {
    /// Returns the start of the part of the given size (at most the image's own) with the most detail.
    ///
    /// Detail is the brightness difference of each pixel to its right and lower neighbours. Among equal windows, the
    /// one nearest to the centre wins.
    func busiestPart(_ width: Int, _ height: Int) -> (x: Int, y: Int) {
        var columns = [Int](repeating: 0, count: self.width)
        var rows = [Int](repeating: 0, count: self.height)
        let luma = luma.map { Int($0) }
        for y in 0..<self.height {
            let below = y + 1 < self.height ? self.width : 0
            for x in 0..<self.width {
                let index = y * self.width + x
                let right = x + 1 < self.width ? 1 : 0
                let change = abs(luma[index + right] - luma[index]) + abs(luma[index + below] - luma[index])
                columns[x] += change
                rows[y] += change
            }
        }
        return (Self.busiest(columns, width), Self.busiest(rows, height))
    }

    /// Returns the start of the window with the greatest sum.
    private static func busiest(_ energy: [Int], _ length: Int) -> Int {
        var sums = [0]
        for value in energy { sums.append((sums.last ?? 0) + value) }
        let middle = (energy.count - length) / 2
        var best = middle
        for distance in 0...energy.count {
            for start in [middle - distance, middle + distance] where start >= 0 && start + length <= energy.count {
                if sums[start + length] - sums[start] > sums[best + length] - sums[best] { best = start }
            }
        }
        return best
    }

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
