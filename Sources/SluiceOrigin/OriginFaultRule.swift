// SPDX-License-Identifier: MIT

/// Selects the requests that get a fault; the first rule that applies wins.
public struct OriginFaultRule: Sendable {
    /// Selects among the requests that match a rule.
    public enum Choice: Sendable, Hashable {
        /// Every matching request.
        case always
        /// The first N requests for each target, so that later retries succeed.
        case first(Int)
        /// Every Nth matching request, counted from 1.
        case every(Int)
        /// This fraction, chosen by target and attempt number, so independent of the order of requests.
        case fraction(Double, seed: UInt64 = 0)
    }

    /// The fault to inject.
    public var fault: OriginFault
    /// Which of the matching requests get it.
    public var choice: Choice
    /// Whether the rule considers a request.
    public var matches: @Sendable (OriginRequest) -> Bool

    /// Creates a rule that by default matches every request.
    public init(
        _ fault: OriginFault, _ choice: Choice = .always,
        where matches: @escaping @Sendable (OriginRequest) -> Bool = { _ in true }
    ) {
        self.fault = fault
        self.choice = choice
        self.matches = matches
    }

    /// Creates a rule for the requests of one path.
    public init(_ fault: OriginFault, _ choice: Choice = .always, path: String) {
        self.init(fault, choice) { $0.path == path }
    }
}

/// Applies fault rules to requests and keeps the rules' counts; no I/O, no lock.
struct FaultPicker {
    private struct CountedRule {
        let rule: OriginFaultRule
        var matched = 0
        /// The number of requests for each target, by the target's hash.
        var attempts: [UInt64: UInt32] = [:]
    }

    /// With more targets than this, the counts restart from zero, so that memory stays bounded.
    private static let targetLimit = 1 << 20

    private var rules: [CountedRule]

    init(_ rules: [OriginFaultRule]) { self.rules = rules.map { CountedRule(rule: $0) } }

    /// Returns the fault for a request, and counts the request.
    mutating func fault(for request: OriginRequest) -> OriginFault? {
        for index in rules.indices where rules[index].rule.matches(request) {
            if Self.applies(&rules[index], to: request) { return rules[index].rule.fault }
        }
        return nil
    }

    private static func applies(_ counted: inout CountedRule, to request: OriginRequest) -> Bool {
        counted.matched += 1
        switch counted.rule.choice {
        case .always: return true
        case .every(let nth): return nth > 0 && counted.matched.isMultiple(of: nth)
        case .first(let count): return attempt(&counted, stableHash(request.target.utf8)) <= count
        case .fraction(let part, let seed):
            let target = stableHash(request.target.utf8)
            let attempt = UInt64(attempt(&counted, target))
            let bits = SeededRandom.mixBits(target ^ SeededRandom.mixBits(seed &+ attempt &* 0x9E37_79B9_7F4A_7C15))
            return Double(bits >> 11) / Double(1 << 53) < part
        }
    }

    private static func attempt(_ counted: inout CountedRule, _ target: UInt64) -> Int {
        if counted.attempts.count >= targetLimit { counted.attempts = [:] }
        counted.attempts[target, default: 0] &+= 1
        return Int(counted.attempts[target] ?? 1)
    }
}

/// Returns the FNV-1a hash, which unlike `Hasher` is the same in every process.
package func stableHash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
}
