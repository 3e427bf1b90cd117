// SPDX-License-Identifier: MIT

internal import SluiceSystem
internal import Synchronization

/// A pipe that wakes a thread blocked in `poll`; it holds at most one byte, however many threads signal.
final class WakeupPipe: Sendable {
    /// The descriptor to poll; it is readable after ``signal()``.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isSignalled = Atomic(false)

    /// Returns `nil` if the process has no file descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            // Child processes must not inherit the pipe, and no read or write may block.
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the polling thread; callable from any thread.
    func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        // Retry after a signal: a lost byte would leave the thread asleep, because later calls return above.
        while unsafe write(writeEnd, &byte, 1) < 0, errno == EINTR {}
    }

    /// Resets the pipe; the polling thread calls it before it reads its inbox, so that later signals wake it again.
    func drain() {
        var byte: UInt8 = 0
        while unsafe read(readEnd, &byte, 1) > 0 {}
        isSignalled.store(false, ordering: .sequentiallyConsistent)
    }
}
