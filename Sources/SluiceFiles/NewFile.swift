// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file being written under a temporary name, which gets its final name only when it is whole.
///
/// One that is not finished is removed when it goes: no half file is ever left behind but by a killed process, and that
/// one lies under its temporary name, for ``Folder/removeLeftovers(in:where:)``. Two at once must not share a name.
public struct NewFile: ~Copyable, Sendable {
    /// What a temporary name ends with, unless the caller gives one of its own.
    public static let suffix = ".part"

    private let folder: Folder
    private let name: String
    private let temporary: String
    private let file: OpenFile
    private var stands = false

    /// Starts a file that will be called `name` in `folder`; it grows as `temporary`, which must be on the same disk.
    public init(_ name: String, in folder: Folder, temporary: String? = nil) throws(FileError) {
        let temporary = temporary ?? name + Self.suffix
        self.folder = folder
        self.name = name
        self.temporary = temporary
        file = try Self.create(temporary, in: folder)
    }

    deinit {
        // A failed removal leaves a name that the next run cleans up.
        if !stands { try? folder.remove(temporary) }
    }

    /// Appends all of the bytes.
    public borrowing func write(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        try file.append(bytes)
    }

    /// Appends all of the bytes.
    public borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        try file.append(bytes.span)
    }

    /// Gives the file its final name, in place of what stood there.
    ///
    /// With `flushed` the bytes are on the disk before the file has its name, and the name is when this returns: no power
    /// cut can take it back. Without, the caller sees to that for many files at once.
    public consuming func finish(flushed: Bool = true) throws(FileError) {
        if flushed { try file.flush() }
        try folder.rename(temporary, to: name)
        stands = true
        if flushed { try folder.flushParent(of: name) }
    }

    /// Leaves the file whole under its temporary name, to be placed later; with `flushed` its bytes are safe by then.
    public consuming func stage(flushed: Bool) throws(FileError) -> StagedFile {
        if flushed { try file.flush() }
        stands = true
        return StagedFile(temporary: temporary, name: name)
    }

    /// Makes the file anew, never writing into one that is there: a leftover may be a link to something precious.
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
