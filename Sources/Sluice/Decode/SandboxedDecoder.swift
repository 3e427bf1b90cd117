// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Decodes pictures in a worker process.
///
/// It starts the worker with the first picture and replaces it when it has exited.
///
/// If a worker cannot be started, it reports that once and decodes all pictures in this process.
final class SandboxedDecoder: ThumbnailMaking {
    /// A worker that checks the clock has replied this soon after its deadline; any other worker is killed.
    private static let gracePeriod = Duration.milliseconds(50)

    private let executable: String
    private let options: ThumbnailOptions
    private let fallback: InProcessDecoder
    private let report: @Sendable (String) -> Void
    private let state = Locked(State.idle)

    private enum State {
        case idle
        case running(WorkerProcess)
        case unavailable
    }

    /// `report` is called if no worker can be started.
    init(_ executable: String, fallback: InProcessDecoder, report: @escaping @Sendable (String) -> Void) {
        self.executable = executable
        self.fallback = fallback
        options = fallback.thumbnailer.options
        self.report = report
    }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(Failure) -> ThumbnailResult {
        // Avoids killing a worker for a picture that is cancelled already.
        try token.check()
        // Two attempts: the first worker may have exited while it was idle, which is not the picture's fault.
        for _ in 0..<2 {
            guard let worker = runningWorker() else { break }
            if let request = worker.send(descriptor, timeLimit: options.limits.seconds) {
                let reply = try receiveReply(to: request, from: worker, token: token)
                times = reply.times
                return try result(of: picture, from: reply, by: worker)
            }
            discard(worker)
        }
        return try fallback.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
    }

    private func receiveReply(
        to request: Int, from worker: WorkerProcess, token: CancellationToken
    ) throws(Failure) -> DecodeReply {
        let deadline = ContinuousClock.now + .seconds(options.limits.seconds) + Self.gracePeriod
        let handler = token.onCancel { _ in worker.cancel(request) }
        defer { withExtendedLifetime(handler) {} }
        do throws(WorkerSocket.ReceiveError) {
            return try Self.decode(worker.socket.receive(limit: options.limits.memory, by: deadline))
        } catch {
            let exit = discard(worker)
            throw token.cause.map { Failure($0, "") } ?? failure(for: error, exit)
        }
    }

    private func result(
        of picture: OpenedImage, from reply: DecodeReply, by worker: WorkerProcess
    ) throws(Failure) -> ThumbnailResult {
        if let failure = reply.failure { throw Failure(failure) }
        guard let result = reply.result(of: picture.info, sizes: options.sizes) else {
            discard(worker)
            throw failure(for: .malformed, nil)
        }
        return result
    }

    private static func decode(_ frame: [UInt8]) throws(WorkerSocket.ReceiveError) -> DecodeReply {
        var reply = DecodeReply()
        var coder = WorkerCoder(reading: frame)
        guard (try? coder.code(&reply)) != nil, coder.isAtEnd else { throw .malformed }
        return reply
    }

    /// Returns the failure of a picture whose worker sent no valid reply.
    private func failure(for error: WorkerSocket.ReceiveError, _ exit: WorkerProcess.ExitStatus?) -> Failure {
        switch (error, exit) {
        case (.timedOut, _), (_, .signal(SIGXCPU)): Failure(.decodeLimit, "longer than \(options.limits.seconds) s")
        case (.malformed, _): Failure(.decoderCrashed, "invalid reply")
        case (.closed, .signal(let number)): Failure(.decoderCrashed, "signal \(number)")
        case (.closed, .exit(let code)): Failure(.decoderCrashed, "exit code \(code)")
        case (.closed, nil): Failure(.decoderCrashed, "unknown exit status")
        }
    }

    func prepare() { _ = runningWorker() }

    var processID: Int32? {
        guard case .running(let worker) = state.withLock({ $0 }) else { return nil }
        return worker.processID
    }

    /// Returns the worker and starts one if necessary; `nil` if none can be started.
    private func runningWorker() -> WorkerProcess? {
        switch state.withLock({ $0 }) {
        case .running(let worker): return worker
        case .unavailable: return nil
        case .idle: break
        }
        do throws(WorkerProcess.LaunchError) {
            let worker = try WorkerProcess(executable, options)
            state.withLock { $0 = .running(worker) }
            return worker
        } catch {
            state.withLock { $0 = .unavailable }
            report("cannot start a decode worker: \(error.reason); pictures are decoded in the main process")
            return nil
        }
    }

    @discardableResult private func discard(_ worker: WorkerProcess) -> WorkerProcess.ExitStatus? {
        state.withLock { $0 = .idle }
        return worker.terminate()
    }
}
