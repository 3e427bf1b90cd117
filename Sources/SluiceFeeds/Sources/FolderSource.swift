// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `photos/`, `.`: a local folder of image files; `photo.jpg`: one of them.
struct FolderSource: SourceKind {
    /// The absolute path, so that a file has the same name however the folder is spelled.
    private let path: String

    init?(_ text: String) throws(SourceError) {
        let hasLedger: Bool
        do throws(FileError) {
            let folder: Folder
            if InputFile.exists(text), PictureName.isPicture(text) {
                let name = text.split(separator: "/").last.map(String.init) ?? text
                folder = try Folder(text.contains("/") ? String(text.dropLast(name.count)) : ".")
                path = "\(try folder.resolvedPath())/\(name)"
                hasLedger = false
            } else {
                folder = try Folder(text)
                path = try folder.resolvedPath()
                hasLedger = folder.size(of: "\(Folder.mirrorMarker)/ledger.sqlite") != nil
            }
        } catch {
            guard error.isPermissionDenied else { return nil }
            throw SourceError("cannot read folder '\(text)': \(error.reason)", isLocal: true)
        }
        guard !hasLedger else {
            let folder = text.hasSuffix("/") ? String(text.dropLast()) : text
            throw SourceError(
                "cannot read folder '\(text)': it is a mirror; name '\(folder)/originals' to copy its photos")
        }
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        guard let makeFeed = options.makeFolderFeed else {
            throw SourceError("cannot read folder '\(path)': folders are not supported here")
        }
        return makeFeed(path)
    }
}
