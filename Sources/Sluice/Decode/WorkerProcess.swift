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

    let channel: Channel
    /// What it has given up.
    let confinement: Confinement
    /// `nil` once its end is known: the number may be another process's by then.
    private let process: Locked<pid_t?>

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
        self.process = Locked(process)
    }

    deinit { end() }

    /// Ends it at once, from any thread.
    func interrupt() {
        process.withLock { process in
            if let process { _ = kill(process, SIGKILL) }
        }
    }

    /// Ends it, unless it has come to its end itself, and says how that was; `nil` if nobody knows.
    @discardableResult func end() -> End? {
        interrupt()
        return process.withLock { process in
            defer { process = nil }
            return process.flatMap { Self.wait(for: $0) }
        }
    }

    /// Bounds the processor's time for what it is asked next; what it waits for it is not held to.
    func limitTime(to seconds: Double) {
        process.withLock { process in
            if let process { csandbox_limit_time(process, seconds) }
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
