// SPDX-License-Identifier: MIT

internal import CSandbox
internal import Dispatch
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// A running browser, which is driven by messages over a socket: JSON texts, each with a zero byte at its end.
///
/// The thread that starts the browser also reads its messages: the kernel kills the browser when that thread ends, and
/// so when this process is killed.
final class BrowserProcess: Sendable {
    /// The longest message that a browser may send.
    private static let maxMessage = 256 << 20
    /// How long a browser may take to save the user's profile.
    private static let closingTime = 5.0

    private struct State {
        /// `nil` once the process has ended: another may have the same number from then on.
        var process: pid_t?
        var isClosed = false
        /// The folder of the browser, which is removed when the browser has ended.
        var profile: ProfileFolder?
    }

    /// Whether the browser has no network of its own, because the system permits that.
    let isIsolated: Bool
    private let socket: Int32
    private let log: String?
    private let keepsProfile: Bool
    private let state: Locked<State>
    private let ended: DispatchSemaphore
    private let closed = DispatchSemaphore(value: 0)
    private let writing = DispatchQueue(label: "sluice.browser")

    /// Starts a browser; `receive` gets its messages in order, on one thread, and `nil` when it has ended.
    static func start(
        _ browser: InstalledBrowser, receiving receive: @escaping @Sendable ([UInt8]?) -> Void
    ) throws(Failure) -> BrowserProcess {
        do throws(BrowserError) {
            let process = try BrowserProcess(browser, receiving: receive)
            RunningBrowsers.add(process)
            return process
        } catch { throw .browser(error.message) }
    }

    private init(
        _ browser: InstalledBrowser, receiving receive: @escaping @Sendable ([UInt8]?) -> Void
    ) throws(BrowserError) {
        let profile = try ProfileFolder(browser.profile)
        let state = Locked(State(profile: profile))
        let ended = DispatchSemaphore(value: 0)
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        guard unsafe csandbox_socket_pair(&ours, &theirs) == 0 else {
            throw BrowserError("cannot start the browser: no descriptors are left")
        }
        let launch = Launch(
            program: browser.path, arguments: [browser.path] + browser.arguments(profile: profile.path),
            profile: profile.path, log: profile.log, socket: theirs, user: profile.user, group: profile.group)
        let started = OneShot<(code: Int32, isIsolated: Bool)>()
        let descriptor = ours
        let isStarted = DedicatedThread.start {
            let (process, code, isIsolated) = launch.perform()
            close(launch.socket)
            state.withLock { $0.process = code == 0 ? process : nil }
            started.set((code, isIsolated))
            if code != 0 { return }
            Self.read(from: descriptor, receive)
            state.withLock { state in
                kill(-process, SIGKILL)
                var status: Int32 = 0
                while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
                state.process = nil
            }
            receive(nil)
            ended.signal()
        }
        let result = isStarted ? started.waitForValue() : (code: EAGAIN, isIsolated: false)
        if !isStarted { close(theirs) }
        guard result.code == 0 else {
            close(ours)
            let reason = unsafe String(cString: strerror(result.code))
            throw BrowserError("cannot start the browser '\(browser.path)': \(reason)")
        }
        (socket, keepsProfile, isIsolated) = (ours, browser.profile != nil, result.isIsolated)
        (log, self.state, self.ended) = (profile.log, state, ended)
    }

    deinit {
        end()
        close(socket)
    }

    /// Sends a message without waiting for the browser to take it.
    func send(_ message: [UInt8]) {
        writing.async { [self] in
            var sent = 0
            let message = message + [0]
            while sent < message.count {
                let count = unsafe message.withUnsafeBytes { buffer in
                    unsafe csandbox_send(socket, buffer.baseAddress?.advanced(by: sent), message.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// Ends the browser and waits until it has ended.
    func end() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else {
            closed.wait()
            closed.signal()
            return
        }
        defer { closed.signal() }
        // A browser that is killed may lose what it has not saved.
        if keepsProfile { send(Array(#"{"id":0,"method":"Browser.close"}"#.utf8)) }
        if !keepsProfile || ended.wait(timeout: .now() + Self.closingTime) != .success {
            state.withLock { state in if let process = state.process { _ = kill(-process, SIGKILL) } }
            shutdown(socket, Int32(SHUT_RDWR))
            ended.wait()
        }
        _ = state.withLock { state in
            defer { state.profile = nil }
            return state.profile
        }
    }

    /// The beginning of the browser's messages, which may tell why it has ended.
    var messages: String {
        guard let log, let file = try? OpenFile.reading(log, followsLink: false) else { return "" }
        let bytes = (try? file.read(at: 0, count: 64 << 10)) ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads messages until the browser closes the socket.
    private static func read(from socket: Int32, _ receive: ([UInt8]?) -> Void) {
        var (message, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 256 << 10))
        while message.count < maxMessage {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0) {
                message += rest[..<end]
                receive(message)
                message.removeAll(keepingCapacity: message.capacity < 1 << 20)
                rest = rest[(end + 1)...]
            }
            message += rest
        }
    }
}

/// How a browser is started.
private struct Launch: Sendable {
    let program: String
    let arguments: [String]
    let profile: String
    let log: String?
    let socket: Int32
    let user: uid_t
    let group: gid_t

    /// Starts the program, without a network if the system permits that.
    func perform() -> (process: pid_t, code: Int32, isIsolated: Bool) {
        let output = unsafe open(log ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        defer { close(output) }
        var process: pid_t = 0
        for isIsolated in [true, false] {
            let code = unsafe withCStrings(arguments) { arguments in
                unsafe withCStrings(environment) { environment in
                    unsafe csandbox_start_browser(
                        program, arguments, environment, socket, output, user, group, isIsolated, &process)
                }
            }
            if code == 0 || !isIsolated || ![EPERM, ENOSPC, EINVAL, ENOSYS, EACCES].contains(code) {
                return (process, code, isIsolated && code == 0)
            }
            var status: Int32 = 0
            if process > 0 { unsafe waitpid(process, &status, 0) }
        }
        return (process, EPERM, false)
    }

    /// Only what a browser needs: no variable of the user reaches it.
    private var environment: [String] {
        ["HOME=\(profile)", "TMPDIR=\(profile)", "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"]
    }

    private func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        return unsafe body(&copies)
    }
}

/// The browsers that this process has started, which end with it.
private enum RunningBrowsers {
    private struct Reference: Sendable { weak var process: BrowserProcess? }

    private static let all = Locked<[Reference]>([])
    /// Ends them at the end of the process, because nothing releases the objects of a run that exits.
    private static let atExit: Void = {
        atexit { RunningBrowsers.all.withLock { $0 }.forEach { $0.process?.end() } }
    }()

    static func add(_ process: BrowserProcess) {
        _ = atExit
        all.withLock { all in all = all.filter { $0.process != nil } + [Reference(process: process)] }
    }
}
