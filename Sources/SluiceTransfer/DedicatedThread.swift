// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel
internal import SluiceSystem

/// Threads for work that blocks as long as its owner exists.
///
/// Dispatch has at most 255 threads for blocking work. Transfer loops on Dispatch queues could use them all up.
package enum DedicatedThread {
    private final class Work {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Returns whether the process can start `count` more threads; it starts them and ends them again.
    ///
    /// Check this early: Dispatch waits forever if the system refuses it a thread.
    package static func canStart(_ count: Int) -> Bool {
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

    /// Calls `body` on a thread of its own, and suspends until it has returned.
    ///
    /// Use it for calls that block, because tasks have only one thread per core.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        let result = OneShot<Value>()
        // Without a thread, the call blocks this one.
        if !start({ result.set(body()) }) { result.set(body()) }
        return await result.value()
    }

    /// Calls `body` for each element on up to `width` threads, and returns when all calls have returned.
    package static func forEach<Element: Sendable>(
        _ elements: [Element], width: Int, _ body: @escaping @Sendable (Element) -> Void
    ) {
        let rest = Locked(elements[...])
        let work = { @Sendable in while let element = rest.withLock({ $0.popFirst() }) { body(element) } }
        let group = DispatchGroup()
        for _ in 1..<max(1, min(width, elements.count)) {
            group.enter()
            let isStarted = start {
                work()
                group.leave()
            }
            if !isStarted { group.leave() }
        }
        // The calling thread takes part, so that the work is done even if the system refuses threads.
        work()
        group.wait()
    }

    /// Starts a thread that runs `body`; returns `false` if the system refuses.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
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
