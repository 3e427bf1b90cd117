// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Reads a trace by `sluice mirror --trace`: one event per line, each photo's slice followed by its phases.
struct TraceReader {
    /// A photo's slice and the relevant parts of its phases; times are microseconds since the start of the run.
    private struct Slice {
        var host: String
        var bytes: Int
        var isDone: Bool
        var hasFailed: Bool
        var time: Range<Int>
        var track: Int
        /// The end of the transfer; `nil` if the trace has none.
        var transferEnd: Int?
        /// The start of the body; `nil` if the trace has none.
        var bodyBegin: Int?
        /// The time of decoding, resampling and encoding.
        var decoding = 0

        /// The time when the photo released its slot; a failed photo holds it until the slice ends.
        var slotEnd: Int { transferEnd ?? time.upperBound }
    }

    private static let transfer: Set = ["dns", "connect", "tls", "first-byte", "body"]
    private static let decoding: Set = ["decode", "resample", "encode"]

    private let path: String
    private var slices: [Slice] = []
    private var current: Slice?

    private init(_ path: String) { self.path = path }

    /// Returns the recording in a trace, without the values that only the run's report has.
    static func recording(_ path: String) throws(BenchError) -> Recording {
        var reader = TraceReader(path)
        try reader.read()
        guard !reader.slices.isEmpty else {
            throw BenchError(.usage, "cannot replay '\(path)': it records no downloaded photo")
        }
        return reader.recording
    }

    private mutating func read() throws(BenchError) {
        do throws(FileError) {
            var lines = LineReader(try InputFile(path))
            while var line = try lines.next() {
                if line.last == UInt8(ascii: ",") { line.removeLast() }
                if line.isEmpty || line == [UInt8(ascii: "[")] || line == [UInt8(ascii: "]")] { continue }
                guard let event = try? JSON(parsing: line), event["ph"] != nil else { break }
                add(event)
            }
        } catch {
            throw BenchError(.usage, "\(error)")
        }
        finishSlice()
    }

    private mutating func add(_ event: JSON) {
        guard event["ph"]?.text == "X", let track = event["tid"]?.integer, let begin = event["ts"]?.quantity,
            let length = event["dur"]?.quantity, let category = event["cat"]?.text
        else { return }
        guard category == "phase" else {
            finishSlice()
            let (url, bytes) = (event["args"]?["url"]?.text ?? "", event["args"]?["bytes"]?.quantity ?? 0)
            current = Slice(
                host: Self.host(of: url), bytes: bytes, isDone: category == "done",
                hasFailed: category == "failed", time: begin..<begin + length, track: track)
            return
        }
        guard var slice = current, slice.track == track, let phase = event["name"]?.text else { return }
        if Self.transfer.contains(phase) { slice.transferEnd = max(slice.transferEnd ?? 0, begin + length) }
        if phase == "body" { slice.bodyBegin = begin }
        if Self.decoding.contains(phase) { slice.decoding += length }
        current = slice
    }

    /// Stores the current slice once its events are complete; skips photos that were not requested from a host.
    private mutating func finishSlice() {
        if let slice = current, slice.transferEnd != nil || slice.hasFailed, !slice.host.isEmpty {
            slices.append(slice)
        }
        current = nil
    }

    private static func host(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2)
        return parts.count > 1 && parts[0].hasSuffix(":") ? String(parts[1]) : ""
    }

    private var recording: Recording {
        let ordered = slices.sorted { ($0.time.lowerBound, $0.track) < ($1.time.lowerBound, $1.track) }
        var hosts: [String: Int] = [:]
        for slice in ordered where hosts[slice.host] == nil { hosts[slice.host] = hosts.count }
        let photos = ordered.map { slice in
            let bodyBegin = slice.isDone ? slice.bodyBegin ?? slice.slotEnd : slice.slotEnd
            return Recording.Photo(
                host: hosts[slice.host] ?? 0, bytes: slice.bytes, wait: max(0, bodyBegin - slice.time.lowerBound),
                body: max(0, slice.slotEnd - bodyBegin), isDone: slice.isDone)
        }
        let setting = LoaderSetting(
            concurrency: Self.peakConcurrency(ordered), perHost: nil, http: "auto", thumbnails: nil,
            workers: BenchMachine.current.cores)
        return Recording(
            photos: photos,
            run: RecordedRun(
                file: path, hosts: hosts.count, setting: setting, sample: Self.sample(of: ordered, photos)))
    }

    private static func sample(of slices: [Slice], _ photos: [Recording.Photo]) -> LoaderSample {
        let begin = slices.map(\.time.lowerBound).min() ?? 0
        let done = photos.filter(\.isDone)
        let times = done.map { Double($0.wait + $0.body) / 1000 }
        var sample = LoaderSample()
        sample.seconds = Double((slices.map(\.time.upperBound).max() ?? begin) - begin) / 1e6
        sample.done = done.count
        sample.failed = photos.count - done.count
        sample.bytes = done.map(\.bytes).reduce(0, +)
        sample.slotSeconds = Double(photos.map { $0.wait + $0.body }.reduce(0, +)) / 1e6
        sample.decodingSeconds = Double(slices.map(\.decoding).reduce(0, +)) / 1e6
        sample.latency = LoaderSample.Latency(times)
        return sample
    }

    private static func peakConcurrency(_ slices: [Slice]) -> Int {
        // An end sorts before a start at the same time, because it frees the slot.
        let changes = slices.flatMap { [($0.time.lowerBound, 1), ($0.time.upperBound, -1)] }.sorted { $0 < $1 }
        var (current, peak) = (0, 1)
        for change in changes {
            current += change.1
            peak = max(peak, current)
        }
        return peak
    }
}
