// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceSystem

/// Decodes pictures in a worker process, and never in this one.
///
/// It starts the worker with the first picture, and replaces it when it has exited or has decoded some pictures: a
/// picture that takes over its worker can falsify only the few that follow. A worker loads only the libraries that its
/// pictures need, because most take longer to load than to decode some pictures. It is replaced for a picture that
/// needs another one.
final class SandboxedDecoder: ThumbnailMaking {
    /// A worker that checks the clock has replied this soon after its deadline; any other worker is killed.
    private static let gracePeriod = Duration.milliseconds(50)
    /// The number of workers that a picture is sent to, if they exit before they read it.
    private static let maximumWorkers = 5

    /// The number of pictures that a worker decodes.
    ///
    /// Starting the workers then costs 4 % of the processor time for web photos.
    static let picturesPerWorker = 192

    private let launcher: WorkerLauncher
    private var options: ThumbnailOptions { launcher.options }
    private let running = Locked<(worker: WorkerProcess, libraries: Set<ImageFormat>)?>(nil)

    init(_ launcher: WorkerLauncher) { self.launcher = launcher }

    func thumbnails(
        of picture: OpenedImage, in descriptor: Int32, token: CancellationToken, timing times: inout ImagingTimes
    ) throws(DecodingError) -> ThumbnailResult {
        let request: DecodeRequest
        do throws(ImagingError) { request = try DecodeRequest(picture.info, options) } catch {
            throw .failed(Failure(error))
        }
        // A worker may exit while it is idle, which is not the picture's fault.
        for _ in 0..<Self.maximumWorkers {
            // Avoids killing a worker for a picture that is cancelled already.
            if let cause = token.cause { throw .failed(Failure(cause, "")) }
            let worker = try worker(with: options.libraries(for: picture.info.format))
            let start = ContinuousClock.now
            guard let number = worker.send(descriptor, timeLimit: options.limits.seconds) else {
                discard(worker)
                continue
            }
            guard let reply = try receiveReply(to: request, number, from: worker, token: token) else { continue }
            guard let result = request.result(in: reply) else {
                discard(worker)
                throw error(for: .malformed, nil)
            }
            times = reply.times.limited(to: .now - start)
            if number >= Self.picturesPerWorker { discard(worker) }
            switch result {
            case .success(let thumbnails): return thumbnails
            case .failure(let failure): throw .failed(Failure(failure))
            }
        }
        throw .failed(Failure(.decoderCrashed, "decode workers exit before they read the photo"))
    }

    /// Waits for the worker's reply; returns `nil` if the worker has exited before it read the request.
    private func receiveReply(
        to request: DecodeRequest, _ number: Int, from worker: WorkerProcess, token: CancellationToken
    ) throws(DecodingError) -> DecodeReply? {
        let deadline = ContinuousClock.now + .seconds(options.limits.seconds) + Self.gracePeriod
        let handler = token.onCancel { _ in worker.cancel(number) }
        defer { withExtendedLifetime(handler) {} }
        do throws(WorkerSocket.ReceiveError) {
            let limit = min(options.limits.memory, request.maxReplyLength)
            return try Self.decode(worker.socket.receive(limit: limit, by: deadline))
        } catch {
            let exit = discard(worker)
            if let cause = token.cause { throw .failed(Failure(cause, "")) }
            guard error != .unread else { return nil }
            throw self.error(for: error, exit)
        }
    }

    private static func decode(_ frame: [UInt8]) throws(WorkerSocket.ReceiveError) -> DecodeReply {
        var reply = DecodeReply()
        var coder = WorkerCoder(reading: frame)
        guard (try? coder.code(&reply)) != nil, coder.isAtEnd else { throw .malformed }
        return reply
    }

    /// Returns the error of a picture whose worker sent no valid reply.
    ///
    /// Decoders do not kill themselves with SIGKILL, so a worker that ends this way says nothing about the picture.
    private func error(for error: WorkerSocket.ReceiveError, _ exit: WorkerProcess.ExitStatus?) -> DecodingError {
        switch (error, exit) {
        case (.timedOut, _), (_, .signal(SIGXCPU)):
            .failed(Failure(.decodeLimit, "longer than \(options.limits.seconds) s"))
        case (.malformed, _): .crashed(Failure(.decoderCrashed, "invalid reply"))
        case (_, .signal(SIGKILL)): .failed(Failure(.decoderCrashed, "signal \(SIGKILL)"))
        case (_, .signal(let number)): .crashed(Failure(.decoderCrashed, "signal \(number)"))
        case (_, .exit(let code)): .crashed(Failure(.decoderCrashed, "exit code \(code)"))
        case (_, nil): .crashed(Failure(.decoderCrashed, "unknown exit status"))
        }
    }

    var processID: Int32? { running.withLock { $0 }?.worker.processID }

    /// Returns the worker, and starts one if there is none with the libraries of these formats.
    private func worker(with libraries: Set<ImageFormat>) throws(DecodingError) -> WorkerProcess {
        var libraries = libraries
        if let current = running.withLock({ $0 }) {
            if current.libraries.isSuperset(of: libraries) { return current.worker }
            libraries.formUnion(current.libraries)
            discard(current.worker)
        }
        let worker = try launcher.launch(loading: libraries)
        running.withLock { $0 = (worker, libraries) }
        return worker
    }

    @discardableResult private func discard(_ worker: WorkerProcess) -> WorkerProcess.ExitStatus? {
        running.withLock { $0 = nil }
        return worker.terminate()
    }
}
