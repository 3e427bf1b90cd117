// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Stops the process on Ctrl-Z as usual, but after the terminal was given back.
final class Suspension: Sendable {
    private let source: EventSource

    /// `before` is called on `queue`, right before the process stops.
    init(on queue: DispatchQueue, before: @escaping @Sendable () -> Void) {
        signal(SIGTSTP, SIG_IGN)
        source = EventSource.signal(SIGTSTP, on: queue) {
            before()
            // SIGSTOP cannot be caught, so this is where the process stands until it is continued.
            kill(getpid(), SIGSTOP)
        }
    }

    deinit { signal(SIGTSTP, SIG_DFL) }
}
