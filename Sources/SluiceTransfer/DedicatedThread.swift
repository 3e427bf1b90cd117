// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Threads for work that blocks as long as its owner exists.
///
/// Dispatch has at most 255 threads for blocking work. Transfer loops on Dispatch queues could use them all up.
public enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Returns whether the process can start `count` more threads; it starts them and ends them again.
    ///
    /// Check this early: Dispatch waits forever if the system refuses it a thread.
    public static func canStart(_ count: Int) -> Bool {
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let started = (0..<count).prefix { _ in
            start {
                gate.wait()
                done.signal()
            }
        }.count
        for _ in 0..<started { gate.signal() }
        for _ in 0..<started { done.wait() }
        return started == count
    }

    /// Starts a thread that runs `body`; returns `false` if the system refuses.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                pthread_detach(pthread_self())
                // The argument is optional on Linux only.
                let argument: UnsafeMutableRawPointer? = unsafe argument
                if let argument = unsafe argument {
                    unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                }
                return nil
            }, work)
        if code != 0 { unsafe Unmanaged<Work>.fromOpaque(work).release() }
        return code == 0
    }
}
