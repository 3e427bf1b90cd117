// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// What the names of files begin with that ``checkWritable()`` makes; a kill may leave one.
    public static let checkPrefix = ".sluice-probe-"

    /// Finds out whether files can be kept here, by doing all that keeping one takes: create, flush, rename, remove.
    ///
    /// The error names the folder, and the first thing that did not work.
    public func checkWritable() throws(FileError) {
        // Two processes may try at once; and whatever a kill leaves of it counts as a leftover.
        let probe = "\(Self.checkPrefix)\(getpid())\(NewFile.suffix)"
        do throws(FileError) {
            let file = try NewFile(probe, in: self)
            try file.write([0])
            try file.finish()
            try remove(probe)
        } catch {
            throw FileError(code: error.code, operation: "\(error.operation) a file in", path: path)
        }
    }

    /// Whether the file or folder of that name is there, and may not be written to: by this process, or by anybody.
    public func isReadOnly(_ name: String) -> Bool {
        let isIt = try? atParent(of: name) { (parent, last) throws(FileError) in
            unsafe faccessat(parent.descriptor, last, W_OK, AT_EACCESS) != 0 && [EROFS, EACCES, EPERM].contains(errno)
        }
        return isIt ?? false
    }

    /// Whether the folder is another user's, and more than that one may write to it: they could plant what they like.
    public var isOthers: Bool {
        guard let status = try? handle.status() else { return false }
        return status.st_uid != geteuid() && status.st_mode & (S_IWGRP | S_IWOTH) != 0
    }

    /// How many bytes a path has with all folders above it.
    public static func wholeLength(of path: String) -> Int {
        guard !path.hasPrefix("/"), let above = unsafe getcwd(nil, 0) else { return path.utf8.count }
        defer { unsafe free(above) }
        return unsafe strlen(above) + 1 + path.utf8.count
    }

    /// How many bytes a user without privileges can still write to the folder's disk.
    public func freeBytes() throws(FileError) -> Int {
        var status = statvfs()
        guard unsafe fstatvfs(handle.descriptor, &status) == 0 else {
            throw FileError(code: errno, operation: "look at", path: path)
        }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? Int.max : Int(clamping: bytes)
    }
}
