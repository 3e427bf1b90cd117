// SPDX-License-Identifier: MIT

/// Computes round numbers for the axes of charts, without the C library's logarithm.
enum ChartAxis {
    /// The numbers that, times a power of ten, may end an axis; a quarter of each is round, too.
    private static let ends = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10]

    /// Returns the smallest round number that is at least `value`; a power of ten for a logarithmic axis.
    static func roundedUp(_ value: Double, isLogarithmic: Bool) -> Double {
        let power = powerBelow(value)
        for factor in isLogarithmic ? [1.0, 10] : ends where power * factor >= value * 0.9999 {
            return power * factor
        }
        return power * 10
    }

    /// Returns the largest power of ten that is at most `value`, which must be positive.
    static func powerBelow(_ value: Double) -> Double {
        var power = 1.0
        while power > value { power /= 10 }
        while power * 10 <= value { power *= 10 }
        return power
    }

    /// Returns the decimal logarithm of `value / least`, linearly interpolated within a decade.
    static func decades(from least: Double, to value: Double) -> Double {
        var decades = 0.0
        var reached = least
        while reached * 10 <= value {
            reached *= 10
            decades += 1
        }
        // The points between which to interpolate within a decade.
        let stops = [(1.0, 0.0), (1.5, 0.1761), (2, 0.3010), (3, 0.4771), (5, 0.6990), (7, 0.8451), (10, 1)]
        let rest = value / reached
        for (low, high) in zip(stops, stops.dropFirst()) where rest < high.0 {
            return decades + low.1 + (high.1 - low.1) * max(0, rest - low.0) / (high.0 - low.0)
        }
        return decades
    }

    /// Returns the values of the grid lines.
    static func marks(from least: Double, to most: Double, isLogarithmic: Bool) -> [Double] {
        guard isLogarithmic else { return (0...4).map { most * Double($0) / 4 } }
        var marks = [least]
        while let last = marks.last, last * 10 <= most * 1.0001 { marks.append(last * 10) }
        return marks
    }
}
