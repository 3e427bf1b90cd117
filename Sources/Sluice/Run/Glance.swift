// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Looks at many files below a folder, one behind the other: the folder that it looked into last stays open.
///
/// What is moved or replaced meanwhile may be seen as it was. Its method may be called from any thread.
final class Glance: Sendable {
    private let folder: Folder
    private let last = Locked<(name: Substring, folder: Folder)?>(nil)

    /// Looks below `folder`.
    init(below folder: Folder) { self.folder = folder }

    /// The size of a regular file; `nil` if there is none of that name.
    func size(of name: String) -> Int? {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return folder.size(of: name) }
        let parent = name[..<slash]
        let known = last.withLock { last in last.flatMap { $0.name == parent ? $0.folder : nil } }
        guard let open = known ?? (try? folder.folder(String(parent))) else { return nil }
        if known == nil { last.withLock { $0 = (parent, open) } }
        return open.size(of: String(name[name.utf8.index(after: slash)...]))
    }
}
