// SPDX-License-Identifier: MIT

internal import Dispatch

/// A Dispatch timer or signal source that is cancelled when it is released.
final class ManagedDispatchSource: @unchecked Sendable {
    // Sendable because Dispatch objects may be used from any thread; Dispatch only lacks the declaration.
    private let source: any DispatchSourceProtocol

    private init(_ source: any DispatchSourceProtocol, _ handler: @escaping @Sendable () -> Void) {
        self.source = source
        source.setEventHandler(handler: handler)
        source.activate()
    }

    deinit { source.cancel() }

    /// Calls `handler` on `queue` whenever the process receives the signal.
    ///
    /// The caller must disable its default action.
    static func signal(
        _ number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> ManagedDispatchSource {
        ManagedDispatchSource(DispatchSource.makeSignalSource(signal: number, queue: queue), handler)
    }

    /// Calls `handler` on `queue` periodically.
    static func timer(
        every milliseconds: Int, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> ManagedDispatchSource {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let leeway = DispatchTimeInterval.milliseconds(milliseconds / 5)
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: leeway)
        return ManagedDispatchSource(timer, handler)
    }
}
