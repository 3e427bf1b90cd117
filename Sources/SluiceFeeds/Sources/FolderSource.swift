// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `photos/`, `.`: a folder of the user's, whose photos are files.
struct FolderSource: SourceKind {
    /// The whole path, so that a file has one name from wherever the folder is named.
    private let path: String

    init?(_ text: String) throws(SourceError) {
        do throws(FileError) {
            path = try Folder(text).resolvedPath()
        } catch {
            guard error.isForbidden else { return nil }
            throw SourceError("\(text) cannot be read: \(error.reason)")
        }
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        guard let list = options.listFiles else { throw SourceError("\(path) is a folder; no files are listed here") }
        return list(path)
    }
}
