// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

extension PhotoMirror {
    /// Describes a run that repairs files of a mirror with one source.
    public convenience init(
        of source: String, into folder: String, options: MirrorOptions, repairing items: BrokenItems
    ) {
        self.init(of: [source], into: folder, options: options, repairing: items)
    }

    /// Describes a run that repairs the files that a verification found damaged or missing, in all existing sizes.
    ///
    /// It does not read the feed and uses the URLs in the ledger. Items that cannot be repaired stay as they are.
    public convenience init(
        of sources: [String], into folder: String, options: MirrorOptions, repairing items: BrokenItems
    ) {
        var changed = options
        changed.reset(.notRepair)
        changed.thumbnails.sizes = items.sizes.sorted().compactMap(ThumbnailSize.init)
        let options = changed
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            let session = try FeedSession(sources, options: options, in: context)
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context,
                intake: LedgerIntake(.broken(items), maxItems: session.retriedItems))
            run.requiresMirror = true
            run.broken = items.files
            return run
        }
    }
}
