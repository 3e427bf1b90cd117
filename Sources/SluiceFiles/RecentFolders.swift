// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Keeps the most recently used subfolders of a folder open, for a batch of files in few subfolders.
///
/// Their paths are then not resolved again for each file. It misses changes to these paths, so release it after the
/// batch.
package struct RecentFolders: Sendable {
    /// Enough to take originals and thumbnails of two sizes from one tree to another.
    private static let limit = 6

    private let folder: Folder
    private var subfolders: TextMap<Folder> = [:]

    /// Starts with no open subfolder.
    package init(below folder: Folder) { self.folder = folder }

    /// Returns the folder of a file, and the file's name in it.
    package mutating func parent(of name: String) throws(FileError) -> (folder: Folder, name: String) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")), slash > name.startIndex else {
            return (folder, name)
        }
        let (parent, last) = (String(name[..<slash]), String(name[name.utf8.index(after: slash)...]))
        if let known = subfolders[parent] { return (known, last) }
        let opened = try folder.folder(parent)
        if subfolders.count == Self.limit { subfolders = [:] }
        subfolders[parent] = opened
        return (opened, last)
    }
}
