// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel

/// Mirrors the photos of one or more sources into a folder, with thumbnails, a gallery, a manifest and a ledger.
public final class PhotoMirror: SingleRun {
    /// The source arguments, as the user wrote them.
    public let sources: [String]
    /// The source argument; the first of several.
    public var source: String { sources.first ?? "" }
    /// The mirror's folder.
    public let folder: String
    /// The options.
    public let options: MirrorOptions
    /// The run.
    public let control: Run

    /// Describes a run that `define` defines when it begins.
    init(
        of sources: [String], into folder: String, options: MirrorOptions,
        defining define: @escaping @Sendable (RunContext) throws(MirrorError) -> RunDefinition
    ) {
        (self.sources, self.folder, self.options) = (sources, folder, options)
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

    /// The sources, parsed unless one was given open.
    static func parsed(_ sources: [String], _ opened: Source?) throws(MirrorError) -> [Source] {
        if let opened { return [opened] }
        return try MirrorError.atSource(Source.all(sources))
    }
}
