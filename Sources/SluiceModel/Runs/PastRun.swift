// SPDX-License-Identifier: MIT

/// A run recorded in a mirror's ledger.
public struct PastRun: Sendable, Hashable, Identifiable {
    /// The run's number in its mirror, from 1.
    public var id: Int
    /// The SOURCE as the user wrote it.
    public var source: String
    /// The feed's name.
    public var feed: String
    /// The command's arguments, starting with the subcommand and without secrets; empty if a program started the run.
    public var words: [String]
    /// The start time in seconds since 1970.
    public var started: Int
    /// The end time in seconds since 1970; `nil` while the run is active, or if it was killed.
    public var ended: Int?

    /// Creates a record of a run.
    package init(id: Int, source: String, feed: String, words: [String], started: Int, ended: Int?) {
        (self.id, self.source, self.feed, self.words) = (id, source, feed, words)
        (self.started, self.ended) = (started, ended)
    }
}

extension PastRun {
    /// Whether the run read this feed.
    package func reads(_ feed: String) -> Bool { SourceSet(text: self.feed).members.contains { $0 === feed } }

    /// The SOURCE, or the first of several with the number of others.
    package var shownSource: String { SourceSet(text: source).shown }
}
