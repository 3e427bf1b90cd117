// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Looks up file sizes below a folder and caches the most recently used subfolder's descriptor.
///
/// It may miss changes to that subfolder's path.
final class LocalFileSizes: FileSizes {
    private let folder: Folder
    private let cached = Locked<(name: Substring, folder: Folder)?>(nil)

    init(below folder: Folder) { self.folder = folder }

    func size(of name: String) -> Int? {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return folder.size(of: name) }
        let parent = name[..<slash]
        let known = cached.withLock { cached in cached.flatMap { $0.name == parent ? $0.folder : nil } }
        guard let open = known ?? (try? folder.folder(String(parent))) else { return nil }
        if known == nil { cached.withLock { $0 = (parent, open) } }
        return open.size(of: String(name[name.utf8.index(after: slash)...]))
    }
}
