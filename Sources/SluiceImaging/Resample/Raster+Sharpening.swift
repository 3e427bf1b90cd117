// SPDX-License-Identifier: MIT

extension Raster {
    private static var maxSharpening: Double { 4 }

    /// Returns the image with each pixel's difference from its eight neighbours amplified by `amount`.
    ///
    /// Alpha is unchanged, and neighbours are weighted by theirs. Edge pixels are repeated outside the image.
    func sharpened(_ amount: Double) -> Raster {
        guard amount > 0 else { return self }
        let strength = Int((min(amount, Self.maxSharpening) * 256).rounded())
        var sharp = self
        var above = line(0)
        var here = above
        for y in 0..<height {
            let below = line(min(y + 1, height - 1))
            sharpen(y, strength, blurred(above, here, below), into: &sharp.bytes)
            above = here
            here = below
        }
        return sharp
    }

    /// Writes one sharpened line; the weights of the blur sum to 16.
    private func sharpen(_ y: Int, _ strength: Int, _ blurred: [Int], into target: inout [UInt8]) {
        let channels = layout.channels
        let colors = layout == .rgba ? 3 : channels
        let start = y * width * channels
        for pixel in stride(from: 0, to: blurred.count, by: channels) {
            let opacity = layout == .rgba ? blurred[pixel + 3] : 16
            guard opacity > 0 else { continue }
            let whole = opacity * 256
            for sample in pixel..<pixel + colors {
                let value = Int(bytes[start + sample])
                let sharper = value * whole + (value * opacity - blurred[sample]) * strength
                target[start + sample] = UInt8(clamping: max(0, sharper + whole / 2) / whole)
            }
        }
    }

    /// Returns a line's samples, premultiplied by alpha if there is one.
    private func line(_ y: Int) -> [Int] {
        let row = width * layout.channels
        var line = bytes[y * row..<(y + 1) * row].map(Int.init)
        guard layout == .rgba else { return line }
        for pixel in stride(from: 0, to: row, by: 4) {
            for channel in 0..<3 { line[pixel + channel] *= line[pixel + 3] }
        }
        return line
    }

    /// Returns a line blurred with the weights 1-2-1 in both directions.
    private func blurred(_ above: [Int], _ here: [Int], _ below: [Int]) -> [Int] {
        let channels = layout.channels
        let down = here.indices.map { above[$0] + 2 * here[$0] + below[$0] }
        return down.indices.map { index in
            let before = index >= channels ? down[index - channels] : down[index]
            let after = index + channels < down.count ? down[index + channels] : down[index]
            return before + 2 * down[index] + after
        }
    }
}
