// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The files of the user's that tell a run's course while it goes: the trace and the metrics, where they are wanted.
struct RunLogs: Sendable {
    private let trace: TraceFile?
    private let metrics: MetricsFile?

    /// Begins to write them; whoever wants one that cannot be written is told before the run begins.
    init(_ plan: RunPlan, _ reporter: Reporter, _ recorder: Recorder) throws(MirrorError) {
        trace = try plan.trace.map { path throws(MirrorError) in
            try TraceFile(path, source: plan.start.source, since: recorder.measures.start)
        }
        metrics = try plan.metrics.map { path throws(MirrorError) in
            try MetricsFile(path) { reporter.report(recorder).metrics }
        }
        if let trace { recorder.measures.trace(to: trace) }
    }

    /// Writes what is left; that one could not be written any more is worth a note, and no failed run.
    func end(_ recorder: Recorder) {
        trace?.write()
        metrics?.end()
        if let trouble = trace?.trouble { recorder.record(.note("the trace ends early: \(trouble)")) }
        if let trouble = metrics?.trouble { recorder.record(.note("the metrics are old: \(trouble)")) }
    }
}
