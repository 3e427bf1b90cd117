// SPDX-License-Identifier: MIT

/// What holds a run up: the stage that all others wait for.
public enum Bottleneck: String, Sendable, Hashable, CaseIterable {
    /// Every slot is taken by a transfer.
    case network
    /// Slots are free and items wait, because their hosts may not be asked more, or not yet.
    case hosts = "host limits"
    /// Photos have arrived and wait for a decoder or its memory.
    case decode
    /// Files and receipts wait to be made safe.
    case disk
    /// Everybody waits for the next page.
    case feed
}
