// SPDX-License-Identifier: MIT

internal import CLinux
internal import SluiceSystem

/// A file that is written under a temporary name and renamed when it is complete.
///
/// An unfinished file is removed on release. Only a killed process leaves one, under its temporary name, for
/// ``Folder/removeLeftovers(in:where:)``. Two files in progress must not have the same temporary name.
package struct NewFile: ~Copyable, Sendable {
    /// The suffix of the default temporary name.
    package static let suffix = ".part"

    private let folder: Folder
    private let name: String
    private let temporary: String
    private let file: OpenFile
    private var isComplete = false

    /// Creates the file under the name `temporary`; finishing renames it to `name`, on the same file system.
    package init(_ name: String, in folder: Folder, temporary: String? = nil) throws(FileError) {
        let temporary = temporary ?? name + Self.suffix
        self.folder = folder
        self.name = name
        self.temporary = temporary
        file = try Self.create(temporary, in: folder)
    }

    /// Makes a file whose bytes are dropped; it can be staged, but it cannot be finished.
    package init(discarding name: String) throws(FileError) {
        let folder = try Folder("/dev")
        let file = try folder.open("null", O_WRONLY, operation: "open")
        (self.folder, self.name, temporary, isComplete) = (folder, name, name, true)
        self.file = file
    }

    deinit {
        // If the removal fails, the next run removes the leftover.
        if !isComplete { try? folder.remove(temporary) }
    }

    /// Appends all of the bytes.
    package borrowing func write(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        try file.append(bytes)
    }

    /// Appends all of the bytes.
    package borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        try file.append(bytes.span)
    }

    /// Replaces bytes that were written before.
    package borrowing func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        try file.overwrite(bytes.span, at: offset)
    }

    /// Lets the system write the bytes so far to the disk, without waiting; a hint that makes a later flush faster.
    package borrowing func startFlushing() {
        #if !canImport(Darwin)
            _ = clinux_start_flushing(file.descriptor)
        #endif
    }

    /// Renames the file to its final name and replaces an existing file.
    ///
    /// With `flushed` the bytes are flushed before the rename, and the name is durable on return. Otherwise the caller
    /// flushes many files together.
    package consuming func finish(flushed: Bool = true) throws(FileError) {
        if flushed { try file.flush() }
        try folder.rename(temporary, to: name)
        isComplete = true
        if flushed { try folder.flushParent(of: name) }
    }

    /// Completes the file under its temporary name, to be renamed later; with `flushed` its bytes are flushed first.
    package consuming func stage(flushed: Bool) throws(FileError) -> StagedFile {
        // Bytes that are dropped cannot be flushed.
        if flushed, !isComplete { try file.flush() }
        isComplete = true
        return StagedFile(temporary: temporary, name: name)
    }

    /// Creates the file exclusively; a leftover is removed and never reused, because it may be a link to another file.
    private static func create(_ name: String, in folder: Folder) throws(FileError) -> OpenFile {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        do throws(FileError) {
            return try folder.open(name, flags, operation: "create")
        } catch {
            guard error.code == EEXIST else { throw error }
            try folder.remove(name)
            return try folder.open(name, flags, operation: "create")
        }
    }
}
