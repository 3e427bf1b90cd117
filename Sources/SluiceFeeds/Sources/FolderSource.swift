// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `photos/`, `.`: a local folder of image files.
struct FolderSource: SourceKind {
    /// The absolute path, so that a file has the same name however the folder is spelled.
    private let path: String

    init?(_ text: String) throws(SourceError) {
        do throws(FileError) {
            path = try Folder(text).resolvedPath()
        } catch {
            guard error.isPermissionDenied else { return nil }
            throw SourceError("cannot read folder '\(text)': \(error.reason)", isLocal: true)
        }
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        guard let makeFeed = options.makeFolderFeed else {
            throw SourceError("cannot read folder '\(path)': folders are not supported here")
        }
        return makeFeed(path)
    }
}
