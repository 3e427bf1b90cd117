// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceModel

extension PhotoMirror {
    /// Describes a run.
    ///
    /// Nothing is opened or created before ``ControlledRun/run(recording:)``.
    public convenience init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.init(of: source, into: folder, options: options) { context throws(MirrorError) in
            let session = try FeedSession(source, options: options, in: context)
            if let causes = options.retriedCauses {
                return try RunDefinition(
                    retrying: causes, of: source, session, into: folder, options: options, in: context)
            }
            var run = try RunDefinition(
                of: source, session, into: folder, options: options, in: context, intake: try session.intake(options))
            run.wantsAll = options.wantsAll
            run.missingItems = options.prune.map { Pruning(options: $0) }
            return run
        }
    }
}
