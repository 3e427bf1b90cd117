// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Reads what `sluice mirror --trace` wrote, an event a line: each photo's slice, and its phases behind it.
struct TraceReader {
    /// A photo's slice with what matters of its phases; microseconds since the run's begin.
    private struct Slice {
        var host: String
        var bytes: Int
        var isDone: Bool
        var hasFailed: Bool
        var time: Range<Int>
        var track: Int
        /// When its transfer ended, and when its body began; `nil` where the trace knows of none.
        var transferEnd: Int?
        var bodyBegin: Int?
        /// What decoding, scaling and encoding took.
        var decoding = 0

        /// When the photo left the network, as far as that is known: a failed one had its slot until its end.
        var left: Int { transferEnd ?? time.upperBound }
    }

    private static let transfer: Set = ["dns", "connect", "tls", "first-byte", "body"]
    private static let decoding: Set = ["decode", "resample", "encode"]

    private let path: String
    private var slices: [Slice] = []
    private var current: Slice?

    private init(_ path: String) { self.path = path }

    /// The recording in a trace; what the run's report says of it is added there.
    static func recording(_ path: String) throws(BenchError) -> Recording {
        var reader = TraceReader(path)
        try reader.read()
        guard !reader.slices.isEmpty else {
            throw BenchError(.usage, "\(path) tells of no photo that a host was asked for: there is nothing to replay")
        }
        return reader.recording
    }

    private mutating func read() throws(BenchError) {
        do throws(FileError) {
            var lines = InputLines(try InputFile(path))
            while var line = try lines.next() {
                if line.last == UInt8(ascii: ",") { line.removeLast() }
                if line.isEmpty || line == [UInt8(ascii: "[")] || line == [UInt8(ascii: "]")] { continue }
                guard let event = try? JSON(parsing: line), event["ph"] != nil else { break }
                take(event)
            }
        } catch {
            throw BenchError(.usage, "\(error)")
        }
        end()
    }

    private mutating func take(_ event: JSON) {
        guard event["ph"]?.text == "X", let track = event["tid"]?.integer, let begin = event["ts"]?.integer,
            let length = event["dur"]?.integer, begin >= 0, length >= 0, let end = event["cat"]?.text
        else { return }
        guard end == "phase" else {
            self.end()
            let (url, bytes) = (event["args"]?["url"]?.text ?? "", event["args"]?["bytes"]?.integer ?? 0)
            current = Slice(
                host: Self.host(of: url), bytes: max(0, bytes), isDone: end == "done",
                hasFailed: end == "failed", time: begin..<begin + length, track: track)
            return
        }
        guard var slice = current, slice.track == track, let phase = event["name"]?.text else { return }
        if Self.transfer.contains(phase) { slice.transferEnd = max(slice.transferEnd ?? 0, begin + length) }
        if phase == "body" { slice.bodyBegin = begin }
        if Self.decoding.contains(phase) { slice.decoding += length }
        current = slice
    }

    /// A photo's events are complete; one that nobody was asked for is passed over.
    private mutating func end() {
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
            let bodyBegin = slice.isDone ? slice.bodyBegin ?? slice.left : slice.left
            return Recording.Photo(
                host: hosts[slice.host] ?? 0, bytes: slice.bytes, wait: max(0, bodyBegin - slice.time.lowerBound),
                body: max(0, slice.left - bodyBegin), isDone: slice.isDone)
        }
        let setting = LoaderSetting(
            concurrency: Self.mostAtOnce(ordered), perHost: nil, http: "auto", thumbnails: nil, workers: Host.own.cores)
        return Recording(
            photos: photos,
            course: RecordedCourse(
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
        sample.busy = Double(photos.map { $0.wait + $0.body }.reduce(0, +)) / 1e6
        sample.decoding = Double(slices.map(\.decoding).reduce(0, +)) / 1e6
        sample.latency = LoaderSample.Latency(times)
        return sample
    }

    private static func mostAtOnce(_ slices: [Slice]) -> Int {
        // An end at the moment of a begin comes first: that slot is free.
        let changes = slices.flatMap { [($0.time.lowerBound, 1), ($0.time.upperBound, -1)] }.sorted { $0 < $1 }
        var (now, most) = (0, 1)
        for change in changes {
            now += change.1
            most = max(most, now)
        }
        return most
    }
}
