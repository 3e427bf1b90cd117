// SPDX-License-Identifier: MIT
package import SluiceSystem

/// A value protected by a lock.
///
/// It uses a pthread mutex because the thread sanitizer does not support `Synchronization.Mutex` on Linux. Never call
/// handlers or event sinks while holding the lock: decide inside, act outside.
@safe package final class Locked<Value>: @unchecked Sendable {
    // Sendable because `value` is only accessed between lock and unlock below. So the compiler's own check of exclusive
    // access would find nothing: a second access from the same thread blocks before it.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @exclusivity(unchecked) @usableFromInline var value: Value

    /// Wraps a value in a new lock.
    package init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe self.value = value
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init: \(code)")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value.
    @inlinable package func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&value)
    }
}
