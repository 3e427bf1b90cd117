// SPDX-License-Identifier: MIT

internal import Dispatch

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A thread for work that blocks for as long as its owner lives.
///
/// Dispatch lends its threads, 255 of them at most, and takes one that blocks for lost: a process with as many
/// transfer loops on Dispatch queues would have none left to serve them with.
public enum OwnThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Whether the system lets this process have so many threads more at once; they are made, and end at once.
    ///
    /// Dispatch, which asks for threads when there is work for them, waits for ever where it gets none.
    public static func areLeft(_ count: Int) -> Bool {
        let (gate, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let started = (0..<count).prefix { _ in
            start {
                gate.wait()
                over.signal()
            }
        }.count
        for _ in 0..<started { gate.signal() }
        for _ in 0..<started { over.wait() }
        return started == count
    }

    /// Starts a thread that ends with `body`; `false` if the system has none left.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { unsafe pthread_attr_destroy(&attributes) }
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                // Optional on Linux alone.
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
