// SPDX-License-Identifier: MIT

/// For each pixel of one axis of a thumbnail: which of the source's pixels make it, and how much each counts.
struct AxisWeights: Sendable {
    /// The first pixel that counts.
    private(set) var firsts: [Int32] = []
    /// How many count.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` for each pixel, each as often as there are channels; those after its count are zero.
    private(set) var weights: [Float]
    /// The room for the weights of one, as ``AxisScaling/taps`` has it.
    let taps: Int
    private let channels: Int

    /// Weighs the source's pixels, each weight as often as there are channels.
    ///
    /// Where a decoder made them the mean of some, which blurs, weights stand out as much.
    init(_ scaling: AxisScaling, channels: Int = 1) {
        let (axis, length) = (scaling.axis, scaling.length)
        let (step, reach) = (scaling.step, scaling.reach)
        let kernel = scaling.kernel.weights
        taps = scaling.taps
        self.channels = channels
        weights = [Float](repeating: 0, count: axis.target * taps * channels)
        firsts.reserveCapacity(axis.target)
        counts.reserveCapacity(axis.target)
        var values = [Double](repeating: 0, count: taps)
        for target in 0..<axis.target {
            let centre = axis.start + (Double(target) + 0.5) * step
            let first = min(length - 1, max(0, Int((centre - reach).rounded(.down))))
            let end = min(length, max(first + 1, Int((centre + reach).rounded(.up))))
            kernel.weigh(&values, count: end - first, from: Double(first) + 0.5 - centre, scale: scaling.scale)
            if scaling.isShrunk { Self.stress(&values, count: end - first) }
            append(values.span.extracting(first: end - first), first: first)
        }
    }

    /// Undoes what a decoder's mean took from waves of about the thumbnail's fineness.
    ///
    /// The mean of `n` pixels lets a wave of `f` for each through by 1 - (n² - 1) / 6 (pi f)², of which the second
    /// difference makes up for with this share of (n² - 1) / 24n²: 1/32 for two, 1/24 for very many. A little less comes
    /// closest to the ideal, since what lies above is folded in and would be stressed as well.
    private static func stress(_ weights: inout [Double], count: Int) {
        let share = 1.0 / 40
        var before = 0.0
        for index in 0..<count {
            let weight = weights[index]
            let after = index + 1 < count ? weights[index + 1] : 0
            weights[index] = weight + share * (2 * weight - before - after)
            before = weight
        }
    }

    /// Leaves out the zeros at both ends, and makes the sum one, so that an even area keeps its colour.
    private mutating func append(_ values: Span<Double>, first: Int) {
        var leading = 0
        var end = values.count
        while leading + 1 < end, abs(values[leading]) <= 1e-7 { leading += 1 }
        while end > leading + 1, abs(values[end - 1]) <= 1e-7 { end -= 1 }
        var sum = 0.0
        for index in leading..<end { sum += values[index] }
        var place = firsts.count * taps * channels
        for index in leading..<end {
            let weight = Float(values[index] / sum)
            for _ in 0..<channels {
                weights[place] = weight
                place += 1
            }
        }
        firsts.append(Int32(first + leading))
        counts.append(end - leading)
    }

    /// The row after the last one that counts for `target`.
    func end(of target: Int) -> Int { Int(firsts[target]) + counts[target] }
}
