// SPDX-License-Identifier: MIT

package import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceModel

extension FeedSession {
    package init(_ sources: [String], options: MirrorOptions, in context: RunContext) throws(MirrorError) {
        try self.init(try MirrorError.atSource(Source.all(sources)), options: options, in: context)
    }

    /// Opens the feeds of parsed sources for a run.
    package init(_ sources: [Source], options: MirrorOptions, in context: RunContext) throws(MirrorError) {
        let width = context.descriptors.width(for: options.concurrency)
        try self.init(sources, options: options, width: width, token: context.token)
    }

    /// The rendition of each photo to mirror.
    package func choice(_ options: MirrorOptions) -> VariantChoice { VariantChoice(options, of: feeds) }

    /// Supplies the photos that the feeds list.
    package func intake(_ options: MirrorOptions) throws(MirrorError) -> FeedIntake {
        // Recorded pages depend on the selection.
        FeedIntake(
            feeds, limits: limits, naming: try MirrorError.atName(options.name), stopAfterSeen: options.stopAfterSeen,
            resumes: options.changedNames(affecting: .selection).isEmpty)
    }
}

extension RunDefinition {
    /// Defines a run whose photos come from the open feeds of `sources`, in the way of `intake`.
    package init(
        of sources: [String], _ session: FeedSession, into folder: String, options: MirrorOptions,
        in context: RunContext, intake: any Intake
    ) throws(MirrorError) {
        // Also a run that does not use the template rejects an invalid one.
        _ = try MirrorError.atName(options.name)
        if session.isFolder, let out = try? Folder(folder).resolvedPath(),
            sources.contains(where: { (try? Folder($0).resolvedPath()) === out })
        {
            throw MirrorError(.usage, "cannot mirror '\(folder)' into itself", hint: .chooseFolder)
        }
        let width = context.descriptors.width(for: options.concurrency)
        let recorded = SourceSet(sources.map { Userinfo.split($0).url })
        self.init(
            start: RunStart(source: recorded.shown, feed: session.feedName, folder: folder, width: width),
            options: options, intake: intake, input: nil, choice: session.choice(options),
            fingerprint: options.fingerprint)
        input = session.input(options)
        recordedSource = recorded.text
        self.session = session
        pagingFingerprint = "\(options.pagingFingerprint) feed=\(session.walkFingerprint)"
        settings = options.settings(width: width)
        tuning = options.tuning(width: width, isRemote: !session.isFolder)
        tuning.readsInput = sources == ["-"]
        notes =
            [context.descriptors.note(for: options.concurrency), session.proxyNote].compactMap(\.self)
            + session.sourceNotes
        // A transfer, all decodes that may precede its own, and a reserve.
        let rounds = width / MemoryBudget(options.memory).decoders(upTo: Machine.cores, options.isolation) + 2
        watchLimit = options.timeout + .seconds(options.thumbnails.limits.seconds) * rounds + .seconds(60)
        steps = [RunReports(), LiveGallery()]
        if options.blocklist != nil { steps.append(BlockedPhotos()) }
        if let archive = session.archive { steps.append(ArchivedRun(archive)) }
    }
}
