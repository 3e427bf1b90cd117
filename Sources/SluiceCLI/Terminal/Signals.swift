// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Sluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// SIGINT, SIGTERM and SIGHUP while a run is under way: the first asks it to stop, the second ends the process.
final class Signals: Sendable {
    private let watched = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    private let sources: Locked<[EventSource]>

    /// Both are called on a queue of their own, and never from within a signal handler.
    init(first: @escaping @Sendable (Int32) -> Void, beforeEnd: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "sluice.signals")
        let count = Locked(0)
        sources = Locked([])
        let sources = watched.map { number in
            // The default would end the process before the source could tell.
            signal(number, SIG_IGN)
            return EventSource.signal(number, on: queue) {
                let seen = count.withLock { count in
                    count += 1
                    return count
                }
                if seen == 1 { first(number) } else { Self.end(number, beforeEnd) }
            }
        }
        self.sources.withLock { $0 = sources }
    }

    /// Ends the process at once, even if a stopped terminal takes no last word.
    private static func end(_ number: Int32, _ beforeEnd: () -> Void) {
        let code = ExitCode.signal(number).number
        DispatchQueue(label: "sluice.end").asyncAfter(deadline: .now() + .milliseconds(200)) { _exit(code) }
        beforeEnd()
        _exit(code)
    }

    /// Gives the signals back their usual meaning.
    func end() {
        sources.withLock { $0 = [] }
        for number in watched { signal(number, SIG_DFL) }
    }
}

/// Whether whoever started this process wants it to outlive that signal, as nohup does.
private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
        return unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
        return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
}
