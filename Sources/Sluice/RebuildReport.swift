// SPDX-License-Identifier: MIT

/// What a rebuilt gallery and manifest were made of.
public struct RebuildReport: Sendable, Hashable {
    /// Items that the ledger knows, whatever their end.
    public var items: Int
    /// Items among them that are done and have their files.
    public var done: Int
    /// Items among them that failed.
    public var failed: Int
    /// Of a ledger that was made anew: photos whose files are not as the manifest says, for the next run.
    public var lost = 0

    /// Makes a report.
    public init(items: Int, done: Int, failed: Int) {
        self.items = items
        self.done = done
        self.failed = failed
    }
}
