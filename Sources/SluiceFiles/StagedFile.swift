// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import CLinux
    internal import Glibc
#endif

/// A whole file that still has its temporary name: it gets its final one once its bytes are safe.
///
/// So many files share one flush: see ``Folder/flush(_:)``, then ``Folder/place(_:)``, then ``Folder/flushNames(of:)``.
public struct StagedFile: Sendable, Hashable {
    /// Where it lies, below the folder.
    public let temporary: String
    /// What it will be called, below the same folder.
    public let name: String
}

extension Folder {
    /// Writes a whole file that waits for its name; see ``NewFile`` for `temporary`.
    public func stage(
        _ bytes: [UInt8], as name: String, temporary: String, flushed: Bool
    ) throws(FileError) -> StagedFile {
        let file = try NewFile(name, in: self, temporary: temporary)
        try file.write(bytes)
        return try file.stage(flushed: flushed)
    }

    /// Makes the bytes of files safe against a power cut, all in one go; never to be tried again after it failed.
    ///
    /// On Linux that is all that waits to be written to the folder's disk, whoever wrote it.
    public func flush(_ files: [StagedFile]) throws(FileError) {
        guard !files.isEmpty else { return }
        #if canImport(Darwin)
            for file in files { try openForReading(file.temporary).flush() }
        #else
            guard syncfs(handle.descriptor) == 0 else {
                throw FileError(code: errno, operation: "flush the disk of", path: path)
            }
        #endif
    }

    /// Gives a file its final name, in place of what stood there; the folder that it is to stand in is made if need be.
    public func place(_ file: StagedFile) throws(FileError) {
        do throws(FileError) {
            try rename(file.temporary, to: file.name)
        } catch {
            // It is there for all files but the first.
            guard error.isMissing else { throw error }
            try makeParent(of: file.name)
            try rename(file.temporary, to: file.name)
        }
    }

    /// Makes the final names of files safe against a power cut: one flush for each folder.
    public func flushNames(of files: [StagedFile]) throws(FileError) {
        let folders = Set(
            files.map { $0.name[..<($0.name.utf8.lastIndex(of: UInt8(ascii: "/")) ?? $0.name.startIndex)] })
        for folder in folders.sorted() { try flush(String(folder)) }
    }
}
