// SPDX-License-Identifier: MIT

package import SluiceFiles

// A rebuilt ledger replaces the mirror's. It gets a name of its own first, which is the intention to do so.

extension Ledger {
    static let rebuilt = "\(name)-rebuilt"

    /// Whether a killed rebuild has left a complete ledger that has not replaced the mirror's.
    package static func isRebuilt(in folder: Folder) -> Bool { folder.size(of: rebuilt) != nil }

    /// Replaces the mirror's ledger by the complete one at `path`, and keeps the old one with the time in its name.
    package static func replace(in folder: Folder, byRebuilt path: String) throws(FileError) {
        try folder.rename(path, to: rebuilt)
        try folder.flushNames(of: [rebuilt])
        try finishRebuild(in: folder)
    }

    /// Ends the replacement that a killed rebuild has begun.
    package static func finishRebuild(in folder: Folder) throws(FileError) {
        guard let time = folder.modificationTime(of: rebuilt) else { return }
        for suffix in ["", "-wal"] where folder.size(of: name + suffix) != nil {
            try folder.rename(name + suffix, to: "\(name).\(time)\(suffix)")
        }
        try folder.remove(name + "-shm")
        try folder.rename(rebuilt, to: name)
        try folder.flushNames(of: [name])
    }

    /// Removes the ledger of a killed rebuild, which another rebuild replaces.
    package static func removeRebuilt(in folder: Folder) throws(FileError) { try folder.remove(rebuilt) }
}
