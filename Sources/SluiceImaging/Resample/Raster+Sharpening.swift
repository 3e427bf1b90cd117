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
                let edge = (value * opacity - blurred[sample]) * strength
                let change = Double(edge) / Double(opacity * 256)
                sharp.bytes[sample] = UInt8(clamping: value + Int(change.rounded()))
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
        func mixed(_ samples: [Int], step: Int, from place: (Int) -> Int, last: Int) -> [Int] {
            samples.indices.map { index in
                let before = place(index) > 0 ? index - step : index
                let after = place(index) < last ? index + step : index
                return samples[before] + 2 * samples[index] + samples[after]
            }
        }
        let across = mixed(samples, step: channels, from: { $0 % row / channels }, last: width - 1)
        return mixed(across, step: row, from: { $0 / row }, last: height - 1)
    }
}
