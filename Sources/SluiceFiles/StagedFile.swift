// SPDX-License-Identifier: MIT

internal import CLinux
internal import SluiceModel
internal import SluiceSystem

/// A complete file under its temporary name; it is renamed after its bytes are flushed.
///
/// A copy of another file is made only when it gets its name.
///
/// Staging lets many files share one flush: call ``Folder/flush(_:)``, then ``Folder/moveIntoPlace(_:)``, then
/// ``Folder/flushNames(of:)``.
package struct StagedFile: Sendable, Hashable {
    /// The temporary name, relative to the folder.
    package let temporary: String
    /// The final name, relative to the same folder.
    package let name: String

    /// The SHA-256 of the bytes, 64 hexadecimal digits, if it was computed when they were written.
    package let sha256: String?

    /// The modification time that the file gets with its name, in seconds since 1970; `nil` for the time of its bytes.
    package var time: Int?

    /// The file with the same bytes that gets another name; `nil` if the bytes are under the temporary name.
    let source: String?

    /// The file that has the bytes.
    package var content: String { source ?? temporary }

    /// Refers to a file that a store has staged, or to a copy of `source` to be made.
    package init(temporary: String, name: String, copyOf source: String? = nil, sha256: String? = nil) {
        (self.temporary, self.name, self.source, self.sha256) = (temporary, name, source, sha256)
    }

    /// Whether both have the same names, byte by byte.
    package static func == (left: StagedFile, right: StagedFile) -> Bool {
        left.temporary === right.temporary && left.name === right.name && left.source === right.source
            && left.sha256 === right.sha256
    }

    /// Hashes the bytes of the temporary name, which no other staged file has.
    package func hash(into hasher: inout Hasher) { ExactText(temporary).hash(into: &hasher) }

    /// Returns the same file with the known SHA-256 of its bytes.
    package func adding(sha256: String) -> StagedFile {
        var file = StagedFile(temporary: temporary, name: name, copyOf: source, sha256: sha256)
        file.time = time
        return file
    }
}

extension Folder {
    /// Writes a whole file under a temporary name, to be renamed later; see ``NewFile`` for `temporary`.
    package func stage(
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
    package func flush(_ files: [StagedFile]) throws(FileError) {
        guard !files.isEmpty else { return }
        if Self.flushesFileSystem { try flushAll() } else { try flushEach(files) }
    }

    /// Whether ``flushAll()`` flushes the file system and reports errors.
    package static var flushesFileSystem: Bool {
        #if canImport(Darwin)
            false
        #else
            LinuxKernel.syncfsReportsErrors
        #endif
    }

    /// Flushes everything that waits to be written to the folder's file system, also from other processes; do not retry
    /// after a failure.
    package func flushAll() throws(FileError) {
        #if !canImport(Darwin)
            guard syncfs(handle.descriptor) == 0 else {
                throw FileError(code: errno, operation: "flush the file system of", path: path)
            }
        #endif
    }

    /// Flushes the bytes of each file.
    package func flushEach(_ files: [StagedFile]) throws(FileError) {
        for file in files { try openForReading(file.content).flush() }
    }

    /// Gives a staged file its final name, replaces an existing file, and creates the parent folder if necessary.
    package func moveIntoPlace(_ file: StagedFile) throws(FileError) {
        var recent = RecentFolders(below: self)
        try moveIntoPlace(file, using: &recent)
    }

    /// Moves one of many files, whose folders `recent` keeps open.
    package func moveIntoPlace(_ file: StagedFile, using recent: inout RecentFolders) throws(FileError) {
        do throws(FileError) {
            try place(file, &recent)
        } catch {
            // The folder is missing only for its first file.
            guard error.isMissing else { throw error }
            try makeParent(of: file.name)
            try place(file, &recent)
        }
    }

    private func place(_ file: StagedFile, _ recent: inout RecentFolders) throws(FileError) {
        let (folder, name) = try recent.parent(of: file.name)
        guard let source = file.source else {
            if let time = file.time { try setModificationTime(of: file.temporary, to: time) }
            return try rename(file.temporary, to: name, in: folder)
        }
        do throws(FileError) {
            let (from, old) = try recent.parent(of: source)
            return try from.link(old, to: name, in: folder)
        } catch {
            guard !error.isMissing else { throw error }
        }
        // The name is taken, or the file system has no hard links, or not as many. It reports a taken name first.
        try remove(file.temporary)
        do throws(FileError) { try link(source, to: file.temporary) } catch {
            let copy = try stageCopy(of: try openForReading(source), as: file.name, temporary: file.temporary)
            _ = try copy.stage(flushed: true)
        }
        try rename(file.temporary, to: file.name)
        // Renaming between two names of the same file succeeds and does nothing.
        try remove(file.temporary)
    }

    /// Copies a file's bytes to a new file with a temporary name.
    package func stageCopy(
        of source: borrowing OpenFile, as name: String, temporary: String
    ) throws(FileError) -> NewFile {
        let copy = try NewFile(name, in: self, temporary: temporary)
        var offset = 0
        while case let bytes = try source.read(at: offset, count: 1 << 20), !bytes.isEmpty {
            try copy.write(bytes)
            offset += bytes.count
        }
        return copy
    }

    package func discard(_ file: StagedFile) throws(FileError) {
        if file.source == nil { try remove(file.temporary) }
    }

    /// Flushes new or removed names of files to disk, with one flush for each folder.
    package func flushNames(of names: [String]) throws(FileError) {
        let folders = TextSet(names.map { String($0[..<($0.utf8.lastIndex(of: UInt8(ascii: "/")) ?? $0.startIndex)]) })
        for folder in folders.sorted() { try flush(folder) }
    }
}

enum LinuxKernel {
    /// Whether `syncfs` reports write errors, as it does since Linux 5.8.
    static let syncfsReportsErrors = isAtLeast((5, 8), release: release)

    /// Whether a release such as `6.1.0-18-amd64` is of this version or a later one; a malformed one is not.
    static func isAtLeast(_ version: (Int, Int), release: String) -> Bool {
        let numbers = release.split(separator: ".").prefix(2).map {
            Int($0.prefix { $0.isNumber })?.within(Quantity.range) ?? 0
        }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= version
    }

    private static var release: String {
        var names = utsname()
        guard unsafe uname(&names) == 0 else { return "" }
        return unsafe withUnsafeBytes(of: names.release) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
