// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A run's course as events of Chrome's trace format, one JSON object a line: a pure value that writes what it is told.
///
/// Times are microseconds since the run's begin. Each item is a slice on its track, with its phases below it.
struct TraceEvents {
    private static let process = 1
    private let start: ContinuousClock.Instant
    private var writer = JSONWriter()
    /// What was written and not taken: events with commas between them, and before the first of all but the first.
    private var bytes: [UInt8] = []
    private var isFirst = true
    private var named = 0

    init(since start: ContinuousClock.Instant) { self.start = start }

    /// How many bytes have been written and not taken.
    var count: Int { bytes.count }

    /// Hands out what was written.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Names the process.
    mutating func begin(_ source: String) { name("process_name", "sluice \(source)", track: 0) }

    /// An item's way, once it has ended.
    mutating func add(_ item: Item, _ end: End, _ timings: Timings, now: ContinuousClock.Instant) {
        guard let track = timings.track, let begin = timings.started else { return }
        while named <= track {
            named += 1
            name("thread_name", "track \(named)", track: named)
        }
        slice("photo \(item.seq)", Self.word(for: end), from: begin, length: now - begin, track) { arguments in
            arguments.member("id", item.photo.id)
            arguments.member("url", end.receipt.finalURL ?? end.receipt.url)
            arguments.member("bytes", end.receipt.original?.bytes)
            arguments.member("cause", end.receipt.failure?.cause.name)
        }
        for phase in timings.slices { slice(phase.phase.name, "phase", from: phase.begin, length: phase.length, track) }
    }

    /// How busy the run was, at a sample's end.
    mutating func add(_ sample: Sample) {
        let time = Int((sample.begin + sample.length) * 1e6)
        counter("in flight", time, Int(sample.means[.flight].rounded()))
        counter("waiting for a decoder", time, Int((sample.means[.decodeLine] + sample.means[.memoryLine]).rounded()))
        if sample.length > 0 { counter("bytes per second", time, Int(Double(sample.bytes) / sample.length)) }
    }

    /// A host that nobody asks for a while.
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
            event.member("args", object: arguments)
        }
    }

    private mutating func counter(_ name: String, _ time: Int, _ value: Int) {
        event("C", name, track: 0) { event in
            event.member("ts", time)
            event.member("args", object: { $0.member("value", value) })
        }
    }

    private mutating func name(_ what: String, _ name: String, track: Int) {
        event("M", what, track: track) { event in event.member("args", object: { $0.member("name", name) }) }
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

    private static func word(for end: End) -> String {
        switch end {
        case .done: "done"
        case .kept: "kept"
        case .skipped: "skipped"
        case .failed: "failed"
        }
    }
}
