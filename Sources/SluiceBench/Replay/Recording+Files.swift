// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

extension Recording {
    /// Reads a run's trace, or its report, which leads to its trace unless that is named.
    public init(_ path: String, trace: String? = nil) throws(BenchError) {
        switch try Self.kind(of: path) {
        case .trace:
            guard trace == nil else {
                throw BenchError(.usage, "\(path) is a trace already: a second file goes with a report only")
            }
            self = try TraceReader.recording(path)
        case .report:
            guard let report = try? JSON(parsing: BenchFile.bytes(of: path)), let width = report["width"]?.integer,
                let options = report["options"]
            else {
                throw Self.refusal(path)
            }
            guard let trace = trace ?? options["trace"]?.text else {
                throw BenchError(
                    .usage,
                    """
                    \(path) has a run's totals, and a replay takes each photo's times: run `sluice mirror` with \
                    --trace FILE, and replay that
                    """)
            }
            guard InputFile.exists(trace) else {
                throw BenchError(
                    .usage,
                    "\(path) tells of the trace \(trace), which is not there: name it, as in: sluice bench replay \(path) TRACE"
                )
            }
            let bare = try TraceReader.recording(trace)
            self.init(photos: bare.photos, course: bare.course.told(by: report, width: width, options))
        case .other: throw Self.refusal(path)
        }
    }

    private enum Kind { case trace, report, other }

    /// What a file's first character tells.
    private static func kind(of path: String) throws(BenchError) -> Kind {
        do throws(FileError) {
            var file = try InputFile(path)
            let first = try file.read(1 << 10).first { $0 > 0x20 }
            return first == UInt8(ascii: "[") ? .trace : first == UInt8(ascii: "{") ? .report : .other
        } catch {
            throw BenchError(.usage, "\(error)")
        }
    }

    private static func refusal(_ path: String) -> BenchError {
        BenchError(.usage, "\(path) is neither a mirror's report.json nor what `sluice mirror --trace FILE` wrote")
    }
}

extension RecordedCourse {
    /// The same, with what a trace does not tell.
    fileprivate func told(by report: JSON, width: Int, _ options: JSON) -> RecordedCourse {
        var course = self
        course.setting.concurrency = max(1, width)
        course.setting.perHost = options["per-host"]?.text.flatMap { Int($0) }.map { max(1, $0) }
        course.sample.cpu = report["cost"]?["cpu_seconds"]?.double ?? 0
        course.sample.memory = report["cost"]?["peak_memory"]?.integer ?? 0
        course.sample.retries = (report["hosts"]?.elements ?? []).compactMap { $0["retried"]?.integer }.reduce(0, +)
        return course
    }
}
