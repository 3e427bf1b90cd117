// SPDX-License-Identifier: MIT

/// A run that a mirror's ledger remembers.
public struct PastRun: Sendable, Hashable, Identifiable {
    /// The run's number in its mirror, from 1.
    public var id: Int
    /// The SOURCE as the user wrote it.
    public var source: String
    /// The feed's name.
    public var feed: String
    /// The command's words, from its name on and without secrets; none where a program ran it and gave none.
    public var words: [String]
    /// When it began, in seconds since 1970.
    public var started: Int
    /// When it ended; `nil` while it runs, and for good if it was killed.
    public var ended: Int?

    /// Describes a run.
    public init(id: Int, source: String, feed: String, words: [String], started: Int, ended: Int?) {
        self.id = id
        self.source = source
        self.feed = feed
        self.words = words
        self.started = started
        self.ended = ended
    }
}
