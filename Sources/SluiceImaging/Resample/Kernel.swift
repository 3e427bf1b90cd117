// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// How much the pixels around a place count there.
///
/// A curve is held as a table, since every thumbnail asks for some ten thousand of its values; between two entries it
/// is followed to within a ten-millionth.
struct Kernel: Sendable {
    private enum Form: Sendable {
        case curve([Double])
        case area
        case nearest
    }

    /// How far away a pixel still counts, at the scale of one.
    let radius: Double
    private let form: Form
    private static let steps = 4096.0

    private init(radius: Double, curve: (Double) -> Double) {
        self.radius = radius
        form = .curve((0...Int(radius * Self.steps) + 2).map { curve(Double($0) / Self.steps) })
    }

    private init(_ form: Form, radius: Double) {
        self.form = form
        self.radius = radius
    }

    /// How far away a pixel still counts where `scale` pixels become one.
    func reach(scale: Double) -> Double {
        // Pixels count by how much of them lies under the target, which has half of itself to each side.
        if case .area = form { return (scale + 1) / 2 }
        return radius * scale
    }

    /// Weighs `count` pixels one after the other, the first of which lies at a distance, where `scale` become one.
    func weigh(_ weights: inout [Double], count: Int, from distance: Double, scale: Double) {
        switch form {
        case .nearest:
            for index in 0..<count { weights[index] = 1 }
        case .area:
            for index in 0..<count { weights[index] = min(1, max(0, (scale + 1) / 2 - abs(distance + Double(index)))) }
        case .curve(let table):
            let table = table.span
            let step = Self.steps / scale
            for index in 0..<count {
                let place = abs(distance + Double(index)) * step
                // The table's last two entries are zero, as is all that lies beyond.
                let entry = min(Int(place), table.count - 2)
                weights[index] = table[entry] + (table[entry + 1] - table[entry]) * (place - Double(entry))
            }
        }
    }

    /// Lanczos with three lobes: sharp, with little ringing.
    static let lanczos3 = Kernel(radius: 3) { x in
        if x == 0 { return 1 }
        if x >= 3 { return 0 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }

    /// Mitchell and Netravali's cubic with a third of each of its two errors.
    static let mitchell = Kernel(radius: 2) { x in
        if x >= 2 { return 0 }
        if x >= 1 { return ((-7 / 3 * x + 12) * x - 20) * x / 6 + 16.0 / 9 }
        return (7 * x - 12) * x * x / 6 + 8.0 / 9
    }

    /// The mean.
    static let area = Kernel(.area, radius: 1)
    /// The one pixel under the middle.
    static let nearest = Kernel(.nearest, radius: 0)
}

extension ThumbnailOptions.Kernel {
    /// The weights.
    var weights: Kernel {
        switch self {
        case .lanczos3: .lanczos3
        case .mitchell: .mitchell
        case .area: .area
        case .nearest: .nearest
        }
    }
}
