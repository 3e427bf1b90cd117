// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging
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

extension FeedSession {
    /// Opens the feed of a source for a run.
    init(_ source: String, options: MirrorOptions, in context: RunContext) throws(MirrorError) {
        let width = context.descriptors.width(for: options.concurrency)
        try self.init(source, options: options, width: width, token: context.token)
    }

    /// The rendition of each photo to mirror.
    func choice(_ options: MirrorOptions) -> VariantChoice { VariantChoice(options, of: feed.defaultVariant) }

    /// Supplies the photos that the feed lists.
    func intake(_ options: MirrorOptions) throws(MirrorError) -> FeedIntake {
        // Recorded pages depend on the selection. Local feeds (without a page limit) are quick to read again.
        FeedIntake(
            feed, limits: limits, naming: try MirrorError.atName(options.name), stopAfterSeen: options.stopAfterSeen,
            resumes: options.changedNames(affecting: .selection).isEmpty && feed.maxPages != nil)
    }
}

extension RunDefinition {
    /// Defines a run whose photos come from the open feed of `source`, in the way of `intake`.
    init(
        of source: String, _ session: FeedSession, into folder: String, options: MirrorOptions, in context: RunContext,
        intake: any Intake
    ) throws(MirrorError) {
        // Also a run that does not use the template rejects an invalid one.
        _ = try MirrorError.atName(options.name)
        let width = context.descriptors.width(for: options.concurrency)
        var shared = options
        shared.commandLine = shared.commandLine.map { Userinfo.split($0).url }
        self.init(
            start: RunStart(
                source: Userinfo.split(source).url, feed: session.feed.name, folder: folder, width: width),
            options: shared, intake: intake, input: session.input(options), choice: session.choice(options),
            fingerprint: options.fingerprint)
        self.session = session
        pagingFingerprint = "\(options.pagingFingerprint) feed=\(session.fingerprint)"
        settings = options.settings(width: width)
        tuning = options.tuning(width: width, isRemote: !session.isFolder)
        notes = [context.descriptors.note(for: options.concurrency), session.proxyNote, session.keyNote].compactMap(
            \.self)
        // A transfer, all decodes that may precede its own, and a reserve.
        let rounds = width / MemoryBudget(options.memory).decoders(upTo: Machine.cores, options.isolation) + 2
        watchLimit = options.timeout + .seconds(options.thumbnails.limits.seconds) * rounds + .seconds(60)
        observers = [RunReports()]
    }
}
