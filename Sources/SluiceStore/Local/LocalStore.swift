// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// Files in a local folder.
package struct LocalStore: Store {
    /// The subfolder of a mirror for its ledger, its lock and incomplete files.
    package static let stateFolder = Folder.mirrorMarker

    private let folder: Folder
    /// The existing subfolder for staged files; `nil` to stage them beside their final names.
    private let stagingFolder: String?

    /// Creates a store of the files in `folder`.
    package init(_ folder: Folder, stagingIn stagingFolder: String? = nil) {
        self.folder = folder
        self.stagingFolder = stagingFolder
    }

    package var location: String { folder.path }

    // MARK: Writing

    /// Writes a file under a temporary name.
    package func stage(
        _ bytes: [UInt8], as name: String, temporary: String, durability: Durability
    ) throws(FileError) -> StagedFile {
        try folder.stage(bytes, as: name, temporary: path(ofStaged: temporary), flushed: durability == .each)
    }

    /// Stages a hard link; the bytes are copied if the file system has none.
    package func stageCopy(of source: String, as file: StoredFile, temporary: String) -> StagedFile {
        StagedFile(temporary: path(ofStaged: temporary), name: file.path, copyOf: source)
    }

    /// Creates a file under a temporary name.
    package func create(_ name: String) throws(FileError) -> NewFile {
        try NewFile(name, in: folder, temporary: path(ofStaged: name))
    }

    /// Flushes the bytes of the files, renames them and flushes their names.
    package func commit(_ files: [StagedFile], durability: Durability) throws(FileError) -> [StagedFile: FileError] {
        guard !files.isEmpty else { return [:] }
        if durability == .batch { try folder.flush(files) }
        var placed: [StagedFile] = []
        var failures: [StagedFile: FileError] = [:]
        var recent = RecentFolders(below: folder)
        for file in files {
            do throws(FileError) {
                try folder.moveIntoPlace(file, using: &recent)
                placed.append(file)
            } catch {
                failures[file] = error
            }
        }
        if durability != .none { try folder.flushNames(of: placed.map(\.name)) }
        return failures
    }

    package func discard(_ file: StagedFile) {
        // If the removal fails, the next run removes the leftover.
        try? folder.discard(file)
    }

    /// Removes files in the given order.
    package func remove(_ names: [String], durability: Durability) throws(FileError) {
        var removed: [String] = []
        for name in names where try remove(name) { removed.append(name) }
        if durability != .none { try folder.flushNames(of: removed) }
    }

    /// Removes files, whatever their content is: a local folder has one writer.
    ///
    /// A folder with the name of a file is someone else's, and remains.
    package func removeUnchanged(_ files: [StoredFile], durability: Durability) throws(FileError) -> [StoredFile] {
        var removed: [String] = []
        var others: [StoredFile] = []
        for file in files {
            do throws(FileError) {
                if try remove(file.path) { removed.append(file.path) }
            } catch {
                guard error.isFolder else { throw error }
                others.append(file)
            }
        }
        if durability != .none { try folder.flushNames(of: removed) }
        return others
    }

    /// Removes a file; returns false if its folder is missing, too.
    private func remove(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            try folder.remove(name)
            return true
        } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }

    /// Removes a subfolder; links in it are removed as links.
    package func removeFolder(_ name: String) throws(FileError) { try folder.removeTree(name) }

    private func path(ofStaged temporary: String) -> String {
        guard let stagingFolder else { return temporary + NewFile.suffix }
        return "\(stagingFolder)/\(temporary.replacing("/", with: "-"))"
    }

    // MARK: Reading

    /// Opens a regular file; links are not followed.
    package func open(_ name: String) throws(FileError) -> OpenFile { try folder.openForReading(name) }

    /// Returns the size of a regular file; `nil` if it does not exist.
    package func size(of name: String) -> Int? { folder.size(of: name) }

    /// Returns the ``OpenFile/stamp`` of a regular file; `nil` if it does not exist.
    package func stamp(of name: String) -> String? { folder.stamp(of: name) }

    /// Returns a lookup that keeps the last subfolder open.
    package func sizes() -> any FileSizes { LocalFileSizes(below: folder) }

    /// Lists a subfolder, sorted by name; `""` is the folder itself.
    package func list(_ name: String) throws(FileError) -> [FolderEntry] {
        // Opened once, so that the path is not resolved again for each file.
        let folder = try folder.folder(name)
        return try folder.names().map { FolderEntry(name: $0, stamp: folder.stamp(of: $0)) }
    }

    /// Calls `body` for each file that a ``FileWalker`` finds, until it returns false.
    package func forEachFile(_ body: (String) -> Bool) {
        var walker = FileWalker([folder.path])
        while let file = walker.next(), body(file.relative) {}
    }

    /// Shares blocks, or makes hard links.
    package var sharing: (any ContentSharing)? { folder }

    /// Links complete files to their names, which fails if a name is taken.
    package var exclusiveWriting: (any ExclusiveWriting)? { folder }

    /// Flushes the file system, if that reports errors.
    package var flushing: Folder? { Folder.flushesFileSystem ? folder : nil }
}

extension Folder: ContentSharing, ExclusiveWriting {}

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
