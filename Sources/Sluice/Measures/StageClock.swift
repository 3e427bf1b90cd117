// SPDX-License-Identifier: MIT

/// How many are in each stage, and how many were so on average since somebody last asked: a pure value.
///
/// It is exact, however rarely it is asked: what enters and leaves between two looks counts for as long as it stayed.
struct StageClock {
    private var counts = SIMD16<Int32>()
    /// For each stage the sum of the times at which somebody entered, less those at which somebody left.
    private var moments = SIMD16<Double>()
    /// Each stage's sum of everybody's stay when it was last asked.
    private var asked = SIMD16<Double>()
    private var askedAt = 0.0

    /// Takes note of `number` that entered a stage at a time of the run's in seconds, or left it.
    mutating func change(_ stage: Stage, by number: Int, at time: Double) {
        counts[stage.rawValue] &+= Int32(truncatingIfNeeded: number)
        moments[stage.rawValue] += Double(number) * time
    }

    /// How many are there now.
    func count(_ stage: Stage) -> Int { Int(counts[stage.rawValue]) }

    /// How many were in each stage on average since this was last called.
    mutating func means(at time: Double) -> StageMeans {
        let stayed = SIMD16<Double>(counts) * time - moments
        let span = time - askedAt
        defer { (asked, askedAt) = (stayed, time) }
        return StageMeans(span > 0 ? (stayed - asked) / span : SIMD16(counts))
    }
}

/// How many were in each stage on average.
struct StageMeans: Sendable, Hashable {
    private var values: SIMD16<Double>

    init(_ values: SIMD16<Double> = .zero) { self.values = values }

    subscript(stage: Stage) -> Double {
        get { values[stage.rawValue] }
        set { values[stage.rawValue] = newValue }
    }

    /// The means of two spans together, each weighed by its length.
    static func mean(_ one: StageMeans, over span: Double, _ other: StageMeans, over next: Double) -> StageMeans {
        let whole = span + next
        return whole > 0 ? StageMeans((one.values * span + other.values * next) / whole) : other
    }
}
