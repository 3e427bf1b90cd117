// SPDX-License-Identifier: MIT

/// Interlaced PNGs, which the encoder does not write.
enum InterlacedPNG {
    /// An image of 5 x 5 pixels whose grey value is ten times the row plus the column.
    static let file = file(width: 5, height: 5) { UInt8($1 * 10 + $0) }

    /// Makes a grey image.
    static func file(width: Int, height: Int, _ pixel: (_ x: Int, _ y: Int) -> UInt8) -> [UInt8] {
        var rows: [UInt8] = []
        for pass in passes where pass.x < width {
            for y in stride(from: pass.y, to: height, by: pass.dy) {
                rows.append(0)
                for x in stride(from: pass.x, to: width, by: pass.dx) { rows.append(pixel(x, y)) }
            }
        }
        return FileBuilder.png(
            header: FileBuilder.header(width: UInt32(width), height: UInt32(height), colors: 0, interlaced: true),
            rows: rows)
    }

    private static let passes: [(x: Int, y: Int, dx: Int, dy: Int)] = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]
}
