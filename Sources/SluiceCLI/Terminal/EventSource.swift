// SPDX-License-Identifier: MIT

internal import Dispatch

/// A timer or a signal that calls back on a queue for as long as this is kept.
final class EventSource: @unchecked Sendable {
    // Sendable because Dispatch's objects may be used from any thread; they are only not declared so.
    private let source: any DispatchSourceProtocol

    private init(_ source: any DispatchSourceProtocol, _ body: @escaping @Sendable () -> Void) {
        self.source = source
        source.setEventHandler(handler: body)
        source.activate()
    }

    deinit { source.cancel() }

    /// Calls `body` on `queue` whenever the process gets the signal, whose default must be out of force.
    static func signal(_ number: Int32, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> EventSource
    {
        EventSource(DispatchSource.makeSignalSource(signal: number, queue: queue), body)
    }

    /// Calls `body` on `queue` again and again.
    static func timer(
        every milliseconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> EventSource {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let leeway = DispatchTimeInterval.milliseconds(milliseconds / 5)
        timer.schedule(deadline: .now(), repeating: .milliseconds(milliseconds), leeway: leeway)
        return EventSource(timer, body)
    }
}
