// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Enumerates files and folders in the given order, and the contents of folders sorted by name.
///
/// In folders it skips hidden names, symbolic links and mirrors, so that no thumbnails are made of thumbnails. Named
/// paths are never skipped. Memory use depends on the largest folder, not on the number of files.
package struct FileWalker: Sendable {
    /// An enumerated file.
    package struct File: Sendable, Hashable {
        /// The path to open: the named path and the path below it.
        package var path: String
        /// The path below the named folder; for a named file, its last component.
        package var relative: String
        /// Whether the file itself was named, as opposed to a folder that contains it.
        package var isNamed: Bool
        /// The modification time in seconds since 1970; `nil` if it was not read.
        package var modificationTime: Int?
        /// Whether the last component is an escaped form of a name that is not valid UTF-8.
        ///
        /// It may be that of a folder.
        package var hasInvalidName = false
    }

    /// A partly enumerated folder: its path below the root, and the remaining names in reverse order.
    private struct Level {
        var prefix: String
        var names: [String]
        var invalidNames: [String]

        init(_ prefix: String, _ listing: Folder.Listing) {
            self.prefix = prefix
            names = listing.names.filter(FileWalker.isShown).reversed()
            invalidNames = listing.invalidNames.filter(FileWalker.isShown).reversed()
        }
    }

    private var named: ArraySlice<String>
    private var root: Folder?
    private var levels: [Level] = []

    /// Starts before the first path.
    ///
    /// Duplicate paths are enumerated once.
    package init(_ paths: [String]) {
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
                levels = [Level("", try folder.listing())]
                root = folder
            } catch {
                // A file. If it is something else, processing it will fail with a reason.
                return File(path: path, relative: Self.lastComponent(of: path), isNamed: true)
            }
        }
    }

    private mutating func nextInFolder() -> File? {
        while let root, let level = levels.indices.last {
            if let name = levels[level].invalidNames.popLast() {
                let relative = levels[level].prefix + name
                return File(
                    path: root.fullPath(of: relative), relative: relative, isNamed: false, hasInvalidName: true)
            }
            guard let name = levels[level].names.popLast() else {
                levels.removeLast()
                continue
            }
            let relative = levels[level].prefix + name
            if let modificationTime = root.modificationTime(of: relative) {
                return File(
                    path: root.fullPath(of: relative), relative: relative, isNamed: false,
                    modificationTime: modificationTime)
            }
            do throws(FileError) {
                let listing = try root.listing(of: relative)
                guard !listing.names.contains(Folder.mirrorMarker) else { continue }
                levels.append(Level(relative + "/", listing))
            } catch {
                // Links, pipes and devices are skipped. A folder that cannot be read is listed, so that it fails.
                if !error.isAbsence {
                    return File(path: root.fullPath(of: relative), relative: relative, isNamed: false)
                }
            }
        }
        root = nil
        return nil
    }

    private static func isShown(_ name: String) -> Bool { !name.hasPrefix(".") }

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
