// SPDX-License-Identifier: MIT

/// The ticks of a chart's axis.
struct AxisScale {
    /// The values of the ticks, starting with 0.
    let ticks: [Double]
    /// The value of the last tick.
    var end: Double { ticks.last ?? 1 }

    /// Ticks at round numbers (1, 2 or 5 times a power of ten), up to the first that is at least `maximum`.
    init(upTo maximum: Double, steps: Int = 4) {
        let maximum = maximum.isFinite && maximum > 0 ? maximum : 1
        var power = 1.0
        while power * 10 * Double(steps) < maximum { power *= 10 }
        while power * Double(steps) > maximum * 10 { power /= 10 }
        let step =
            [0.1, 0.2, 0.5, 1, 2, 5, 10].map { $0 * power }.first { $0 * Double(steps) >= maximum } ?? power * 10
        ticks = Self.ticks(step, upTo: maximum)
    }

    /// Ticks at round times, up to the last that is at most `maximum` seconds.
    init(seconds maximum: Double, steps: Int = 5) {
        let wanted = maximum / Double(steps)
        let roundTimes: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200,
        ]
        let step = roundTimes.first { $0 >= wanted } ?? (wanted / 86400).rounded(.up) * 86400
        ticks = Self.ticks(step, upTo: maximum).filter { $0 <= maximum }
    }

    private static func ticks(_ step: Double, upTo maximum: Double) -> [Double] {
        // Multiply instead of adding, to avoid rounding errors.
        (0...max(1, Int((maximum / step - 1e-9).rounded(.up)))).map { Double($0) * step }
    }
}
