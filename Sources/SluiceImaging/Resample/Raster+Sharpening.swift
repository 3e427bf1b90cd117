// SPDX-License-Identifier: MIT

extension Raster {
    /// The most that sharpening may add.
    private static var mostSharpening: Double { 4 }

    /// The picture with what sets each pixel off from its eight neighbours made stronger by an amount.
    ///
    /// Opacity stays, and neighbours count by theirs. What lies beyond an edge is as the edge.
    func sharpened(_ amount: Double) -> Raster {
        guard amount > 0 else { return self }
        let strength = Int((min(amount, Self.mostSharpening) * 256).rounded())
        let colors = layout == .rgba ? 3 : layout.channels
        let blurred = blurred(premultiplied)
        var sharp = self
        for pixel in stride(from: 0, to: bytes.count, by: layout.channels) {
            // The weights of a blur sum up to 16.
            let opacity = layout == .rgba ? blurred[pixel + 3] : 16
            guard opacity > 0 else { continue }
            for sample in pixel..<pixel + colors {
                let value = Int(bytes[sample])
                let whole = opacity * 256
                let sharper = value * whole + (value * opacity - blurred[sample]) * strength
                sharp.bytes[sample] = UInt8(clamping: max(0, sharper + whole / 2) / whole)
            }
        }
        return sharp
    }

    /// The samples, those of a picture with alpha multiplied by it.
    private var premultiplied: [Int] {
        guard layout == .rgba else { return bytes.map(Int.init) }
        return bytes.indices.map { $0 & 3 == 3 ? Int(bytes[$0]) : Int(bytes[$0]) * Int(bytes[$0 | 3]) }
    }

    /// Samples like the picture's mixed with their neighbours', one to two to one each way.
    private func blurred(_ samples: [Int]) -> [Int] {
        let channels = layout.channels
        let row = width * channels
        let down = Self.mixed(samples, lines: height, step: row)
        var blurred: [Int] = []
        blurred.reserveCapacity(samples.count)
        for start in stride(from: 0, to: samples.count, by: row) {
            blurred += Self.mixed(down[start..<start + row], lines: width, step: channels)
        }
        return blurred
    }

    /// Lines of `step` samples each, mixed with those before and after.
    private static func mixed(_ samples: some RandomAccessCollection<Int>, lines: Int, step: Int) -> [Int] {
        let source = Array(samples)
        var mixed = source
        for line in 0..<lines {
            let before = line > 0 ? -step : 0
            let after = line + 1 < lines ? step : 0
            for index in line * step..<(line + 1) * step {
                mixed[index] = source[index + before] + 2 * source[index] + source[index + after]
            }
        }
        return mixed
    }
}
