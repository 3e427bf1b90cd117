// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A thread for work that blocks for as long as its owner lives.
///
/// Dispatch lends its threads, 255 of them at most, and takes one that blocks for lost: a process with as many
/// transfer loops on Dispatch queues would have none left to serve them with.
enum OwnThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts a thread that ends with `body`.
    static func start(_ body: @escaping @Sendable () -> Void) {
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
        precondition(code == 0, "the system has no thread left (pthread_create: \(code))")
    }
}
