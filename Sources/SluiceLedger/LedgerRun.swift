// SPDX-License-Identifier: MIT

/// One run, as the ledger knows it: what it lists belongs to it.
public struct LedgerRun: Sendable, Hashable, Identifiable {
    /// The run's number in this mirror, from 1.
    public let id: Int
    /// The feed that it walks.
    public let feed: String
}
