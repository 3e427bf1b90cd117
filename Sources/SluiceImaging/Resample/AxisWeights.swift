// SPDX-License-Identifier: MIT

/// For each pixel of one axis of a thumbnail: which of the source's pixels make it, and how much each counts.
struct AxisWeights: Sendable {
    /// The first pixel that counts.
    private(set) var firsts: [Int32] = []
    /// How many count.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` for each pixel; those after its count are zero.
    private(set) var weights: [Float]
    /// The most that count, rounded up to what the inner loops take.
    let taps: Int

    /// Weighs a source of `length` pixels, of which the axis uses a stretch.
    init(length: Int, axis: Fitting.Axis, kernel: Kernel) {
        let step = axis.extent / Double(axis.target)
        // A thumbnail's pixel is made of all that lies under it; an enlarged picture is read at points.
        let scale = max(1, step)
        let reach = kernel.radius * scale
        let most = min(length, Int((2 * reach).rounded(.up)) + 2)
        taps = (most + 3) & ~3
        weights = []
        weights.reserveCapacity(axis.target * taps)
        for target in 0..<axis.target {
            let centre = axis.start + (Double(target) + 0.5) * step
            let first = min(length - 1, max(0, Int((centre - reach).rounded(.down))))
            let end = min(length, max(first + 1, Int((centre + reach).rounded(.up))))
            append(first..<end) { kernel.weight((Double($0) + 0.5 - centre) / scale) }
        }
    }

    /// Leaves out the zeros at both ends, and makes the sum one, so that an even area keeps its colour.
    private mutating func append(_ range: Range<Int>, weight: (Int) -> Double) {
        var values = range.map(weight)
        let leading = values.firstIndex { abs($0) > 1e-7 } ?? 0
        let trailing = values.lastIndex { abs($0) > 1e-7 } ?? 0
        values = Array(values[leading...max(leading, trailing)])
        let sum = values.reduce(0, +)
        firsts.append(Int32(range.lowerBound + leading))
        counts.append(values.count)
        weights += values.map { Float($0 / sum) }
        weights += repeatElement(0, count: taps - values.count)
    }

    /// The row after the last one that counts for `target`.
    func end(of target: Int) -> Int { Int(firsts[target]) + counts[target] }
}
