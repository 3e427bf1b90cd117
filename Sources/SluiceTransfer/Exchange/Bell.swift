// SPDX-License-Identifier: MIT

internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Wakes a thread that waits for sockets, from any other: a pipe, and one byte in it however many ring.
final class Bell: Sendable {
    /// What the thread waits for beside its sockets: readable once somebody has rung.
    let ear: Int32
    private let clapper: Int32
    private let isRung = Atomic(false)

    /// Fails if the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        (ear, clapper) = (ends[0], ends[1])
        for end in ends {
            // No child process inherits them, and nobody ever waits for the pipe itself.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(ear)
        close(clapper)
    }

    func ring() {
        guard !isRung.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        // A byte that is lost is a thread that sleeps on: nobody else rings before this one was heard.
        while unsafe write(clapper, &byte, 1) < 0, errno == EINTR {}
    }

    /// Called by the thread before it looks for what it was woken for; who rings from now on is heard the next time.
    func hush() {
        var byte: UInt8 = 0
        while unsafe read(ear, &byte, 1) > 0 {}
        isRung.store(false, ordering: .sequentiallyConsistent)
    }
}
