// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Goes through named files and folders, in the order in which they were named; a folder's names are sorted.
///
/// In folders, hidden names and symbolic links are passed over, and so is every mirror: its thumbnails would be made
/// thumbnails of. What was named itself is taken whatever it is. Memory grows with a folder's names, not with the run.
struct FileWalk: Sendable {
    /// A file to look at.
    struct File: Sendable, Hashable {
        /// How to open it: what was named, and the path below that.
        var path: String
        /// The path below the named folder; a named file's last part.
        var relative: String
        /// Whether the user named it, and did not only name a folder around it.
        var isNamed: Bool
        /// When it was last written, in seconds since 1970, where the walk has seen that.
        var lastWrite: Int?
    }

    /// A folder under way: its path below the root, and the names that are still to come, the next one last.
    private struct Level {
        var prefix: String
        var names: [String]
    }

    private var named: ArraySlice<String>
    private var root: Folder?
    private var levels: [Level] = []

    /// Begins before the first of the paths; one that is named twice is taken once.
    init(_ paths: [String]) {
        // By their bytes: what Unicode calls equal are two files to most systems.
        var seen: Set<Fingerprint> = []
        named = paths.map(Self.plain).filter { seen.insert(Fingerprint($0)).inserted }[...]
    }

    /// The next file, whatever is in it; `nil` behind the last.
    mutating func next() -> File? {
        while true {
            if let file = nextInFolder() { return file }
            guard let path = named.popFirst() else { return nil }
            do throws(FileError) {
                let folder = try Folder(path)
                levels = [Level(prefix: "", names: try folder.names().filter(Self.isShown).reversed())]
                root = folder
            } catch {
                // A file, or something that its own failure will tell of.
                return File(path: path, relative: Self.lastPart(of: path), isNamed: true)
            }
        }
    }

    private mutating func nextInFolder() -> File? {
        while let root, let level = levels.indices.last {
            guard let name = levels[level].names.popLast() else {
                levels.removeLast()
                continue
            }
            let relative = levels[level].prefix + name
            if let lastWrite = root.lastWrite(of: relative) {
                return File(
                    path: root.full(relative), relative: relative, isNamed: false, lastWrite: lastWrite)
            }
            do throws(FileError) {
                let names = try root.names(in: relative)
                guard !names.contains(MirrorFolder.mark) else { continue }
                levels.append(Level(prefix: relative + "/", names: names.filter(Self.isShown).reversed()))
            } catch {
                // Links, pipes and devices are none of ours; a folder that is closed to us is worth a failure.
                if error.isForbidden { return File(path: root.full(relative), relative: relative, isNamed: false) }
            }
        }
        root = nil
        return nil
    }

    private static func isShown(_ name: String) -> Bool { !name.hasPrefix(".") }

    /// The path without doubled and trailing slashes and without `./` parts, so that one file has one path.
    private static func plain(_ path: String) -> String {
        let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }.filter { $0 != "." }
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return parts.isEmpty ? (isAbsolute ? "/" : ".") : (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    private static func lastPart(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
    }
}
