// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceModel

extension PhotoMirror {
    /// Describes a run.
    ///
    /// Nothing is opened or created before ``ControlledRun/run(recording:)``.
    public convenience init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.init(of: [source], into: folder, options: options)
    }

    /// Describes a run that reads several sources in their order, under one budget for each host.
    ///
    /// A source that cannot be read is reported as a page, and the others continue.
    public convenience init(of sources: [String], into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            let session = try FeedSession(sources, options: options, in: context)
            if let causes = options.retriedCauses {
                return try RunDefinition(
                    retrying: causes, of: sources, session, into: folder, options: options, in: context)
            }
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context, intake: try session.intake(options))
            run.wantsAll = options.wantsAll
            run.missingItems = options.prune.map { Pruning(options: $0) }
            return run
        }
    }
}
