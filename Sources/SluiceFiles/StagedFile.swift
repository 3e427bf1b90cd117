// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import CLinux
    internal import Glibc
#endif

/// A complete file under its temporary name; it is renamed after its bytes are flushed.
///
/// Staging lets many files share one flush: call ``Folder/flush(_:)``, then ``Folder/moveIntoPlace(_:)``, then
/// ``Folder/flushNames(of:)``.
public struct StagedFile: Sendable, Hashable {
    /// The temporary name, relative to the folder.
    public let temporary: String
    /// The final name, relative to the same folder.
    public let name: String

    /// Whether it is a hard link to a file with another name.
    let isLink: Bool

    /// Refers to a file that a store has staged.
    public init(temporary: String, name: String) {
        self.init(temporary: temporary, name: name, isLink: false)
    }

    init(temporary: String, name: String, isLink: Bool) {
        self.temporary = temporary
        self.name = name
        self.isLink = isLink
    }
}

extension Folder {
    /// Writes a whole file under a temporary name, to be renamed later; see ``NewFile`` for `temporary`.
    public func stage(
        _ bytes: [UInt8], as name: String, temporary: String, flushed: Bool
    ) throws(FileError) -> StagedFile {
        let file = try NewFile(name, in: self, temporary: temporary)
        try file.write(bytes)
        return try file.stage(flushed: flushed)
    }

    /// Flushes the bytes of all the files together; do not retry after a failure.
    ///
    /// On Linux it flushes everything that waits to be written to the folder's file system, also from other processes.
    /// Where that would not report errors, it flushes each file.
    public func flush(_ files: [StagedFile]) throws(FileError) {
        guard !files.isEmpty else { return }
        #if !canImport(Darwin)
            if LinuxKernel.syncfsReportsErrors {
                guard syncfs(handle.descriptor) == 0 else {
                    throw FileError(code: errno, operation: "flush the file system of", path: path)
                }
                return
            }
        #endif
        try flushEach(files)
    }

    /// Flushes the bytes of each file.
    public func flushEach(_ files: [StagedFile]) throws(FileError) {
        for file in files { try openForReading(file.temporary).flush() }
    }

    /// Renames a staged file to its final name, replaces an existing file, and creates the parent folder if necessary.
    public func moveIntoPlace(_ file: StagedFile) throws(FileError) {
        do throws(FileError) {
            try rename(file.temporary, to: file.name)
        } catch {
            // The folder is missing only for its first file.
            guard error.isMissing else { throw error }
            try makeParent(of: file.name)
            try rename(file.temporary, to: file.name)
        }
        // Renaming between two names of the same file succeeds and does nothing.
        if file.isLink { try remove(file.temporary) }
    }

    /// Flushes new or removed names of files to disk, with one flush for each folder.
    public func flushNames(of names: [String]) throws(FileError) {
        let folders = Set(names.map { $0[..<($0.utf8.lastIndex(of: UInt8(ascii: "/")) ?? $0.startIndex)] })
        for folder in folders.sorted() { try flush(String(folder)) }
    }
}
