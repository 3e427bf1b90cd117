// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
public import SluiceModel

/// Mirrors a feed's photos into a folder, with thumbnails, a gallery, a manifest and a ledger.
public final class PhotoMirror: ControlledRun {
    /// The source argument, as the user wrote it.
    public let source: String
    /// The source without a user name and password, for display and storage.
    public var shownSource: String { Userinfo.split(source).url }
    /// The mirror's folder.
    public let folder: String
    /// The options.
    public let options: MirrorOptions
    /// The run.
    public let control: Run

    /// Describes a run that `define` defines when it begins.
    init(
        of source: String, into folder: String, options: MirrorOptions,
        defining define: @escaping @Sendable (RunContext) throws(MirrorError) -> RunDefinition
    ) {
        (self.source, self.folder, self.options) = (source, folder, options)
        control = Run(options.limits, define: define)
    }

    /// Returns the runs in the ledger of the mirror in `folder`, in their order.
    public static func runs(in folder: String, buckets: S3Options = S3Options()) throws(MirrorError) -> [PastRun] {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let runs = try MirrorError.inLedger(mirror.ledger.runs())
        mirror.close()
        return runs
    }

    /// Returns the changes of photos of the mirror in `folder` in the runs after `first`, up to `last`.
    public static func changes(
        in folder: String, after first: Int, upTo last: Int, buckets: S3Options = S3Options()
    ) throws(MirrorError) -> [ItemChange] {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let changes = try MirrorError.inLedger(mirror.ledger.changes(after: first, upTo: last))
        mirror.close()
        return changes
    }

    /// Opens the feed, without a run, to read its pages.
    func session() throws(MirrorError) -> FeedSession {
        try FeedSession(source, options: options, width: 1, token: control.token)
    }
}
