// SPDX-License-Identifier: MIT

public import SluiceModel

/// What happens between a request and its end.
public enum TransferEvent: Sendable, Hashable {
    /// An attempt failed, and another follows after `delay`; `attempt` counts from 1.
    case retried(attempt: Int, Failure, delay: Duration)
    /// So many bytes have arrived, of so many if that is known; told four times a second at most.
    case progressed(bytes: Int, total: Int?)
    /// Nobody asks the host for so long.
    case hostPaused(String, Duration, Failure)
    /// Nobody asks the host again in this run.
    case hostGivenUp(String, Failure)
}
