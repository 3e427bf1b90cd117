// SPDX-License-Identifier: MIT

/// Adjusts the number of items in flight for the highest goodput: a state machine without clocks and I/O.
///
/// A run is divided into rounds. A round's goodput is the bytes completed per second, where each item counts as 16 KiB
/// in addition to its bytes.
///
/// - Doubling: From the initial width on, the controller doubles the width as long as goodput rises by 25 %.
/// - Holding: It keeps the width for a number of rounds, and then starts a trial.
/// - Trying: It measures a width a quarter larger or smaller for two rounds, after one round that is ignored. A larger
///   width is kept if goodput rises by 6 %. A smaller one is kept if goodput is at most 3 % below the best known.
///
/// After a successful trial, the next step in the same direction is larger: the step factor is squared, up to 2. After
/// a failed one, the width is reverted, the direction changes, and the time until the next trial doubles, up to 24
/// rounds. This limits how often a settled width changes.
///
/// If goodput falls by 30 % or rises by 40 % over two rounds without an adjustment, the network has changed, and a
/// trial starts immediately. Rejected requests lower the goodput, so they need no rule of their own. Rounds with free
/// slots are ignored, because they say nothing about the width.
package struct ConcurrencyController: Sendable {
    /// The work completed in one interval.
    package struct Round: Sendable, Hashable {
        package var seconds: Double
        /// The number of completed items.
        package var items: Int
        /// The bytes of these items.
        package var bytes: Int
        /// Whether all slots were in use.
        package var isFull = true

        package init(seconds: Double, items: Int, bytes: Int, isFull: Bool = true) {
            (self.seconds, self.items, self.bytes, self.isFull) = (seconds, items, bytes, isFull)
        }

        /// The goodput in bytes per second.
        var goodput: Double { (Double(bytes) + Double(items) * 16384) / max(seconds, 1e-6) }
    }

    /// A change of the width.
    package struct Adjustment: Sendable, Hashable {
        package var width: Int
        /// The reason why it changed.
        package var reason: Reason
        /// The goodput of the last round, in bytes per second.
        package var goodput: Double
    }

    /// The reason why the width changes.
    package enum Reason: String, Sendable, Hashable {
        /// The width is doubled at the beginning.
        case doubling
        /// A larger width is tried.
        case tryingMore = "trying-more"
        /// A smaller width is tried.
        case tryingLess = "trying-less"
        /// A trial failed, and the previous width is restored.
        case reverted = "taken-back"
    }

    private enum Phase {
        /// The width is doubled; `from` is the previous width and its goodput.
        case doubling(from: (width: Int, goodput: Double)?)
        /// The width is kept for this many more rounds.
        case holding(Int)
        /// Another width is measured; `from` is the previous width and its goodput.
        case trying(from: (width: Int, goodput: Double))
    }

    /// The current number of items in flight.
    package private(set) var width: Int
    private let maxWidth: Int
    private var phase = Phase.doubling(from: nil)
    /// The goodput of the current width, if known.
    private var knownGoodput: Double?
    /// The best goodput so far; it decays slowly.
    private var best = 0.0
    private var samples: [Double] = []
    /// The number of rounds to ignore, because they still show the previous width.
    private var unsettled = 1
    private var isUpwards = true
    private var step = Self.minStep
    /// The number of rounds until the next trial.
    private var holdRounds = Self.minHoldRounds

    private static let minStep = 1.25
    private static let maxStep = 2.0
    private static let minHoldRounds = 2
    private static let maxHoldRounds = 24

    /// Starts with `width`; later widths are between 1 and `maxWidth`.
    package init(from width: Int, upTo maxWidth: Int) {
        precondition(width > 0 && maxWidth > 0, "a width is at least 1")
        self.maxWidth = maxWidth
        self.width = min(width, maxWidth)
    }

    /// Records a round; returns the adjustment if the width changes.
    package mutating func record(_ round: Round) -> Adjustment? {
        guard round.isFull else { return nil }
        guard unsettled == 0 else {
            unsettled -= 1
            return nil
        }
        samples.append(round.goodput)
        switch phase {
        case .doubling(let before): return double(from: before)
        case .holding(let rounds): return hold(rounds, round)
        case .trying(let before): return evaluate(from: before)
        }
    }

    // MARK: Phases

    private mutating func double(from before: (width: Int, goodput: Double)?) -> Adjustment? {
        let goodput = samples[0]
        if let before, goodput < before.goodput * 1.06 {
            return revert(before)
        }
        settle(at: goodput)
        if let before, goodput < before.goodput * 1.25 { return nil }
        guard width < maxWidth else { return nil }
        phase = .doubling(from: (width, goodput))
        return change(to: width * 2, .doubling, goodput)
    }

    private mutating func hold(_ rounds: Int, _ round: Round) -> Adjustment? {
        let recent = mean(samples.suffix(2))
        let usual = knownGoodput ?? recent
        if samples.count >= 2, recent < usual * 0.7 || recent > usual * 1.4 {
            isUpwards = recent > usual
            best = recent
            knownGoodput = recent
            holdRounds = Self.minHoldRounds
            return startTrial()
        }
        knownGoodput = usual + (round.goodput - usual) / 4
        best = max(best * 0.995, knownGoodput ?? 0)
        guard rounds <= 1 else {
            phase = .holding(rounds - 1)
            return nil
        }
        return startTrial()
    }

    private mutating func evaluate(from before: (width: Int, goodput: Double)) -> Adjustment? {
        guard samples.count == 2 else { return nil }
        let goodput = mean(samples[...])
        let isBetter = width > before.width ? goodput >= before.goodput * 1.06 : goodput >= best * 0.97
        guard isBetter else { return revert(before) }
        settle(at: goodput)
        step = min(step * step, Self.maxStep)
        holdRounds = Self.minHoldRounds
        return startTrial()
    }

    // MARK: Steps

    /// Starts a trial in the current direction, or in the other one at either limit.
    private mutating func startTrial() -> Adjustment? {
        if width == maxWidth { isUpwards = false }
        if width == 1 { isUpwards = true }
        let scaled = Double(width) * (isUpwards ? step : 1 / step)
        let next = isUpwards ? max(width + 1, Int(scaled)) : min(width - 1, Int(scaled.rounded(.up)))
        guard next != width, (1...maxWidth).contains(min(next, maxWidth)) else { return nil }
        phase = .trying(from: (width, knownGoodput ?? 0))
        return change(to: next, isUpwards ? .tryingMore : .tryingLess, knownGoodput ?? 0)
    }

    private mutating func revert(_ before: (width: Int, goodput: Double)) -> Adjustment? {
        let goodput = mean(samples[...])
        settle(at: before.goodput)
        phase = .holding(holdRounds)
        holdRounds = min(holdRounds * 2, Self.maxHoldRounds)
        isUpwards.toggle()
        step = Self.minStep
        return change(to: before.width, .reverted, goodput)
    }

    private mutating func settle(at goodput: Double) {
        knownGoodput = goodput
        best = max(best, goodput)
        phase = .holding(holdRounds)
        samples = []
    }

    private mutating func change(to width: Int, _ reason: Reason, _ goodput: Double) -> Adjustment? {
        self.width = min(max(width, 1), maxWidth)
        samples = []
        unsettled = 1
        return Adjustment(width: self.width, reason: reason, goodput: goodput)
    }

    private func mean(_ values: ArraySlice<Double>) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
}
