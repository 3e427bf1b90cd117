// SPDX-License-Identifier: MIT

/// The start times and durations of an item's phases.
///
/// After retries, only the successful attempt counts, with all its redirects.
package struct ItemTimings: Sendable, Hashable {
    /// A time on the run's clock.
    package typealias Instant = ContinuousClock.Instant

    /// The time when the item got its slot.
    package var startedAt: Instant?
    /// The item's lane in the trace; items in the same lane never overlap.
    package var lane: Int?
    /// The time when the transfer started.
    package var requestedAt: Instant?
    /// The time when the item started to wait for a decoder.
    package var queuedAt: Instant?
    /// The time when the files and the receipt were submitted for commit.
    package var submittedAt: Instant?
    /// Durations in microseconds, indexed by phase.
    private var lengths = SIMD16<UInt32>()

    package init() {}

    /// The duration of a phase in microseconds, up to about an hour; zero for a phase that the item did not have.
    package subscript(phase: ItemPhase) -> Duration {
        get { .microseconds(Int64(lengths[phase.rawValue])) }
        // A phase too short to measure counts as one microsecond, to distinguish it from a missing phase.
        set { lengths[phase.rawValue] = newValue > .zero ? max(1, UInt32(clamping: newValue.microseconds)) : 0 }
    }

    /// Returns the timings with the write phase ending now.
    package var committed: ItemTimings {
        var timings = self
        if let submittedAt { timings[.write] = .now - submittedAt }
        return timings
    }

    /// The phases of the item with their start times; the phases of one stage follow each other without gaps.
    package var slices: [Slice] {
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

    /// A phase with its start time.
    package struct Slice: Sendable, Hashable {
        package var phase: ItemPhase
        package var begin: Instant
        package var length: Duration
    }

    private var stages: [(Instant?, [ItemPhase])] {
        [
            (requestedAt, [.dns, .connect, .tls, .firstByte, .body]),
            (queuedAt, [.queue, .decode, .resample, .encode]),
            (submittedAt, [.write]),
        ]
    }
}

extension Duration {
    /// The duration in whole microseconds.
    package var microseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }

    package var inSeconds: Double { self / .seconds(1) }
}

/// The timed phases of processing an item, in order.
package enum ItemPhase: Int, Sendable, Hashable, CaseIterable {
    case dns
    case connect
    case tls
    /// Sending the request and waiting for the first byte of the reply.
    case firstByte
    case body
    /// Waiting for a decoder and for memory.
    case queue
    case decode
    /// Scaling, rotating, cropping and colour-converting the thumbnails.
    case resample
    case encode
    /// Waiting for the commit batch, and flushing it to disk.
    case write

    /// The phase's name in reports, traces and metrics.
    package var name: String {
        switch self {
        case .dns: "dns"
        case .connect: "connect"
        case .tls: "tls"
        case .firstByte: "first-byte"
        case .body: "body"
        case .queue: "queue"
        case .decode: "decode"
        case .resample: "resample"
        case .encode: "encode"
        case .write: "write"
        }
    }
}
