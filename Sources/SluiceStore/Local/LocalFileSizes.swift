// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Looks up file sizes below a folder and keeps the most recently used subfolders open.
///
/// It may miss changes to the paths of these subfolders.
final class LocalFileSizes: FileSizes {
    private let recent: Locked<RecentFolders>

    init(below folder: Folder) { recent = Locked(RecentFolders(below: folder)) }

    func size(of name: String) -> Int? {
        guard let (folder, last) = recent.withLock({ try? $0.parent(of: name) }) else { return nil }
        return folder.size(of: last)
    }
}
