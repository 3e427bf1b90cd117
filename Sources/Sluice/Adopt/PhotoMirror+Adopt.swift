// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceStore

extension PhotoMirror {
    /// Describes a run that copies originals of one source from a folder that another tool filled.
    public convenience init(
        of source: String, into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        self.init(of: [source], into: folder, options: options, adopting: files, walkingFeed: walkingFeed)
    }

    /// Describes a run that copies originals from a folder that another tool filled, instead of downloading them.
    ///
    /// A file is matched with a photo by its checksum, by a URL that the tool recorded, by its name, or by the photo's
    /// ID. Ambiguous matches are ignored, and the folder itself is not changed. With `walkingFeed` the photos of the
    /// feed are matched, otherwise only those in the ledger. Photos without a file keep their state, so that a later
    /// run downloads them.
    public convenience init(
        of sources: [String], into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        var changed = options
        changed.reset(.notAdoption)
        let options = changed
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            guard !S3Location.isLocation(folder) else {
                throw MirrorError(.usage, "cannot adopt into '\(folder)': this is not supported for buckets")
            }
            try AdoptionSearch.checkFolder(files)
            let session = try FeedSession(sources, options: options, in: context)
            let intake = AdoptionIntake(
                folder: files, choice: session.choice(options), reading: walkingFeed ? try session.intake(options) : nil
            )
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context, intake: intake)
            // Each item has the file that was found for it.
            run.input = { _ in nil }
            run.requiresMirror = !walkingFeed
            return run
        }
    }
}
