// SPDX-License-Identifier: MIT

/// How one axis of a picture is scaled: all that its weights depend on.
struct AxisScaling: Sendable, Hashable {
    /// How many pixels the source has.
    let length: Int
    /// Which of them become how many.
    let axis: Fitting.Axis
    let kernel: ThumbnailOptions.Kernel
    /// Whether a decoder made each of the source's pixels the mean of some.
    let isShrunk: Bool

    /// How many pixels of the source become one.
    var step: Double { axis.extent / Double(axis.target) }

    /// How many of them the kernel is stretched over: an enlarged picture is read at points.
    var scale: Double { max(1, step) }

    /// How far from a thumbnail's pixel those of the source count.
    var reach: Double { kernel.weights.reach(scale: scale) + (isShrunk ? 1 : 0) }

    /// The most that count, rounded up to what the inner loops take.
    var taps: Int { (min(length, Int((2 * reach).rounded(.up)) + 2) + 3) & ~3 }
}
