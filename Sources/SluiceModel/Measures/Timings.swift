// SPDX-License-Identifier: MIT

/// How long each phase of an item's way took, and when; a plain value of a fixed size.
///
/// Of a photo that was asked for several times, the attempt that brought it counts, with all its redirects.
public struct Timings: Sendable, Hashable {
    /// A moment on the run's clock.
    public typealias Instant = ContinuousClock.Instant

    /// When the item got its slot.
    public var started: Instant?
    /// Which of the run's tracks it is on: no two items are on one at a time.
    public var track: Int?
    /// When the transfer's first phase began.
    public var asked: Instant?
    /// When the item came to wait for a decoder.
    public var queued: Instant?
    /// When its files and its receipt were handed over to be made safe.
    public var handedOver: Instant?
    /// Microseconds, at the places of the phases.
    private var lengths = SIMD16<UInt32>()

    /// Makes timings of an item that has done nothing.
    public init() {}

    /// How long a phase took, to the microsecond and up to an hour; zero for one that the item had not.
    public subscript(phase: Phase) -> Duration {
        get { .microseconds(Int64(lengths[phase.rawValue])) }
        // What was too short to be measured was there all the same.
        set { lengths[phase.rawValue] = newValue > .zero ? max(1, UInt32(clamping: newValue.microseconds)) : 0 }
    }

    /// The same, with the item's files and receipt safe now.
    public var written: Timings {
        var timings = self
        if let handedOver { timings[.write] = .now - handedOver }
        return timings
    }

    /// The phases that the item had, each with its begin; those of one stage lie one behind the other.
    public var slices: [Slice] {
        var slices: [Slice] = []
        for (begin, phases) in stages {
            guard var begin else { continue }
            for phase in phases where self[phase] > .zero {
                slices.append(Slice(phase: phase, begin: begin, length: self[phase]))
                begin += self[phase]
            }
        }
        return slices
    }

    /// A phase at its place in time.
    public struct Slice: Sendable, Hashable {
        /// Which phase.
        public var phase: Phase
        /// When it began.
        public var begin: Instant
        /// How long it took.
        public var length: Duration
    }

    private var stages: [(Instant?, [Phase])] {
        [
            (asked, [.dns, .connect, .tls, .firstByte, .body]), (queued, [.queue, .decode, .resample, .encode]),
            (handedOver, [.write]),
        ]
    }
}

extension Duration {
    /// Whole microseconds.
    public var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }

    /// The time as a number of seconds.
    public var inSeconds: Double { self / .seconds(1) }
}
