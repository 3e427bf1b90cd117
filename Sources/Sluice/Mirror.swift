// SPDX-License-Identifier: MIT

public import SluiceModel

/// A mirror: a feed's photos in a folder, with thumbnails, a gallery, a manifest and the ledger that knows them.
public final class Mirror: Sendable {
    /// Where the photos come from, as the user wrote it.
    public let source: String
    /// The mirror's folder.
    public let folder: String
    /// What is asked for.
    public let options: MirrorOptions
    private let token = Token()

    /// Describes a run; nothing is opened or made before ``run(recording:)``.
    public init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.source = source
        self.folder = folder
        self.options = options
    }

    /// Runs to the end; each event reaches `record` one at a time, in ``Event``'s order.
    ///
    /// - Throws: ``MirrorError`` if the run could not begin. What happens to items and pages is in the summary.
    public func run(recording record: @escaping @Sendable (Event) -> Void = { _ in }) async throws(MirrorError)
        -> Summary
    {
        throw MirrorError(.usage, "not there yet")
    }

    /// Asks the run to stop: nothing new starts, what is in flight is cancelled, everything done is kept.
    public func stop(_ reason: StopReason = .requested) {
        token.cancel()
    }

    /// Writes the gallery and the manifest of the mirror in `folder` anew, from its ledger alone.
    ///
    /// - Throws: ``MirrorError`` if the folder is no mirror, another run holds it, or it cannot be read or written.
    public static func rebuild(_ folder: String) throws(MirrorError) -> RebuildReport {
        throw MirrorError(.usage, "not there yet")
    }
}
