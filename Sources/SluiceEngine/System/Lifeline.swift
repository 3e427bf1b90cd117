// SPDX-License-Identifier: MIT

internal import CLinux
internal import Dispatch
internal import SluiceModel
internal import SluiceSystem
internal import SluiceTransfer

/// Ends this process when the program that started it is gone, so that no run continues without its scheduler.
///
/// The process is killed: a run can be resumed after any end, and another attempt may start at once.
package enum Lifeline: String, Sendable, Hashable, CaseIterable {
    /// Ends with standard input, which the parent keeps open.
    case stdin
    /// Ends with the thread that started this process, as the kernel reports it; Linux only.
    case parent

    /// Holds the lifeline from now on.
    package func hold() throws(MirrorError) {
        switch self {
        case .stdin: Self.watchInput()
        case .parent:
            #if canImport(Darwin)
                throw MirrorError(.usage, "cannot end with the parent process: this system does not support it")
            #else
                let parent = getppid()
                let (isSet, tried) = (Locked(false), DispatchSemaphore(value: 0))
                // The kernel forgets the request when the thread that made it ends, as threads of Dispatch do.
                let isStarted = DedicatedThread.start {
                    isSet.withLock { $0 = clinux_end_with_parent() == 0 }
                    tried.signal()
                    while true { pause() }
                }
                if isStarted { tried.wait() }
                guard isSet.withLock({ $0 }) else {
                    throw MirrorError(.local, "cannot end with the parent process: the system refuses it")
                }
                // The parent may have ended before the call.
                if getppid() != parent { Self.end() }
            #endif
        }
    }

    private static func watchInput() {
        if hasInputEnded(within: 0) { end() }
        // A queue of its own, because the wait may block for the whole run.
        DispatchQueue(label: "sluice.lifeline").async {
            while !hasInputEnded(within: -1) {}
            end()
        }
    }

    /// Waits for standard input for some milliseconds, or without a limit if negative, and discards what arrives.
    private static func hasInputEnded(within milliseconds: Int32) -> Bool {
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&input, 1, milliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(0, &bytes, bytes.count)
        return count == 0 || count < 0 && errno != EINTR && errno != EAGAIN
    }

    private static func end() -> Never {
        kill(getpid(), SIGKILL)
        _exit(1)
    }
}
