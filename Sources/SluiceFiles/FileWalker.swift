// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Enumerates files and folders in the given order, and the contents of folders sorted by name.
///
/// In folders it skips hidden names, symbolic links and mirrors, so that no thumbnails are made of thumbnails. Named
/// paths are never skipped. Memory use depends on the largest folder, not on the number of files.
package struct FileWalker: Sendable {
    package struct File: Sendable, Hashable {
        /// The path to open: the named path and the path below it, or an address of ``PathText``.
        package var path: String
        /// The path below the named folder; for a named file, its last component.
        ///
        /// A byte that is not valid UTF-8 is escaped: `caf%E9.jpg`.
        package var relative: String
        /// Whether the file itself was named, as opposed to a folder that contains it.
        package var isNamed: Bool
        /// The modification time in seconds since 1970; `nil` if it was not read.
        package var modificationTime: Int?
    }

    /// A partly enumerated folder: its path below an open folder, and the remaining names in reverse order.
    private struct Level {
        let folder: Folder
        let prefix: String
        /// The beginning of the relative paths of its files.
        let shownPrefix: String
        var names: [String]
        var invalidNames: [[UInt8]]
        let otherNames: TextSet

        init(_ folder: Folder, _ prefix: String, shownAs shownPrefix: String, _ listing: Folder.Listing) {
            (self.folder, self.prefix, self.shownPrefix) = (folder, prefix, shownPrefix)
            names = listing.names.filter { !$0.hasPrefix(".") }.reversed()
            invalidNames = listing.invalidNames.filter { $0.first != UInt8(ascii: ".") }.reversed()
            otherNames = listing.otherNames
        }
    }

    private var named: ArraySlice<String>
    private var levels: [Level] = []
    private let readsTimes: Bool

    /// Starts before the first path.
    ///
    /// Duplicate paths are enumerated once. Modification times take one system call for each file.
    package init(_ paths: [String], readsTimes: Bool = false) {
        self.readsTimes = readsTimes
        // Compared by bytes: most file systems distinguish names that are equal in Unicode.
        var seen: Set<Fingerprint> = []
        named = paths.map(Self.normalized).filter { seen.insert(Fingerprint($0)).inserted }[...]
    }

    /// Returns the next file; `nil` after the last.
    package mutating func next() -> File? {
        while true {
            if let file = nextInFolder() { return file }
            guard let path = named.popFirst() else { return nil }
            do throws(FileError) {
                let folder = try Folder(path)
                levels = [Level(folder, "", shownAs: "", try folder.listing())]
            } catch {
                // A file. If it is something else, processing it will fail with a reason.
                return File(path: path, relative: Self.lastComponent(of: path), isNamed: true)
            }
        }
    }

    private mutating func nextInFolder() -> File? {
        while let last = levels.indices.last {
            let file: File?
            if let name = levels[last].invalidNames.popLast() {
                file = visit(name, in: levels[last])
            } else if let name = levels[last].names.popLast() {
                file = visit(name, in: levels[last])
            } else {
                levels.removeLast()
                continue
            }
            if let file { return file }
        }
        return nil
    }

    /// Returns the file with a name, or begins with the folder.
    private mutating func visit(_ name: String, in level: Level) -> File? {
        let (folder, path, shown) = (level.folder, level.prefix + name, level.shownPrefix + name)
        var file = File(path: folder.fullPath(of: path), relative: shown, isNamed: false)
        if !readsTimes, !level.otherNames.contains(name) { return file }
        file.modificationTime = folder.modificationTime(of: path)
        guard file.modificationTime == nil else { return file }
        do throws(FileError) {
            begin(folder, path + "/", shownAs: shown + "/", try folder.listing(of: path))
        } catch {
            // Links, pipes and devices are skipped. A folder that cannot be read is listed, so that it fails.
            if !error.isAbsence { return file }
        }
        return nil
    }

    /// Returns the file with a name that is not valid UTF-8, or begins with the folder.
    private mutating func visit(_ name: [UInt8], in level: Level) -> File? {
        let text = PathText.escaped(name)
        let shown = level.shownPrefix + text
        var file = File(path: level.folder.fullPath(of: level.prefix + text), relative: shown, isNamed: false)
        do throws(FileError) {
            let parent = level.prefix.isEmpty ? level.folder : try level.folder.folder(level.prefix)
            (file.path, file.modificationTime) = try parent.file(named: name)
            guard file.modificationTime == nil else { return file }
            let folder = try parent.folder(named: name)
            begin(folder, "", shownAs: shown + "/", try folder.listing())
        } catch {
            if !error.isAbsence { return file }
        }
        return nil
    }

    /// Begins with a folder, unless it is a mirror.
    private mutating func begin(
        _ folder: Folder, _ prefix: String, shownAs shownPrefix: String, _ listing: Folder.Listing
    ) {
        guard !listing.names.contains(Folder.mirrorMarker) else { return }
        levels.append(Level(folder, prefix, shownAs: shownPrefix, listing))
    }

    /// Removes duplicate and trailing slashes and `.` components, so that each file has one path.
    private static func normalized(_ path: String) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return parts.isEmpty ? (isAbsolute ? "/" : ".") : (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    private static func lastComponent(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }
}
