// SPDX-License-Identifier: MIT

internal import CLinux
internal import SluiceSystem
internal import Synchronization

/// A download in progress that the next run can resume.
///
/// Unlike a ``NewFile`` it remains on disk when it is released without ``stage(as:flushed:)`` or ``remove()``. Use it
/// from one thread at a time: concurrent writes append in no defined order.
package final class PartialFile: Sendable {
    /// The name, relative to the folder.
    package let name: String
    /// Whether the file is in memory, so that no later run can resume it.
    package let isInMemory: Bool
    private let folder: Folder
    private let file: OpenFile
    /// Odd while the file is being emptied, and then even again.
    private let emptyings = Atomic<Int>(0)
    /// The number of bytes, so that the system need not be asked; negative if a write failed.
    private let knownLength: Atomic<Int>
    /// Whether the folder may have a note.
    private let mayHaveNote: Atomic<Bool>

    /// Opens the file with its existing content, or creates it.
    package init(_ name: String, in folder: Folder) throws(FileError) {
        self.name = name
        self.folder = folder
        isInMemory = false
        if let new = try Self.create(name, in: folder) {
            file = new
            knownLength = Atomic(0)
            mayHaveNote = Atomic(false)
        } else {
            file = try Self.open(name, in: folder)
            knownLength = Atomic(try file.size)
            mayHaveNote = Atomic(true)
        }
    }

    /// Creates a small file in memory, which vanishes when it is released; a file in the folder if the system has none.
    ///
    /// This avoids the cost of creating and removing a file on the disk.
    package init(inMemory name: String, in folder: Folder) throws(FileError) {
        self.name = name
        self.folder = folder
        // The file is in the folder if the system has none in memory; it is new there, but a note is not removed.
        knownLength = Atomic(0)
        mayHaveNote = Atomic(true)
        #if canImport(Darwin)
            let descriptor: Int32 = -1
        #else
            let descriptor = DescriptorReserve.admit(unsafe clinux_create_memory_file(name))
        #endif
        isInMemory = descriptor >= 0
        if isInMemory {
            // After the file was emptied, the next bytes belong to its beginning.
            _ = fcntl(descriptor, F_SETFL, O_APPEND)
            file = OpenFile(owning: descriptor, path: folder.fullPath(of: name))
        } else {
            try folder.remove(name)
            file = try Self.open(name, in: folder)
        }
    }

    /// Creates the file; returns `nil` if it exists.
    private static func create(_ name: String, in folder: Folder) throws(FileError) -> OpenFile? {
        do throws(FileError) {
            return try folder.open(name, flags | O_EXCL, operation: "create")
        } catch {
            if error.code == EEXIST { return nil }
            throw error
        }
    }

    private static let flags = O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK

    private static func open(_ name: String, in folder: Folder) throws(FileError) -> OpenFile {
        let file = try folder.open(name, flags, operation: "create")
        try file.checkRegular()
        return file
    }

    /// The number of bytes received.
    package var length: Int {
        get throws(FileError) {
            let known = knownLength.load(ordering: .relaxed)
            return known < 0 ? try file.size : known
        }
    }

    /// The file descriptor, for a hash or a decoder that reads at its own offsets; valid as long as this object exists.
    package var descriptor: Int32 { file.descriptor }

    /// Opens the file again, so that it outlives this object.
    package func duplicate() throws(FileError) -> OpenFile {
        let copy = DescriptorReserve.admit(fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0))
        guard copy >= 0 else { throw FileError(code: errno, operation: "open", path: file.path) }
        return OpenFile(owning: copy, path: file.path)
    }

    /// Runs `body` with the open file.
    func withFile<Result>(_ body: (borrowing OpenFile) -> Result) -> Result { body(file) }

    /// Reads up to `count` bytes at `offset`; returns fewer only at the end.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }

    /// Appends all of the bytes.
    package func write(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        let length = knownLength.exchange(-1, ordering: .relaxed)
        try file.append(bytes)
        if length >= 0 { knownLength.store(length + bytes.count, ordering: .relaxed) }
    }

    /// Appends all of the bytes.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes.span)
    }

    /// Appends all bytes of a C library's buffer.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try unsafe write(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }

    /// Truncates the file to `length` bytes.
    package func truncate(to length: Int = 0) throws(FileError) {
        emptyings.add(1, ordering: .sequentiallyConsistent)
        defer { emptyings.add(1, ordering: .sequentiallyConsistent) }
        knownLength.store(-1, ordering: .relaxed)
        try file.truncate(to: length)
        knownLength.store(length, ordering: .relaxed)
    }

    /// A number that is another one after each truncation, and odd during one.
    ///
    /// If it is the same even number before and after another thread reads, the bytes that it read were in the file.
    package var edition: Int { emptyings.load(ordering: .sequentiallyConsistent) }

    /// Completes the file and removes its note; the file is renamed later in the same folder.
    ///
    /// With `flushed` its bytes are flushed first. `sha256` is that of its bytes, if it is known.
    package func stage(as final: String, flushed: Bool, sha256: String? = nil) throws(FileError) -> StagedFile {
        if flushed { try file.flush() }
        try removeNote()
        return StagedFile(temporary: name, name: final, sha256: sha256)
    }

    /// Removes the file and its note.
    package func remove() throws(FileError) {
        guard !isInMemory else { return }
        // The note first, so that no note remains without its file.
        try removeNote()
        try folder.remove(name)
    }

    // MARK: The note

    private static let noteSuffix = ".note"

    /// The data stored next to the file for resuming it; `nil` if it is missing or unreadable.
    package var note: [UInt8]? {
        guard !isInMemory, mayHaveNote.load(ordering: .relaxed) else { return nil }
        return try? folder.read(name + Self.noteSuffix, limit: 1 << 16)
    }

    /// Stores a note next to the file atomically; the note may be lost in a power failure.
    package func save(note: [UInt8]) throws(FileError) {
        guard !isInMemory else { return }
        mayHaveNote.store(true, ordering: .relaxed)
        try folder.write(note, to: name + Self.noteSuffix, flushed: false)
    }

    package func removeNote() throws(FileError) {
        guard !isInMemory, mayHaveNote.load(ordering: .relaxed) else { return }
        try folder.remove(name + Self.noteSuffix)
        mayHaveNote.store(false, ordering: .relaxed)
    }

    /// Whether a name belongs to a partial file with a note, or to such a note.
    ///
    /// `exists` tells whether the folder has a file.
    package static func isResumable(_ name: String, where exists: (String) -> Bool) -> Bool {
        let file = name.hasSuffix(noteSuffix) ? String(name.dropLast(noteSuffix.count)) : name
        return exists(file) && exists(file + noteSuffix)
    }
}
