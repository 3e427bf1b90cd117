// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging

/// A scene of many discs of several sizes on a gradient, for tests of copies.
struct TestScene {
    let seed: Int

    /// The brightness at a place from 0 to 1.
    func light(_ x: Double, _ y: Double) -> Double {
        var light = 60 + 60 * x + 30 * y
        for disc in 0..<60 {
            func noise(_ part: Int) -> Double {
                let mixed = UInt64(seed * 1000 + disc * 10 + part) &* 0x9E37_79B9_7F4A_7C15
                return Double(((mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 40 & 0xFFFF) / 65536
            }
            let radius = 0.015 + 0.09 * noise(2) * noise(2)
            let (dx, dy) = (x - noise(0), y - noise(1))
            if dx * dx + dy * dy < radius * radius { light = 255 * noise(3) }
        }
        return light
    }

    /// Writes a picture; `place` tells which place of the scene each place shows.
    func write(
        _ path: String, _ width: Int, _ height: Int, _ format: ImageFormat = .jpeg, quality: Int = 90,
        _ place: (Double, Double) -> (Double, Double) = { ($0, $1) }
    ) throws {
        var pixels: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = place((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                let value = UInt8(light(x, y))
                pixels += [value, value, value, 255]
            }
        }
        var encoder = ImageEncoder(format)
        encoder.quality = quality
        try Data(encoder.encode(pixels, width: width, height: height)).write(to: URL(filePath: path))
    }
}
