// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How much the pixels around a place count there.
struct Kernel: Sendable {
    /// How far away a pixel still counts.
    let radius: Double
    /// The weight at a distance.
    let weight: @Sendable (Double) -> Double

    /// Lanczos with three lobes: sharp, with little ringing.
    static let lanczos3 = Kernel(radius: 3) { distance in
        let x = abs(distance)
        if x >= 3 { return 0 }
        if x < 1e-9 { return 1 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
}
