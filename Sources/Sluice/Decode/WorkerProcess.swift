// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceImaging
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A worker that was started: its process, and our end of the channel.
final class WorkerProcess: Sendable {
    /// How a process came to its end.
    enum End: Sendable, Hashable {
        case signal(Int32)
        case exit(Int32)
    }

    /// Why there is no worker.
    struct Refusal: Error {
        let words: String
    }

    /// How long a worker may take from its start to its first word.
    private static let patience = Duration.seconds(30)

    private struct State {
        /// `nil` once its end is known: the number may be another process's by then.
        var process: pid_t?
        /// How many pictures it was asked for.
        var questions = 0
        var isInterrupted = false
    }

    let channel: Channel
    /// What it has given up.
    let confinement: Confinement
    private let state: Locked<State>

    /// Starts one, and waits until it is ready.
    init(_ executable: String, _ options: ThumbnailOptions) throws(Refusal) {
        let (mine, theirs) = try Self.ends()
        channel = Channel(descriptor: mine)
        let process = try Self.start(executable, with: theirs)
        do throws(Refusal) {
            confinement = try Self.greet(channel, options)
        } catch {
            kill(process, SIGKILL)
            _ = Self.wait(for: process)
            throw error
        }
        state = Locked(State(process: process))
    }

    deinit { end() }

    /// Its number; `nil` once it has ended.
    var number: Int32? { state.withLock { $0.process } }

    /// Hands it the next picture, for which it may work so long; `nil` if it cannot answer any more, else the question's
    /// number.
    func ask(for file: Int32, seconds: Double) -> Int? {
        let question = state.withLock { state -> Int? in
            guard let process = state.process, !state.isInterrupted else { return nil }
            csandbox_limit_time(process, seconds)
            state.questions += 1
            return state.questions
        }
        guard let question, !channel.isStirred, channel.send(fileAt: file) else { return nil }
        return question
    }

    /// Ends it at once, from any thread, unless it has been asked something else since.
    func interrupt(_ question: Int) {
        state.withLock { state in
            guard let process = state.process, question == state.questions else { return }
            state.isInterrupted = true
            kill(process, SIGKILL)
        }
    }

    /// Ends it, unless it has come to its end itself, and says how that was; `nil` if nobody knows.
    @discardableResult func end() -> End? {
        state.withLock { state in
            guard let process = state.process else { return nil }
            state.process = nil
            kill(process, SIGKILL)
            return Self.wait(for: process)
        }
    }

    private static func ends() throws(Refusal) -> (mine: Int32, theirs: Int32) {
        var (mine, theirs): (Int32, Int32) = (-1, -1)
        let code = unsafe csandbox_channel_pair(&mine, &theirs)
        guard code == 0 else { throw Refusal(words: reason(code)) }
        return (mine, theirs)
    }

    /// Starts the program with that end of a channel, which is closed here: when the program goes, ours tells.
    private static func start(_ executable: String, with end: Int32) throws(Refusal) -> pid_t {
        defer { close(end) }
        var process: pid_t = 0
        let code = unsafe withWords(["sluice", DecodeWorker.word]) { words in
            unsafe withWords(environment) { environment in
                unsafe csandbox_start(executable, words, environment, end, &process)
            }
        }
        guard code == 0 else { throw Refusal(words: "\(executable): \(reason(code))") }
        return process
    }

    /// Hands the options over, and takes the worker's first word.
    private static func greet(_ channel: borrowing Channel, _ options: ThumbnailOptions) throws(Refusal) -> Confinement
    {
        var (options, confinement) = (options, Confinement())
        var wire = Wire()
        guard (try? wire.carry(&options)) != nil, channel.send(wire.bytes),
            let frame = try? channel.receive(atMost: 1024, by: .now + patience)
        else { throw Refusal(words: "it ended before its first word") }
        var answer = Wire(reading: frame)
        guard (try? answer.carry(&confinement)) != nil, answer.isAtEnd else {
            throw Refusal(words: "it is another program")
        }
        return confinement
    }

    /// Where libraries are found and sanitizers report; nothing secret goes along.
    private static var environment: [String] {
        var lines = ["SWIFT_BACKTRACE=enable=no"]
        var next = unsafe environ
        while let line = unsafe next.pointee {
            let text = unsafe String(cString: line)
            if text.hasPrefix("LD_") || text.prefix(while: { $0 != "=" }).hasSuffix("SAN_OPTIONS") {
                lines.append(text)
            }
            unsafe next += 1
        }
        return lines
    }

    private static func withWords<Result>(
        _ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(&copies)
    }

    private static func wait(for process: pid_t) -> End? {
        var status: Int32 = 0
        var code: pid_t
        repeat { code = unsafe waitpid(process, &status, 0) } while code < 0 && errno == EINTR
        guard code == process else { return nil }
        return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    private static func reason(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
