// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The trace and metrics files of a run, if the user requested them.
struct RunLogs: Sendable {
    private let trace: TraceFile?
    private let metrics: MetricsFile?

    /// Creates the files, so that a file that cannot be written fails before the run starts.
    init(_ configuration: RunConfiguration, _ reporter: RunReporter, _ recorder: EventRecorder) throws(MirrorError) {
        trace = try configuration.options.trace.map { path throws(MirrorError) in
            try TraceFile(path, source: configuration.start.source, since: recorder.metrics.start)
        }
        metrics = try configuration.options.metrics.map { path throws(MirrorError) in
            try MetricsFile(path) { reporter.report(recorder).metrics }
        }
        if let trace { recorder.metrics.trace(to: trace) }
    }

    /// Completes the files.
    ///
    /// A write error is recorded as a note and does not fail the run.
    func end(_ recorder: EventRecorder) {
        trace?.write()
        metrics?.end()
        if let error = trace?.writeError { recorder.record(.note("the trace is incomplete: \(error)")) }
        if let error = metrics?.writeError { recorder.record(.note("the metrics are out of date: \(error)")) }
    }
}
