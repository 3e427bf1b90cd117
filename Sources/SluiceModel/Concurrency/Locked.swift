// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A value that is reached only under its lock.
///
/// A pthread mutex and not `Synchronization.Mutex`, because the thread sanitizer does not see the latter on Linux.
/// Never call out of the house (a handler, an event sink) while holding it: decide inside, act outside.
@safe public final class Locked<Value>: @unchecked Sendable {
    // Sendable because `value` is only ever touched between lock and unlock below.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Puts a value behind a lock of its own.
    public init(_ value: sending Value) {
        unsafe mutex = .allocate(capacity: 1)
        self.value = value
        let code = unsafe pthread_mutex_init(mutex, nil)
        precondition(code == 0, "pthread_mutex_init: \(code)")
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the value, alone.
    public func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
