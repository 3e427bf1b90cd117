// SPDX-License-Identifier: MIT

internal import SluiceSystem

extension Folder {
    /// The prefix of the files created by ``checkWritable()``; a killed process may leave one.
    package static let probePrefix = ".sluice-probe-"

    /// Checks that files can be stored in the folder, by creating, flushing, renaming and removing one.
    ///
    /// The error names the folder and the first operation that failed.
    package func checkWritable() throws(FileError) {
        // The process ID allows concurrent checks; the suffix makes the file a leftover if the process is killed.
        let probe = "\(Self.probePrefix)\(getpid())\(NewFile.suffix)"
        do throws(FileError) {
            let file = try NewFile(probe, in: self)
            try file.write([0])
            try file.finish()
            try remove(probe)
        } catch {
            throw FileError(code: error.code, operation: "\(error.operation) a file in", path: path)
        }
    }

    /// Throws as ``checkWritable()`` does if this process may not write to the folder; creates nothing.
    package func checkWriteAccess() throws(FileError) {
        guard unsafe faccessat(handle.descriptor, ".", W_OK | X_OK, AT_EACCESS) != 0 else { return }
        throw FileError(code: errno, operation: "create a file in", path: path)
    }

    /// Whether a file or folder exists, and this process cannot write to it.
    package func isReadOnly(_ name: String) -> Bool {
        let isReadOnly = try? atParent(of: name) { (parent, last) throws(FileError) in
            unsafe faccessat(parent.descriptor, last, W_OK, AT_EACCESS) != 0 && [EROFS, EACCES, EPERM].contains(errno)
        }
        return isReadOnly ?? false
    }

    /// Whether another user owns the folder and others can write to it, so that they could plant files.
    package var isUntrusted: Bool {
        guard let status = try? handle.status() else { return false }
        return status.st_uid != geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) != 0
    }

    /// Throws if others could plant files in the folder.
    package func checkTrust() throws(FileError) {
        guard isUntrusted else { return }
        throw FileError(
            code: EPERM, operation: "write to", path: path,
            reason: "it belongs to another user and is writable by others")
    }

    /// Returns the length of the absolute path in bytes.
    package static func absoluteLength(of path: String) -> Int {
        guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path.utf8.count }
        defer { unsafe free(current) }
        return unsafe strlen(current) + 1 + path.utf8.count
    }

    /// Returns the free space in bytes that an unprivileged user can still write to the folder's disk.
    package func freeBytes() throws(FileError) -> Int {
        var status = statvfs()
        guard unsafe fstatvfs(handle.descriptor, &status) == 0 else {
            throw FileError(code: errno, operation: "inspect", path: path)
        }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? Int.max : Int(clamping: bytes)
    }
}

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
