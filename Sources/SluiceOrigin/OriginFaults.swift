// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Selects the requests that get a fault; the first rule that applies wins.
package struct OriginFaultRule: Sendable {
    /// Selects among the requests that match a rule.
    package enum Choice: Sendable, Hashable {
        case always
        /// The first N requests for each target, so that later retries succeed.
        case first(Int)
        /// Every Nth matching request, counted from 1.
        case every(Int)
        /// This fraction, chosen by target and attempt number, so independent of the order of requests.
        case fraction(Double, seed: UInt64 = 0)
    }

    package var fault: OriginFault
    /// Which of the matching requests get it.
    package var choice: Choice
    /// Whether the rule considers a request.
    package var matches: @Sendable (OriginRequest) -> Bool

    package init(
        _ fault: OriginFault, _ choice: Choice = .always,
        where matches: @escaping @Sendable (OriginRequest) -> Bool = { _ in true }
    ) {
        (self.fault, self.choice, self.matches) = (fault, choice, matches)
    }

    package init(_ fault: OriginFault, _ choice: Choice = .always, path: String) {
        self.init(fault, choice) { $0.path === path }
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
            let bits = SplitMix64.mix(target ^ SplitMix64.mix(seed &+ attempt &* 0x9E37_79B9_7F4A_7C15))
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

/// A fault that the server injects into a reply.
package enum OriginFault: Sendable, Hashable {
    /// Replies with another status and a small JSON body.
    case status(Int, headers: [OriginHeader] = [])
    case redirect(to: String, status: Int = 302)
    /// Sends nothing and keeps the connection open.
    case hang
    /// Sends the head and this many bytes of the body, then nothing more.
    case stall(afterBytes: Int)
    /// Sends the body slowly, a few bytes per interval.
    case drip(bytes: Int, every: Duration)
    /// Announces the full length but closes the connection after this many bytes of the body.
    case cut(afterBytes: Int)
    /// Closes the connection without a reply.
    case close
    /// Replies with a web page and status 200, as captive portals do.
    case html
    /// Sends the head with an empty body.
    case empty
    /// Sends the correct body with this `Content-Type`.
    case contentType(String)
    /// Sends an endless chunked body.
    case endless
    case late(Duration)

    /// Returns the reply with the fault applied to its status, headers or body.
    ///
    /// Faults that concern only timing or the connection leave the reply unchanged.
    func applied(to reply: OriginReply) -> OriginReply {
        switch self {
        case .status(let status, let headers):
            return .json(#"{"errors":["status \#(status), as the fault rule says"]}"#, status: status, headers: headers)
        case .redirect(let address, let status):
            return OriginReply(status: status, headers: [OriginHeader("Location", address)])
        case .html:
            let page = "<!doctype html>\n<title>Welcome</title>\n<p>Please sign in to use this network.</p>\n"
            return OriginReply(type: "text/html; charset=utf-8", Array(page.utf8))
        case .empty:
            var reply = reply
            reply.body = []
            return reply
        case .contentType(let type):
            var reply = reply
            reply.headers.removeAll { $0.name.lowercased() == "content-type" }
            reply.headers.append(OriginHeader("Content-Type", type))
            return reply
        case .hang, .stall, .drip, .cut, .close, .endless, .late:
            return reply
        }
    }

    /// Whether the fault uses the service's reply.
    var needsReply: Bool {
        switch self {
        case .status, .redirect, .hang, .close, .html: false
        default: true
        }
    }
}

/// Reproducible random numbers, with helpers for drawing.
///
/// The same seed and purpose give the same numbers on every machine.
package struct SeededRandom: Sendable {
    private var bits: SplitMix64

    package init(seed: Int, _ purpose: UInt64) {
        bits = SplitMix64(seed: SplitMix64.mix(UInt64(truncatingIfNeeded: seed) &+ purpose &* 0x9E37_79B9_7F4A_7C15))
    }

    package mutating func next() -> UInt64 { bits.next() }

    /// Returns a number from 0 up to but not including 1.
    package mutating func fraction() -> Float { Float(next() >> 40) / 16_777_216 }

    /// Returns a number between the two bounds.
    package mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * fraction() }

    /// Returns an integer in the range.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    /// Returns `true` with the given probability.
    package mutating func happens(withProbability probability: Float) -> Bool { fraction() < probability }

    /// Returns one of the elements.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        elements[integer(in: 0...elements.count - 1)]
    }
}
