// SPDX-License-Identifier: MIT

/// A file or a folder in a listing.
public struct FolderEntry: Sendable, Hashable {
    /// The name without the folder.
    public var name: String
    /// The file's stamp, see ``Store/stamp(of:)``; `nil` for a folder.
    public var stamp: String?

    /// Creates an entry.
    public init(name: String, stamp: String?) {
        self.name = name
        self.stamp = stamp
    }
}
