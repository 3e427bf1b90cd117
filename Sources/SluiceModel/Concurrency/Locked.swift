// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A value protected by a lock.
///
/// It uses a pthread mutex because the thread sanitizer does not support `Synchronization.Mutex` on Linux. Never call
/// handlers or event sinks while holding the lock: decide inside, act outside.
@safe package final class Locked<Value>: @unchecked Sendable {
    // Sendable because `value` is only accessed between lock and unlock below.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Wraps a value in a new lock.
    package init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        self.value = value
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init: \(code)")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    package func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
