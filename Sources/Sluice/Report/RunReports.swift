// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel
internal import SluiceStore

/// Writes a run's report and, if the user requested them, its trace and metrics files.
final class RunReports: RunObserver {
    private let configuration: RunConfiguration
    private let reporter: RunReporter
    private let precondition: @Sendable () throws(MirrorError) -> Void
    private let files = Locked<(trace: TraceFile?, metrics: MetricsFile?)>((nil, nil))

    /// Follows a run that begins only if `precondition`, which is checked while the mirror is locked, does not throw.
    init(
        _ configuration: RunConfiguration,
        precondition: @escaping @Sendable () throws(MirrorError) -> Void = { () throws(MirrorError) in }
    ) {
        self.configuration = configuration
        self.precondition = precondition
        reporter = RunReporter(configuration)
    }

    /// Creates the trace and metrics files, so that a file that cannot be written fails before the run starts.
    func begin(_ recorder: EventRecorder) throws(MirrorError) {
        try precondition()
        let trace = try configuration.options.trace.map { path throws(MirrorError) in
            try TraceFile(path, source: configuration.start.source, since: recorder.metrics.start)
        }
        let metrics = try configuration.options.metrics.map { path throws(MirrorError) in
            try MetricsFile(path) { [reporter] in reporter.report(recorder).metrics }
        }
        if let trace { recorder.metrics.trace(to: trace) }
        files.withLock { $0 = (trace, metrics) }
    }

    func end(_ recorder: EventRecorder, in store: any Store) {
        reporter.write(recorder, into: store)
        let (trace, metrics) = files.withLock { files in
            defer { files = (nil, nil) }
            return files
        }
        trace?.write()
        metrics?.end()
        if let error = trace?.writeError { recorder.record(.note("the trace is incomplete: \(error)")) }
        if let error = metrics?.writeError { recorder.record(.note("the metrics are out of date: \(error)")) }
    }
}
