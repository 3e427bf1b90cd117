// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How much the pixels around a place count there.
///
/// The curve is held as a table, since every thumbnail asks for some ten thousand of its values; between two entries it
/// is followed to within a ten-millionth.
struct Kernel: Sendable {
    /// How far away a pixel still counts.
    let radius: Double
    private let table: [Double]
    private static let steps = 4096.0

    private init(radius: Double, curve: (Double) -> Double) {
        self.radius = radius
        table = (0...Int(radius * Self.steps) + 1).map { curve(Double($0) / Self.steps) }
    }

    /// The weight at a distance.
    func weight(_ distance: Double) -> Double {
        let place = abs(distance) * Self.steps
        let index = Int(place)
        guard index + 1 < table.count else { return 0 }
        return table[index] + (table[index + 1] - table[index]) * (place - Double(index))
    }

    /// Lanczos with three lobes: sharp, with little ringing.
    static let lanczos3 = Kernel(radius: 3) { x in
        if x == 0 { return 1 }
        if x >= 3 { return 0 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
}
