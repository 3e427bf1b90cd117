// SPDX-License-Identifier: MIT

internal import CSandbox
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

/// The protections that are in force in a decode worker.
///
/// Which ones depends on the system.
package struct SandboxProtections: Sendable, Hashable {
    /// Whether the process cannot gain privileges by starting a program.
    package var hasNoNewPrivileges = false
    /// Whether memory, files and processes are limited.
    package var hasLimits = false
    /// The version of Landlock that blocks files and the network; 0 for none.
    package var landlock = 0
    /// Whether a seccomp filter refuses all but a few system calls.
    package var filtersCalls = false

    /// The protections that are not in force, in words.
    package var missing: [String] {
        [
            (landlock > 0, "Landlock"), (filtersCalls, "a system call filter (seccomp)"),
            (hasLimits, "limits on memory and files"), (hasNoNewPrivileges, "no-new-privileges"),
        ].filter { !$0.0 }.map(\.1)
    }

    /// The missing protections without which a sandbox is weak, in words.
    ///
    /// Landlock is a second layer: the filter alone denies all calls that open files, connect or send signals.
    package var missingEssentials: [String] {
        var others = self
        others.landlock = 1
        return others.missing
    }

    /// Applies every available protection to the current process.
    ///
    /// This cannot be undone.
    ///
    /// `memory` is the limit in bytes for all decodes together.
    static func apply(memory: Int) -> SandboxProtections {
        // Memory use is estimated per picture: allow twice the estimate, and 64 MiB for libraries and fixed buffers.
        let limit = min(memory, 1 << 40) * 2 + 64 << 20
        let report = csandbox_confine(limit)
        return SandboxProtections(
            hasNoNewPrivileges: report.has_no_new_privileges, hasLimits: report.has_limits,
            landlock: Int(report.landlock), filtersCalls: report.filters_calls)
    }
}

extension WorkerCoder {
    mutating func code(_ protections: inout SandboxProtections) throws(Malformed) {
        try code(&protections.hasNoNewPrivileges)
        try code(&protections.hasLimits)
        try code(&protections.landlock)
        try code(&protections.filtersCalls)
    }
}
