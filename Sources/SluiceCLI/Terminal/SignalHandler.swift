// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel
internal import SluiceSystem

/// Handles SIGINT, SIGTERM and SIGHUP during a run: the first signal calls a handler, the second ends the process.
final class SignalHandler: Sendable {
    private let watched = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    private let sources: Locked<[ManagedDispatchSource]>
    private let first: Locked<Int32?>

    /// The exit code for the first signal; `nil` before it.
    var exitCode: ExitCode? { first.withLock { $0 }.map { .signal($0) } }

    /// Calls `onFirst` with the first signal, and `beforeExit` when the second one ends the process.
    ///
    /// Both run on a private queue, never in a signal handler.
    init(onFirst: @escaping @Sendable (Int32) -> Void, beforeExit: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "sluice.signals")
        let first = Locked<Int32?>(nil)
        self.first = first
        sources = Locked([])
        let sources = watched.map { number in
            // The default action would end the process before the source reports the signal.
            signal(number, SIG_IGN)
            return ManagedDispatchSource.signal(number, on: queue) {
                let isFirst = first.withLock { first in
                    guard first == nil else { return false }
                    first = number
                    return true
                }
                if isFirst { onFirst(number) } else { Self.exitProcess(number, beforeExit) }
            }
        }
        self.sources.withLock { $0 = sources }
    }

    /// Ends the process after at most 200 ms, even if a stopped terminal blocks the last message.
    private static func exitProcess(_ number: Int32, _ beforeExit: () -> Void) {
        let code = ExitCode.signal(number).number
        DispatchQueue(label: "sluice.end").asyncAfter(deadline: .now() + .milliseconds(200)) { _exit(code) }
        beforeExit()
        _exit(code)
    }

    /// Stops handling the signals and restores their default actions.
    func stop() {
        sources.withLock { $0 = [] }
        for number in watched { signal(number, SIG_DFL) }
    }
}

/// Whether the parent process made this process ignore the signal, as nohup does.
private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
        return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
}

/// Restores the terminal on Ctrl-Z before the process is suspended.
final class SuspendHandler: Sendable {
    private let source: ManagedDispatchSource

    /// Calls `beforeSuspend` on `queue` right before the process is suspended.
    init(on queue: DispatchQueue, beforeSuspend: @escaping @Sendable () -> Void) {
        signal(SIGTSTP, SIG_IGN)
        source = ManagedDispatchSource.signal(SIGTSTP, on: queue) {
            beforeSuspend()
            // SIGSTOP cannot be caught: the process stops here until it is continued.
            kill(getpid(), SIGSTOP)
        }
    }

    deinit { signal(SIGTSTP, SIG_DFL) }
}

/// A Dispatch timer or signal source that is cancelled when it is released.
final class ManagedDispatchSource: @unchecked Sendable {
    // Sendable because Dispatch objects may be used from any thread; Dispatch only lacks the declaration.
    private let source: any DispatchSourceProtocol

    private init(_ source: any DispatchSourceProtocol, _ handler: @escaping @Sendable () -> Void) {
        self.source = source
        source.setEventHandler(handler: handler)
        source.activate()
    }

    deinit { source.cancel() }

    /// Calls `handler` on `queue` whenever the process receives the signal.
    ///
    /// The caller must disable its default action.
    static func signal(
        _ number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> ManagedDispatchSource {
        ManagedDispatchSource(DispatchSource.makeSignalSource(signal: number, queue: queue), handler)
    }

    /// Calls `handler` on `queue` periodically.
    static func timer(
        every milliseconds: Int, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> ManagedDispatchSource {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let leeway = DispatchTimeInterval.milliseconds(milliseconds / 5)
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: leeway)
        return ManagedDispatchSource(timer, handler)
    }
}
