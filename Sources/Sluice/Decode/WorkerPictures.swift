// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Makes thumbnails in a worker, which is started with the first picture and replaced when it has ended.
///
/// One that cannot be started is told of once, and pictures are then decoded in this process: a run that is less well
/// guarded is better than none.
final class WorkerPictures: PictureMaking {
    /// Past its deadline a worker that looks at the clock has answered; one that does not is ended.
    private static let grace = Duration.milliseconds(50)

    private let executable: String
    private let options: ThumbnailOptions
    private let own: OwnPictures
    private let tell: @Sendable (String) -> Void
    private let state = Locked(State.idle)

    private enum State {
        case idle
        case ready(WorkerProcess)
        case refused
    }

    /// `tell` is told if there can be no worker.
    init(_ executable: String, _ own: OwnPictures, tell: @escaping @Sendable (String) -> Void) {
        self.executable = executable
        self.own = own
        options = own.thumbnailer.options
        self.tell = tell
    }

    func thumbnails(
        of picture: OpenPicture, in descriptor: Int32, token: Token, timing times: inout PictureTimes
    ) throws(Failure) -> PictureResult {
        // Before a worker is ended for it.
        try token.check()
        // Twice, because a worker that has ended while it was idle is no picture's fault.
        for _ in 0..<2 {
            guard let worker = worker() else { break }
            if let question = worker.ask(for: descriptor, seconds: options.limits.seconds) {
                let answer = try answer(of: worker, question, token: token)
                times = answer.times
                return try result(of: picture, from: answer, by: worker)
            }
            dismiss(worker)
        }
        return try own.thumbnails(of: picture, in: descriptor, token: token, timing: &times)
    }

    private func answer(of worker: WorkerProcess, _ question: Int, token: Token) throws(Failure) -> Answer {
        let deadline = ContinuousClock.now + .seconds(options.limits.seconds) + Self.grace
        let handler = token.onCancel { _ in worker.interrupt(question) }
        defer { withExtendedLifetime(handler) {} }
        do throws(Channel.Break) {
            return try Self.answer(in: worker.channel.receive(atMost: options.limits.memory, by: deadline))
        } catch {
            let end = dismiss(worker)
            throw token.cause.map { Failure($0, "") } ?? failure(of: error, end)
        }
    }

    private func result(
        of picture: OpenPicture, from answer: Answer, by worker: WorkerProcess
    ) throws(Failure) -> PictureResult {
        if let failure = answer.failure { throw Failure(failure) }
        guard let result = answer.result(of: picture.info, sizes: options.sizes) else {
            dismiss(worker)
            throw failure(of: .malformed, nil)
        }
        return result
    }

    private static func answer(in frame: [UInt8]) throws(Channel.Break) -> Answer {
        var answer = Answer()
        var wire = Wire(reading: frame)
        guard (try? wire.carry(&answer)) != nil, wire.isAtEnd else { throw .malformed }
        return answer
    }

    /// What it means for a picture that its worker did not answer.
    private func failure(of trouble: Channel.Break, _ end: WorkerProcess.End?) -> Failure {
        switch (trouble, end) {
        case (.late, _), (_, .signal(SIGXCPU)): Failure(.decodeLimit, "longer than \(options.limits.seconds) s")
        case (.malformed, _): Failure(.decoderCrashed, "its answer made no sense")
        case (.ended, .signal(let number)): Failure(.decoderCrashed, "signal \(number)")
        case (.ended, .exit(let code)): Failure(.decoderCrashed, "exit code \(code)")
        case (.ended, nil): Failure(.decoderCrashed, "it ended")
        }
    }

    func prepare() { _ = worker() }

    var process: Int32? {
        guard case .ready(let worker) = state.withLock({ $0 }) else { return nil }
        return worker.number
    }

    /// The worker, started if there is none; `nil` if there can be none.
    private func worker() -> WorkerProcess? {
        switch state.withLock({ $0 }) {
        case .ready(let worker): return worker
        case .refused: return nil
        case .idle: break
        }
        do throws(WorkerProcess.Refusal) {
            let worker = try WorkerProcess(executable, options)
            state.withLock { $0 = .ready(worker) }
            return worker
        } catch {
            state.withLock { $0 = .refused }
            tell("pictures are decoded in the main process, because a worker cannot be started: \(error.words)")
            return nil
        }
    }

    @discardableResult private func dismiss(_ worker: WorkerProcess) -> WorkerProcess.End? {
        state.withLock { $0 = .idle }
        return worker.end()
    }
}
