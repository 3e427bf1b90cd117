// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceModel

extension RunDefinition {
    /// Defines a run that retries failed items with one of the causes, without reading the feed.
    init(
        retrying causes: CauseSet, of sources: [String], _ session: FeedSession, into folder: String,
        options: MirrorOptions, in context: RunContext
    ) throws(MirrorError) {
        let intake = LedgerIntake(.failures(causes), maxItems: session.retriedItems)
        try self.init(of: sources, session, into: folder, options: options, in: context, intake: intake)
        requiresMirror = true
    }
}
