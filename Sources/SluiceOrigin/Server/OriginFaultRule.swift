// SPDX-License-Identifier: MIT

/// Which requests get a fault; the first rule that applies counts.
public struct OriginFaultRule: Sendable {
    /// Which of the requests that match get it.
    public enum Choice: Sendable, Hashable {
        /// All of them.
        case always
        /// The first so many of each target: what a retry gets over.
        case first(Int)
        /// Each nth that matches, counted from 1.
        case every(Int)
        /// That part of them, chosen by target and attempt: the same requests in whatever order they come.
        case fraction(Double, seed: UInt64 = 0)
    }

    /// What goes wrong.
    public var fault: OriginFault
    /// Which requests get it.
    public var choice: Choice
    /// Which requests the rule looks at.
    public var matches: @Sendable (OriginRequest) -> Bool

    /// Makes a rule; by default it matches every request.
    public init(
        _ fault: OriginFault, _ choice: Choice = .always,
        where matches: @escaping @Sendable (OriginRequest) -> Bool = { _ in true }
    ) {
        self.fault = fault
        self.choice = choice
        self.matches = matches
    }

    /// Makes a rule for the requests of one path.
    public init(_ fault: OriginFault, _ choice: Choice = .always, path: String) {
        self.init(fault, choice) { $0.path == path }
    }
}

/// The rules with what they have counted so far; no I/O, no lock.
struct FaultPicker {
    private struct Counted {
        let rule: OriginFaultRule
        var matched = 0
        /// How often each target was asked for, by its hash.
        var attempts: [UInt64: UInt32] = [:]
    }

    /// More targets than this are forgotten and counted anew, so that a long run does not grow.
    private static let targetLimit = 1 << 20

    private var rules: [Counted]

    init(_ rules: [OriginFaultRule]) { self.rules = rules.map { Counted(rule: $0) } }

    /// The fault of the next request, if any.
    mutating func fault(for request: OriginRequest) -> OriginFault? {
        for index in rules.indices where rules[index].rule.matches(request) {
            if Self.applies(&rules[index], to: request) { return rules[index].rule.fault }
        }
        return nil
    }

    private static func applies(_ counted: inout Counted, to request: OriginRequest) -> Bool {
        counted.matched += 1
        switch counted.rule.choice {
        case .always: return true
        case .every(let nth): return nth > 0 && counted.matched.isMultiple(of: nth)
        case .first(let count): return attempt(&counted, fingerprint(request.target.utf8)) <= count
        case .fraction(let part, let seed):
            let target = fingerprint(request.target.utf8)
            let attempt = UInt64(attempt(&counted, target))
            let chance = Dice.scramble(target ^ Dice.scramble(seed &+ attempt &* 0x9E37_79B9_7F4A_7C15))
            return Double(chance >> 11) / Double(1 << 53) < part
        }
    }

    private static func attempt(_ counted: inout Counted, _ target: UInt64) -> Int {
        if counted.attempts.count >= targetLimit { counted.attempts = [:] }
        counted.attempts[target, default: 0] &+= 1
        return Int(counted.attempts[target] ?? 1)
    }
}

/// FNV-1a: the same for the same bytes in every process, which Swift's own hash is not.
func fingerprint(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
}
