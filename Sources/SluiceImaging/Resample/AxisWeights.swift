// SPDX-License-Identifier: MIT

/// The scaling of one axis of an image: everything that its weights depend on.
struct AxisScaling: Sendable, Hashable {
    /// The number of source pixels.
    let length: Int
    /// The source range and the number of target pixels.
    let axis: ScaleGeometry.Axis
    let kernel: ThumbnailOptions.Kernel
    /// Whether a decoder has already shrunk the image by averaging pixels.
    let isShrunk: Bool

    /// The number of source pixels per target pixel.
    var step: Double { axis.extent / Double(axis.target) }

    /// The stretch of the filter in source pixels; 1 for enlargements, which interpolate between points.
    var scale: Double { max(1, step) }

    var function: ResamplingKernel { kernel.function(step: step) }

    /// The distance from a target pixel's centre within which source pixels contribute.
    var reach: Double { function.reach(scale: scale) + (isShrunk ? 1 : 0) }

    /// The maximum number of contributing source pixels, rounded up to a multiple of four for the inner loops.
    var taps: Int { (min(length, Int((2 * reach).rounded(.up)) + 2) + 3) & ~3 }
}

/// The contributing source pixels and their weights for each target pixel of one axis.
struct AxisWeights: Sendable {
    /// The first contributing source pixel of each target.
    private(set) var firsts: [Int32] = []
    /// The number of contributing source pixels of each target.
    private(set) var counts: [Int] = []
    /// The weights, ``taps`` per target, each repeated for every channel; unused ones are zero.
    private(set) var weights: [Float]
    /// The number of weights stored per target, from ``AxisScaling/taps``.
    let taps: Int
    private let channels: Int

    /// Computes the weights and repeats each for every channel.
    ///
    /// If a decoder has shrunk the image, which blurs it, the weights are sharpened to compensate.
    init(_ scaling: AxisScaling, channels: Int = 1) {
        let (axis, length) = (scaling.axis, scaling.length)
        let (step, reach) = (scaling.step, scaling.reach)
        let kernel = scaling.function
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
            if scaling.isShrunk { Self.sharpen(&values, count: end - first) }
            append(values.span.extracting(first: end - first), first: first)
        }
    }

    /// Compensates for the blur of a decoder's averaging at frequencies near the thumbnail's resolution.
    ///
    /// The mean of `n` pixels scales a wave of frequency `f` per pixel by 1 - (n² - 1) / 6 (pi f)². Adding the second
    /// difference with a share of (n² - 1) / 24n² restores it: 1/32 for n = 2, approaching 1/24 for large n. A slightly
    /// smaller share is closest to the ideal, because aliased higher frequencies would be amplified as well.
    private static func sharpen(_ weights: inout [Double], count: Int) {
        let share = 1.0 / 40
        var before = 0.0
        for index in 0..<count {
            let weight = weights[index]
            let after = index + 1 < count ? weights[index + 1] : 0
            weights[index] = weight + share * (2 * weight - before - after)
            before = weight
        }
    }

    /// Trims zeros at both ends and normalizes the sum to one, so that an even area keeps its colour.
    private mutating func append(_ values: Span<Double>, first: Int) {
        var leading = 0
        var end = values.count
        while leading + 1 < end, abs(values[leading]) <= 1e-7 { leading += 1 }
        while end > leading + 1, abs(values[end - 1]) <= 1e-7 { end -= 1 }
        var sum = 0.0
        for index in leading..<end { sum += values[index] }
        var offset = firsts.count * taps * channels
        for index in leading..<end {
            let weight = Float(values[index] / sum)
            for _ in 0..<channels {
                weights[offset] = weight
                offset += 1
            }
        }
        firsts.append(Int32(first + leading))
        counts.append(end - leading)
    }

    /// Returns the source index after the last one that contributes to `target`.
    func end(of target: Int) -> Int { Int(firsts[target]) + counts[target] }
}
