// SPDX-License-Identifier: MIT

/// The stage that limits a run's speed.
public enum Bottleneck: String, Sendable, Hashable, CaseIterable {
    /// Transfers occupy every slot.
    case network
    /// Transfers use all of the bandwidth that the user or a recipe allows.
    case bandwidth = "bandwidth limit"
    /// Slots are free, but the limits of the hosts make items wait.
    case hosts = "host limits"
    /// Downloaded photos wait for a decoder or for memory.
    case decode
    /// Files and receipts wait to be flushed to disk.
    case disk
    /// All slots wait for the next page.
    case feed
    /// All slots wait for a list on standard input.
    case input = "standard input"
}
