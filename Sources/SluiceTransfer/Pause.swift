// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Waits for `duration`, on no thread; throws the token's cause as soon as it is cancelled.
func pause(for duration: Duration, token: Token) async throws(Failure) {
    let over = OneShot<Cause?>()
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + .milliseconds(duration.milliseconds))
    timer.setEventHandler { over.give(nil) }
    timer.activate()
    defer { timer.cancel() }
    try await over.wait(token: token)
}

extension OneShot<Cause?> {
    /// Waits until nothing is given, or throws the cause that is: by whoever gives it, or by the token.
    func wait(token: Token) async throws(Failure) {
        let handler = token.onCancel { self.give($0) }
        let cause = await value()
        withExtendedLifetime(handler) {}
        if let cause { throw Failure(cause, "") }
    }
}

extension Duration {
    /// The whole milliseconds, as the C libraries count time.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }

    /// As people say it: `20 s`, `300 ms`.
    var inWords: String { milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms" }
}
