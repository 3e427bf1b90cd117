// SPDX-License-Identifier: MIT

/// Finds by goodput how many items should be in flight: a pure state machine without clocks or I/O.
///
/// The rule. A run is cut into rounds, and a round's goodput is what was done in it, a second, where an item counts as
/// much as 16 KB. From its first width the controller *doubles* it for as long as that gives 25 % more. Then it *holds*,
/// and now and then *tries* a width a quarter larger or smaller for two rounds, behind one that is not counted. A larger
/// one must give 6 % more to stay, a smaller one may give 3 % less than the best that is known. What stays is followed by
/// a step of twice the size in the same direction; what does not is taken back, the other direction is next, and the time
/// until then doubles, up to 24 rounds: that bounds how often a settled width changes. Goodput that falls by 30 % or
/// rises by 40 % without a change of ours, in two rounds, means that the network is another one: it is tried at once. What
/// hosts turn away is missing in the goodput, and needs no rule. Rounds in which slots stood empty say nothing of the width.
public struct WidthController: Sendable {
    /// What was done in a while.
    public struct Round: Sendable, Hashable {
        /// How long it took, in seconds.
        public var seconds: Double
        /// Items that were done.
        public var items: Int
        /// Bytes of those items.
        public var bytes: Int
        /// Whether all slots were taken.
        public var isFull = true

        /// Describes a round.
        public init(seconds: Double, items: Int, bytes: Int, isFull: Bool = true) {
            (self.seconds, self.items, self.bytes, self.isFull) = (seconds, items, bytes, isFull)
        }

        /// What was done in a second, in bytes.
        var goodput: Double { (Double(bytes) + Double(items) * 16384) / max(seconds, 1e-6) }
    }

    /// A change of the width.
    public struct Decision: Sendable, Hashable {
        /// The new width.
        public var width: Int
        /// Why it changed.
        public var reason: Reason
        /// The last round's goodput, in bytes a second.
        public var goodput: Double
    }

    /// Why the width changes.
    public enum Reason: String, Sendable, Hashable {
        /// It is doubled at the beginning.
        case doubling
        /// A larger one is tried.
        case tryingMore = "trying-more"
        /// A smaller one is tried.
        case tryingLess = "trying-less"
        /// What was tried is taken back.
        case takenBack = "taken-back"
    }

    private enum Phase {
        /// At the beginning; the width before and its goodput, once there is one.
        case doubling(from: (width: Int, goodput: Double)?)
        /// So many more rounds.
        case holding(Int)
        /// Another width, measured so far; it began from a width with that goodput.
        case trying(from: (width: Int, goodput: Double))
    }

    /// How many items may be in flight now.
    public private(set) var width: Int
    private let most: Int
    private var phase = Phase.doubling(from: nil)
    /// What the width gives, as far as is known.
    private var known: Double?
    /// The best goodput that was seen; it is forgotten slowly.
    private var best = 0.0
    private var samples: [Double] = []
    /// Rounds that still show the width before.
    private var unsettled = 1
    private var isUpwards = true
    private var step = Self.leastStep
    private var patience = Self.leastPatience

    private static let leastStep = 1.25
    private static let mostStep = 2.0
    private static let leastPatience = 2
    private static let mostPatience = 24

    /// Begins with `width`, and goes from one up to `most`.
    public init(from width: Int, upTo most: Int) {
        precondition(width > 0 && most > 0, "something is in flight")
        self.most = most
        self.width = min(width, most)
    }

    /// Takes note of a round; returns the width's change, if it changes.
    public mutating func note(_ round: Round) -> Decision? {
        guard round.isFull else { return nil }
        guard unsettled == 0 else {
            unsettled -= 1
            return nil
        }
        samples.append(round.goodput)
        switch phase {
        case .doubling(let before): return double(from: before)
        case .holding(let rounds): return hold(rounds, round)
        case .trying(let before): return judge(from: before)
        }
    }

    // MARK: Phases

    private mutating func double(from before: (width: Int, goodput: Double)?) -> Decision? {
        let goodput = samples[0]
        if let before, goodput < before.goodput * 1.06 {
            return takeBack(before)
        }
        settle(at: goodput)
        if let before, goodput < before.goodput * 1.25 { return nil }
        guard width < most else { return nil }
        phase = .doubling(from: (width, goodput))
        return change(to: width * 2, .doubling, goodput)
    }

    private mutating func hold(_ rounds: Int, _ round: Round) -> Decision? {
        let recent = mean(samples.suffix(2))
        let usual = known ?? recent
        if samples.count >= 2, recent < usual * 0.7 || recent > usual * 1.4 {
            isUpwards = recent > usual
            best = recent
            known = recent
            patience = Self.leastPatience
            return attempt()
        }
        known = usual + (round.goodput - usual) / 4
        best = max(best * 0.995, known ?? 0)
        guard rounds <= 1 else {
            phase = .holding(rounds - 1)
            return nil
        }
        return attempt()
    }

    private mutating func judge(from before: (width: Int, goodput: Double)) -> Decision? {
        guard samples.count == 2 else { return nil }
        let goodput = mean(samples[...])
        let isBetter = width > before.width ? goodput >= before.goodput * 1.06 : goodput >= best * 0.97
        guard isBetter else { return takeBack(before) }
        settle(at: goodput)
        step = min(step * step, Self.mostStep)
        patience = Self.leastPatience
        return attempt()
    }

    // MARK: Steps

    /// Tries the next width in the present direction, or in the other one at either end.
    private mutating func attempt() -> Decision? {
        if width == most { isUpwards = false }
        if width == 1 { isUpwards = true }
        let scaled = Double(width) * (isUpwards ? step : 1 / step)
        let next = isUpwards ? max(width + 1, Int(scaled)) : min(width - 1, Int(scaled.rounded(.up)))
        guard next != width, (1...most).contains(min(next, most)) else { return nil }
        phase = .trying(from: (width, known ?? 0))
        return change(to: next, isUpwards ? .tryingMore : .tryingLess, known ?? 0)
    }

    private mutating func takeBack(_ before: (width: Int, goodput: Double)) -> Decision? {
        let goodput = mean(samples[...])
        settle(at: before.goodput)
        phase = .holding(patience)
        patience = min(patience * 2, Self.mostPatience)
        isUpwards.toggle()
        step = Self.leastStep
        return change(to: before.width, .takenBack, goodput)
    }

    private mutating func settle(at goodput: Double) {
        known = goodput
        best = max(best, goodput)
        phase = .holding(patience)
        samples = []
    }

    private mutating func change(to width: Int, _ reason: Reason, _ goodput: Double) -> Decision? {
        self.width = min(max(width, 1), most)
        samples = []
        unsettled = 1
        return Decision(width: self.width, reason: reason, goodput: goodput)
    }

    private func mean(_ values: ArraySlice<Double>) -> Double {
        values.reduce(0, +) / Double(max(1, values.count))
    }
}
