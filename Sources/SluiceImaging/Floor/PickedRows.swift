// SPDX-License-Identifier: MIT

/// The simplest way to make a picture smaller: of the rows that go by, the pixels under the thumbnail's middles are kept.
final class PickedRows: RowReceiving {
    private let width: Int
    private let height: Int
    private var shape: RowShape?
    /// Where in a row the pixels begin that are picked.
    private var columns: [Int] = []
    private var bytes: [UInt8] = []
    /// How many rows of the thumbnail there are, and how many of the picture's went by.
    private var picked = 0
    private var passed = 0

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    func begin(_ shape: RowShape) {
        self.shape = shape
        let pixel = shape.layout.channels * shape.depth / 8
        columns = (0..<width).map { (2 * $0 + 1) * shape.width / (2 * width) * pixel }
        bytes.reserveCapacity(width * height * shape.layout.channels)
    }

    func receive(_ row: Span<UInt8>) {
        defer { passed += 1 }
        guard let shape else { return }
        while picked < height, (2 * picked + 1) * shape.height / (2 * height) <= passed {
            for column in columns {
                for channel in 0..<shape.layout.channels { bytes.append(row[column + channel]) }
            }
            picked += 1
        }
    }

    /// The thumbnail, once the last row has come; `nil` of rows that it cannot be made of.
    var raster: Raster? {
        guard let shape, shape.depth == 8, shape.layout != .cmyk, picked == height else { return nil }
        return Raster(width: width, height: height, layout: shape.layout, bytes: bytes)
    }
}
