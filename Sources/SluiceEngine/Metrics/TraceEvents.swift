// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Formats a run's events in Chrome's trace format, one JSON object per line.
///
/// It does no I/O. Times are microseconds since the start of the run. Each item is a slice on a track, with its phases
/// below it.
package struct TraceEvents {
    private static let process = 1
    private let start: ContinuousClock.Instant
    private var writer = JSONWriter()
    /// The formatted events that were not taken yet.
    ///
    /// A comma precedes every event but the very first.
    private var bytes: [UInt8] = []
    private var isFirst = true
    private var namedTracks = 0

    init(since start: ContinuousClock.Instant) { self.start = start }

    /// The number of bytes that were not taken yet.
    var count: Int { bytes.count }

    /// Removes and returns the formatted events.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    package mutating func begin(_ source: String) { name("process_name", "sluice \(source)", track: 0) }

    /// Adds a finished item with its phases.
    mutating func add(_ item: Item, _ end: ItemOutcome, _ timings: ItemTimings, now: ContinuousClock.Instant) {
        guard let track = timings.lane, let begin = timings.startedAt else { return }
        while namedTracks <= track {
            namedTracks += 1
            name("thread_name", "track \(namedTracks)", track: namedTracks)
        }
        slice("photo \(item.seq)", Self.word(for: end), from: begin, length: now - begin, track) { arguments in
            arguments.member("id", item.photo.id)
            arguments.member("url", end.receipt.finalURL ?? end.receipt.url)
            arguments.member("bytes", end.receipt.original?.bytes)
            arguments.member("cause", end.receipt.failure?.cause.name)
        }
        for phase in timings.slices { slice(phase.phase.name, "phase", from: phase.begin, length: phase.length, track) }
    }

    /// Adds the counters at the end of a sample.
    mutating func add(_ sample: RunSample) {
        let time = Int((sample.begin + sample.length) * 1e6)
        counter("in flight", time, Int(rounding: sample.averages[.inFlight]))
        counter(
            "waiting for a decoder", time,
            Int(rounding: sample.averages[.waitingForDecoder] + sample.averages[.waitingForMemory]))
        if sample.length > 0 { counter("bytes per second", time, Int(Double(sample.bytes) / sample.length)) }
    }

    mutating func add(pauseOf host: String, for duration: Duration, now: ContinuousClock.Instant) {
        let time = (now - start).microseconds
        event("i", "\(host) paused for \(duration.inSeconds) s", track: 0) { event in
            event.member("ts", time)
            event.member("s", "p")
        }
    }

    private mutating func slice(
        _ name: String, _ category: String, from begin: ContinuousClock.Instant, length: Duration, _ track: Int,
        _ arguments: (inout JSONWriter) -> Void = { _ in }
    ) {
        let time = max(0, (begin - start).microseconds)
        event("X", name, track: track + 1) { event in
            event.member("cat", category)
            event.member("ts", time)
            event.member("dur", max(0, length.microseconds))
            event.object("args", arguments)
        }
    }

    private mutating func counter(_ name: String, _ time: Int, _ value: Int) {
        event("C", name, track: 0) { event in
            event.member("ts", time)
            event.object("args") { $0.member("value", value) }
        }
    }

    private mutating func name(_ what: String, _ name: String, track: Int) {
        event("M", what, track: track) { event in event.object("args") { $0.member("name", name) } }
    }

    private mutating func event(_ kind: String, _ name: String, track: Int, _ members: (inout JSONWriter) -> Void) {
        writer.removeAll()
        writer.object { event in
            event.member("ph", kind)
            event.member("name", name)
            event.member("pid", Self.process)
            event.member("tid", track)
            members(&event)
        }
        if !isFirst { bytes += ",\n".utf8 }
        isFirst = false
        bytes += writer.bytes
    }

    private static func word(for end: ItemOutcome) -> String {
        switch end {
        case .done: "done"
        case .kept: "kept"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }
}
