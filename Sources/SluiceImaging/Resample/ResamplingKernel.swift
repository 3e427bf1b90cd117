// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The weight of source pixels by their distance from the target pixel.
///
/// A curve is stored as a table, because each thumbnail needs about ten thousand values. Interpolation between two
/// entries is accurate to one ten-millionth.
struct ResamplingKernel: Sendable {
    private enum Form: Sendable {
        case curve([Double])
        case area
        case nearest
    }

    /// The distance at which weights become zero, at a scale of one.
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

    /// Returns the distance at which weights become zero if `scale` source pixels become one.
    func reach(scale: Double) -> Double {
        // Source pixels count by their overlap with the target pixel, which extends half its width to each side.
        if case .area = form { return (scale + 1) / 2 }
        return radius * scale
    }

    /// Computes the weights of `count` adjacent pixels, the first at a signed distance, if `scale` pixels become one.
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
                let position = abs(distance + Double(index)) * step
                // The table's last two entries are zero, like everything beyond it.
                let entry = min(Int(position), table.count - 2)
                weights[index] = table[entry] + (table[entry + 1] - table[entry]) * (position - Double(entry))
            }
        }
    }

    /// Lanczos with three lobes: sharp, with little ringing.
    static let lanczos3 = ResamplingKernel(radius: 3) { x in
        if x == 0 { return 1 }
        if x >= 3 { return 0 }
        // The other sine, of three times the angle, follows from this one: sin 3a = (3 - 4 sin² a) sin a.
        let sine = sin(.pi * x / 3)
        return 3 * (3 - 4 * sine * sine) * sine * sine / (.pi * .pi * x * x)
    }

    /// The Mitchell-Netravali cubic with B = C = 1/3.
    static let mitchell = ResamplingKernel(radius: 2) { x in
        if x >= 2 { return 0 }
        if x >= 1 { return ((-7 / 3 * x + 12) * x - 20) * x / 6 + 16.0 / 9 }
        return (7 * x - 12) * x * x / 6 + 8.0 / 9
    }

    /// The mean of the covered pixels.
    static let area = ResamplingKernel(.area, radius: 1)
    static let nearest = ResamplingKernel(.nearest, radius: 0)
}

extension ThumbnailOptions.Kernel {
    /// Returns the function for an axis with `step` source pixels for each target pixel.
    func function(step: Double) -> ResamplingKernel {
        switch self {
        case .lanczos3: .lanczos3
        case .mitchell: .mitchell
        case .area: .area
        case .areaLanczos3: step < 1 ? .lanczos3 : .area
        case .nearest: .nearest
        }
    }
}
