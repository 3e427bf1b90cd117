// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// The subfolder that marks a folder as a mirror.
    package static let mirrorMarker = ".sluice"

    /// A text that no other folder of this machine has: the path without symbolic links, and the folder's number.
    package func identity() throws(FileError) -> String {
        let status = try handle.status()
        return "\(try resolvedPath())\n\(status.st_dev):\(status.st_ino)"
    }

    /// Returns the innermost mirror that contains a file, after all symbolic links; `nil` if none does.
    package static func mirror(containing path: String) throws(FileError) -> String? {
        guard let resolved = unsafe realpath(path, nil) else {
            throw FileError(code: errno, operation: "resolve", path: path)
        }
        defer { unsafe free(resolved) }
        var folder = unsafe String(cString: resolved)[...]
        while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = folder[..<slash]
            if isFolder("\(folder)/\(mirrorMarker)") { return folder.isEmpty ? "/" : String(folder) }
        }
        return nil
    }
}
