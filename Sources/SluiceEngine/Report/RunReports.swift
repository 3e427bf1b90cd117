// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Writes a run's report and, if the user requested them, its trace and metrics files.
package final class RunReports: RunStep {
    private struct State {
        var reporter: RunReporter?
        var trace: TraceFile?
        var metrics: MetricsFile?
    }

    private let state = Locked(State())

    package init() {}

    /// Creates the trace and metrics files, so that a file that cannot be written fails before the run starts.
    package func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        let options = run.options.run
        guard !run.isDryRun else {
            if let path = options.trace { try TraceFile.check(path) }
            if let path = options.metrics { try MetricsFile.check(path) }
            return
        }
        let reporter = RunReporter(run)
        let trace = try options.trace.map { path throws(MirrorError) in
            try TraceFile(path, source: run.start.source, since: recorder.metrics.start)
        }
        let metrics = try options.metrics.map { path throws(MirrorError) in
            try MetricsFile(path) { reporter.report(recorder).metrics(labels: run.metricsLabels) }
        }
        if let trace { recorder.metrics.trace(to: trace) }
        state.withLock { $0 = State(reporter: reporter, trace: trace, metrics: metrics) }
    }

    package func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        let files = state.withLock { state in
            defer { state = State() }
            return state
        }
        files.reporter?.write(driver.recorder, into: mirror.store, mirror.ledger, title: mirror.title)
        files.trace?.write()
        files.metrics?.end()
        if let error = files.trace?.writeError { driver.record(.note("the trace is incomplete: \(error)")) }
        if let error = files.metrics?.writeError { driver.record(.note("the metrics are out of date: \(error)")) }
    }
}

/// Opens the WARC of a run, and writes its index at the end.
package struct ArchivedRun: RunStep {
    private let archive: WebArchive

    package init(_ archive: WebArchive) { self.archive = archive }

    package func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try run.isDryRun ? archive.check() : archive.open()
    }

    package func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        do throws(MirrorError) {
            try archive.close()
        } catch {
            driver.record(.note(error.message))
        }
    }
}
