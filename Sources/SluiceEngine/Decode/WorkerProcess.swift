// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceFiles
package import SluiceImaging
internal import SluiceModel
internal import SluiceSystem

/// A running decode worker and the run's end of the socket to it.
package final class WorkerProcess: Sendable {
    enum ExitStatus: Sendable, Hashable {
        case signal(Int32)
        case exit(Int32)
    }

    /// The reason why a worker could not be started.
    package struct LaunchError: Error {
        package let reason: String
    }

    /// The longest time from a worker's start to its greeting.
    private static let startTimeout = Duration.seconds(30)

    private struct State {
        /// `nil` once the exit status was read: another process may have the same ID from then on.
        var process: pid_t?
        /// The number of requests sent so far.
        var requests = 0
        var isCancelled = false
    }

    let socket: WorkerSocket
    package let protections: SandboxProtections
    private let state: Locked<State>

    /// Starts a worker and waits for its greeting.
    ///
    /// It loads the libraries of the formats in `libraries`, by default of all that the options allow.
    package init(
        _ executable: String, _ options: ThumbnailOptions, loading libraries: Set<ImageFormat>? = nil
    ) throws(LaunchError) {
        let (ours, theirs) = try Self.makeSockets()
        socket = WorkerSocket(descriptor: ours)
        let process = try Self.start(executable, with: theirs)
        do throws(LaunchError) {
            protections = try Self.shakeHands(over: socket, options, libraries ?? options.libraries)
        } catch {
            kill(process, SIGKILL)
            _ = Self.wait(for: process)
            throw error
        }
        state = Locked(State(process: process))
    }

    deinit { terminate() }

    /// The process ID; `nil` once the process was terminated.
    var processID: Int32? { state.withLock { $0.process } }

    /// Sends the next picture and returns the request's number; `nil` if the worker has exited.
    ///
    /// `timeLimit` is the processor time in seconds that the worker may use.
    func send(_ file: Int32, timeLimit: Double) -> Int? {
        let request = state.withLock { state -> Int? in
            guard let process = state.process, !state.isCancelled else { return nil }
            csandbox_set_cpu_limit(process, timeLimit)
            state.requests += 1
            return state.requests
        }
        guard let request, !socket.hasPendingInput, socket.send(descriptor: file) else { return nil }
        return request
    }

    /// Kills the worker if the request is its latest one.
    ///
    /// May be called from any thread.
    func cancel(_ request: Int) {
        state.withLock { state in
            guard let process = state.process, request == state.requests else { return }
            state.isCancelled = true
            kill(process, SIGKILL)
        }
    }

    /// Kills the worker if it is still running.
    ///
    /// Returns its exit status; `nil` if that is unknown.
    @discardableResult func terminate() -> ExitStatus? {
        state.withLock { state in
            guard let process = state.process else { return nil }
            state.process = nil
            kill(process, SIGKILL)
            return Self.wait(for: process)
        }
    }

    private static func makeSockets() throws(LaunchError) -> (ours: Int32, theirs: Int32) {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        let code = unsafe csandbox_socket_pair(&ours, &theirs)
        guard code == 0 else { throw LaunchError(reason: message(for: code)) }
        let admitted = (ours: DescriptorReserve.admit(ours), theirs: DescriptorReserve.admit(theirs))
        guard admitted.ours >= 0, admitted.theirs >= 0 else {
            for descriptor in [admitted.ours, admitted.theirs] where descriptor >= 0 { close(descriptor) }
            throw LaunchError(reason: message(for: EMFILE))
        }
        return admitted
    }

    /// Starts the program with its end of the socket pair, and closes that end here.
    ///
    /// No other copy remains open in this process, so reads from the run's end fail as soon as the program exits.
    private static func start(_ executable: String, with descriptor: Int32) throws(LaunchError) -> pid_t {
        defer { close(descriptor) }
        var process: pid_t = 0
        let code = unsafe withCStrings(["sluice", DecodeWorker.argument]) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe csandbox_spawn(executable, arguments, environment, descriptor, &process)
            }
        }
        guard code == 0 else { throw LaunchError(reason: "\(executable): \(message(for: code))") }
        return process
    }

    /// Sends the options and receives the worker's greeting.
    private static func shakeHands(
        over socket: borrowing WorkerSocket, _ options: ThumbnailOptions, _ libraries: Set<ImageFormat>
    ) throws(LaunchError) -> SandboxProtections {
        var (options, libraries, protections) = (options, libraries, SandboxProtections())
        var coder = WorkerCoder()
        guard (try? coder.code(&options)) != nil, (try? libraries.code(with: &coder)) != nil,
            socket.send(coder.bytes),
            let frame = try? socket.receive(limit: 1024, by: .now + startTimeout)
        else { throw LaunchError(reason: "it exited or sent nothing") }
        var greeting = WorkerCoder(reading: frame)
        guard (try? greeting.code(&protections)) != nil, greeting.isAtEnd else {
            throw LaunchError(reason: "it is not a Sluice worker")
        }
        return protections
    }

    /// Only the variables that configure the dynamic linker and sanitizers.
    ///
    /// Secrets are not passed on.
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

    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(&copies)
    }

    private static func wait(for process: pid_t) -> ExitStatus? {
        var status: Int32 = 0
        var code: pid_t
        repeat { code = unsafe waitpid(process, &status, 0) } while code < 0 && errno == EINTR
        guard code == process else { return nil }
        return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    private static func message(for code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

/// Records which items a process was decoding when a decoder crashed it.
///
/// The record is written by a signal handler, so a process that is killed from outside leaves none: a kill says nothing
/// about a photo. The next run counts the recorded crashes in the ledger.
struct CrashRecord: Sendable {
    private static let name = ".sluice/crashed-decodes"

    private let path: String?

    /// Creates the record of the mirror in `folder`.
    ///
    /// Nothing is written unless a decoder crashes.
    init(in folder: Folder) {
        path = (try? folder.resolvedPath()).map { "\($0)/\(Self.name)" }
    }

    /// Runs `decode`, and records the item if a decoding thread crashes the process during it.
    func during<Result>(decodeOf item: Int, _ decode: () -> Result) -> Result {
        guard let path else { return decode() }
        let mark = unsafe path.withCString { unsafe csandbox_begin_decode($0, item) }
        defer { csandbox_end_decode(mark) }
        return decode()
    }

    /// Removes the record of an earlier run and returns its items; empty if no decoder has crashed.
    static func take(from folder: Folder) throws(FileError) -> Set<Int> {
        guard folder.size(of: name) != nil else { return [] }
        let lines = try folder.read(name).split(separator: UInt8(ascii: "\n"))
        // Removed first: if this process is killed now, the crash is forgotten and not counted twice.
        try folder.remove(name)
        return Set<Int>(lines.compactMap { Int(String(decoding: $0, as: UTF8.self))?.within(Quantity.range) })
    }
}
