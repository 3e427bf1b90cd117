// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What ends a run before its feed does, and how.
public struct RunLimits: Sendable, Hashable {
    /// How many items may fail before the run is not worth going on.
    public var failures: FailureLimit?
    /// How long the run may take.
    public var time: Duration?
    /// How many bytes of photos may arrive; those that are under way by then still do.
    public var transfer: Int?
    /// How long items that are under way may take to end once a signal or a limit stops the run; then they are cancelled.
    public var drain = Duration.seconds(10)

    /// Makes the limits of a run that goes on to its feed's end.
    public init() {}

    /// Why a run that has come so far should stop; `nil` if it should not.
    func reason(toStop summary: Summary) -> StopReason? {
        if let reason = failures?.reason(toStop: summary) { return .failing(reason) }
        guard let transfer, summary.bytesReceived >= transfer else { return nil }
        return .limit("\(summary.bytesReceived) bytes have arrived, and --max-transfer is \(transfer)")
    }

    /// Why a run that took all of its time stops.
    var outOfTime: StopReason { .limit("the time that --max-time gives is over") }

    /// How long what is under way may take when a run stops for that reason: in trouble, and where nobody waits, not at all.
    func drain(for reason: StopReason) -> Duration {
        switch reason {
        case .signal, .limit: drain
        case .requested, .failing, .local, .damaged: .zero
        }
    }
}
