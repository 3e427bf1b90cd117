// SPDX-License-Identifier: MIT

/// Which numbers stand along an axis, and how far it reaches.
struct Scale {
    /// The numbers, the first of them 0.
    let ticks: [Double]
    /// The last of them.
    var end: Double { ticks.last ?? 1 }

    /// Round numbers up to the first one that is not below `most`: 1, 2 or 5, with noughts.
    init(upTo most: Double, steps: Int = 4) {
        let most = most.isFinite && most > 0 ? most : 1
        var power = 1.0
        while power * 10 * Double(steps) < most { power *= 10 }
        while power * Double(steps) > most * 10 { power /= 10 }
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10].map { $0 * power }.first { $0 * Double(steps) >= most } ?? power * 10
        ticks = Self.ticks(step, upTo: most)
    }

    /// Round times up to the last one that is not above `most` seconds.
    init(seconds most: Double, steps: Int = 5) {
        let wanted = most / Double(steps)
        let round: [Double] = [
            0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200,
        ]
        let step = round.first { $0 >= wanted } ?? (wanted / 86400).rounded(.up) * 86400
        ticks = Self.ticks(step, upTo: most).filter { $0 <= most }
    }

    private static func ticks(_ step: Double, upTo most: Double) -> [Double] {
        // Multiplied and not added up, or they would not be round.
        (0...max(1, Int((most / step - 1e-9).rounded(.up)))).map { Double($0) * step }
    }
}
