// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceTransfer

/// `photos/`, `.`: a local folder of image files; `photo.jpg`, `photos/*.jpg`: some of them.
struct FolderSource: SingleFeedKind {
    /// The absolute paths, so that a file has the same name however it is spelled.
    private var paths: [String]

    var type: SourceType { .folder }

    init?(_ text: String) throws(SourceError) {
        if let pattern = PathPattern(text) {
            let files = pattern.files()
            guard files.contains(where: PictureName.isPicture) else { return nil }
            paths = []
            for file in files { if let path = try Self.path(of: file) { paths.append(path) } }
        } else {
            guard let path = try Self.path(of: text) else { return nil }
            paths = [path]
        }
    }

    /// Adds the paths of another source, so that many named photos are one feed.
    mutating func add(_ other: FolderSource) { paths += other.paths }

    /// Returns the absolute path of a folder or a photo; `nil` for anything else.
    private static func path(of text: String) throws(SourceError) -> String? {
        do throws(FileError) {
            if InputFile.exists(text), PictureName.isPicture(text) {
                let name = text.split(separator: "/").last.map(String.init) ?? text
                let folder = try Folder(text.contains("/") ? String(text.dropLast(name.count)) : ".").resolvedPath()
                return "\(folder == "/" ? "" : folder)/\(name)"
            }
            return try Folder(text).resolvedPath()
        } catch {
            guard error.isPermissionDenied else { return nil }
            throw SourceError("cannot read folder '\(text)': \(error.reason)", isLocal: true)
        }
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        guard let makeFeed = options.makeFolderFeed else {
            throw SourceError("cannot read folder '\(paths[0])': folders are not supported here")
        }
        return makeFeed(paths)
    }
}
