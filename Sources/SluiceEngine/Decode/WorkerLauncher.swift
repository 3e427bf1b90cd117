// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Starts the decode workers of a run, and decides when the run cannot continue without them.
///
/// A failed start never leads to a decode in the main process. It is repeated a few times, because it may be an
/// accident: a user killed the process, or the system was short of processes for a moment.
final class WorkerLauncher: Sendable {
    /// The number of times that a start is tried for one picture.
    private static let tries = 10
    /// The number of consecutive failed starts, of all pictures together, that ends a run whose workers used to start.
    private static let maximumFailures = 50
    /// No further start is tried for a picture after this time.
    private static let timeout = Duration.seconds(30)

    private struct State {
        var hasStarted = false
        var consecutiveFailures = 0
        /// The reason why no worker can be started, once that is certain.
        var refusal: DecodingError?
    }

    let options: ThumbnailOptions
    private let executable: String
    private let acceptsWeakSandbox: Bool
    private let report: @Sendable (String) -> Void
    private let state = Locked(State())

    /// `report` is called once if the workers lack protections that the run can do without.
    init(
        _ executable: String, acceptsWeakSandbox: Bool = false, _ options: ThumbnailOptions,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.executable, self.acceptsWeakSandbox) = (executable, acceptsWeakSandbox)
        (self.options, self.report) = (options, report)
    }

    /// Starts a worker with the libraries of these formats.
    ///
    /// Throws ``DecodingError/noWorker(_:hint:)`` if no worker of the run has ever started, if none starts any more, or
    /// if a worker lacks an essential protection.
    func launch(loading libraries: Set<ImageFormat>) throws(DecodingError) -> WorkerProcess {
        let deadline = ContinuousClock.now + Self.timeout
        var reason = ""
        for _ in 0..<Self.tries where reason.isEmpty || .now < deadline {
            if let refusal = state.withLock(\.refusal) { throw refusal }
            let worker: WorkerProcess
            do throws(WorkerProcess.LaunchError) {
                worker = try WorkerProcess(executable, options, loading: libraries)
            } catch {
                reason = error.reason
                state.withLock { $0.consecutiveFailures += 1 }
                continue
            }
            try check(worker.protections)
            recordStart(of: worker)
            return worker
        }
        throw failure(reason)
    }

    private func check(_ protections: SandboxProtections) throws(DecodingError) {
        let missing = protections.missingEssentials
        guard !acceptsWeakSandbox, !missing.isEmpty else { return }
        let reason = "this system cannot give decode workers \(missing.joined(separator: " and "))"
        let refusal = DecodingError.noWorker(reason, hint: .acceptWeakSandbox)
        state.withLock { $0.refusal = refusal }
        throw refusal
    }

    private func recordStart(of worker: WorkerProcess) {
        let isFirst = state.withLock { state in
            defer { (state.hasStarted, state.consecutiveFailures) = (true, 0) }
            return !state.hasStarted
        }
        let missing = worker.protections.missing
        if isFirst, !missing.isEmpty { report("decode workers run without \(missing.joined(separator: " and "))") }
    }

    /// Returns the error of a picture for which no worker could be started.
    private func failure(_ reason: String) -> DecodingError {
        state.withLock { state in
            guard state.hasStarted, state.consecutiveFailures < Self.maximumFailures else {
                let refusal = DecodingError.noWorker("cannot start a decode worker: \(reason)", hint: .decodeInProcess)
                state.refusal = refusal
                return refusal
            }
            return .failed(Failure(.decoderCrashed, "cannot start a decode worker: \(reason)"))
        }
    }
}
