// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

extension Recording {
    /// Reads a run's trace, or its report together with the trace that the report or `trace` names.
    package init(_ path: String, trace: String? = nil) throws(BenchError) {
        switch try Self.kind(of: path) {
        case .trace:
            guard trace == nil else {
                throw BenchError(.usage, "cannot replay '\(path)' with a second file: the first file is a trace")
            }
            self = try TraceReader.recording(path)
        case .report:
            guard let report = try? JSON(parsing: BenchResultFile.bytes(of: path)),
                let width = report["width"]?.quantity,
                let options = report["options"]
            else {
                throw Self.unknownFile(path)
            }
            guard let trace = trace ?? options["trace"]?.text else {
                throw BenchError(
                    .usage, "cannot replay '\(path)': the run recorded no trace", hint: .recordTrace)
            }
            guard InputFile.exists(trace) else {
                throw BenchError(
                    .usage, "cannot find the trace '\(trace)' of '\(path)'", hint: .nameTrace(ofReport: path))
            }
            let recording = try TraceReader.recording(trace)
            self.init(photos: recording.photos, run: recording.run.completed(by: report, width: width, options))
        case .other: throw Self.unknownFile(path)
        }
    }

    private enum Kind { case trace, report, other }

    /// Returns the kind of a file, detected from its first character.
    private static func kind(of path: String) throws(BenchError) -> Kind {
        do throws(FileError) {
            var file = try InputFile(path)
            let first = try file.read(1 << 10).first { $0 > 0x20 }
            return first == UInt8(ascii: "[") ? .trace : first == UInt8(ascii: "{") ? .report : .other
        } catch {
            throw BenchError(.usage, "\(error)")
        }
    }

    private static func unknownFile(_ path: String) -> BenchError {
        BenchError(
            .usage, "cannot replay '\(path)': neither a mirror's report nor a trace", hint: .recordTrace)
    }
}

extension RecordedRun {
    /// Returns the run with the values that only a report has.
    fileprivate func completed(by report: JSON, width: Int, _ options: JSON) -> RecordedRun {
        var run = self
        run.setting.concurrency = max(1, width)
        run.setting.perHost = options["per-host"]?.text.flatMap { Int($0) }.map { max(1, $0) }
        run.sample.cpuSeconds = report["cost"]?["cpu_seconds"]?.double ?? 0
        run.sample.peakMemory = report["cost"]?["peak_memory"]?.quantity ?? 0
        run.sample.retries = (report["hosts"]?.elements ?? []).compactMap { $0["retried"]?.quantity }.reduce(0, +)
        return run
    }
}
