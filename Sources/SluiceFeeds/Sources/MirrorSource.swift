// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `photos/`, a mirror: the photos that it has, with what it knows of them.
struct MirrorSource: SourceKind {
    /// The absolute path.
    private let path: String

    var type: SourceType { .mirror }

    init?(_ text: String) {
        // A folder that cannot be read is a ``FolderSource``, which says why.
        guard let folder = try? Folder(text), folder.size(of: "\(Folder.mirrorMarker)/ledger.sqlite") != nil,
            let path = try? folder.resolvedPath()
        else { return nil }
        self.path = path
    }

    func feeds(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> [SourceFeed] {
        guard let makeFeeds = options.makeMirrorFeeds else {
            throw SourceError("cannot read mirror '\(path)': mirrors are not supported here")
        }
        return try makeFeeds(path)
    }
}
