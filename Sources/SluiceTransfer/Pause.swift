// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceModel

/// Suspends for `duration` without blocking a thread; throws the token's cause as soon as it is cancelled.
package func pause(for duration: Duration, token: CancellationToken) async throws(Failure) {
    let finished = OneShot<Cause?>()
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(duration.milliseconds))
    timer.setEventHandler { finished.set(nil) }
    timer.activate()
    defer { timer.cancel() }
    try await finished.wait(token: token)
}

extension OneShot<Cause?> {
    /// Waits for the value: returns if it is `nil`, and throws it, or the token's cause, otherwise.
    func wait(token: CancellationToken) async throws(Failure) {
        let handler = token.onCancel { self.set($0) }
        let cause = await value()
        withExtendedLifetime(handler) {}
        if let cause { throw Failure(cause, "") }
    }
}

extension Duration {
    /// The duration in whole milliseconds, for C libraries.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// The duration for messages: `20 s` or `300 ms`.
    var text: String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }
}
