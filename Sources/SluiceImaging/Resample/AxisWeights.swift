// SPDX-License-Identifier: MIT

/// For each pixel of one axis of a thumbnail: which of the source's pixels make it, and how much each counts.
struct AxisWeights: Sendable {
    /// The first pixel that counts.
    private(set) var firsts: [Int32] = []
    /// How many count.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` for each pixel, each as often as there are channels; those after its count are zero.
    private(set) var weights: [Float]
    /// The most that count, rounded up to what the inner loops take.
    let taps: Int
    private let channels: Int

    /// Weighs a source of `length` pixels, of which the axis uses a stretch.
    init(length: Int, axis: Fitting.Axis, kernel: Kernel, channels: Int = 1) {
        let step = axis.extent / Double(axis.target)
        // A thumbnail's pixel is made of all that lies under it; an enlarged picture is read at points.
        let scale = max(1, step)
        let reach = kernel.reach(scale: scale)
        taps = (min(length, Int((2 * reach).rounded(.up)) + 2) + 3) & ~3
        self.channels = channels
        weights = [Float](repeating: 0, count: axis.target * taps * channels)
        firsts.reserveCapacity(axis.target)
        counts.reserveCapacity(axis.target)
        var values = [Double](repeating: 0, count: taps)
        for target in 0..<axis.target {
            let centre = axis.start + (Double(target) + 0.5) * step
            let first = min(length - 1, max(0, Int((centre - reach).rounded(.down))))
            let end = min(length, max(first + 1, Int((centre + reach).rounded(.up))))
            for pixel in first..<end {
                values[pixel - first] = kernel.weight(Double(pixel) + 0.5 - centre, scale: scale)
            }
            append(values[..<(end - first)], first: first)
        }
    }

    /// Leaves out the zeros at both ends, and makes the sum one, so that an even area keeps its colour.
    private mutating func append(_ values: ArraySlice<Double>, first: Int) {
        var sum = 0.0
        for value in values { sum += value }
        let leading = values.firstIndex { abs($0) > 1e-7 } ?? 0
        let trailing = max(leading, values.lastIndex { abs($0) > 1e-7 } ?? 0)
        var place = firsts.count * taps * channels
        for index in leading...trailing {
            let weight = Float(values[index] / sum)
            for _ in 0..<channels {
                weights[place] = weight
                place += 1
            }
        }
        firsts.append(Int32(first + leading))
        counts.append(trailing - leading + 1)
    }

    /// The row after the last one that counts for `target`.
    func end(of target: Int) -> Int { Int(firsts[target]) + counts[target] }
}
