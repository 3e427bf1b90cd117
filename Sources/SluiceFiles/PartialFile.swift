// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A download under way, which outlives the process: the next run finds what has arrived and goes on behind it.
///
/// Unlike a ``NewFile`` it stays when it goes without ``stage(as:flushed:)`` or ``remove()``. It is a class so that a
/// transfer's state can hold it; still it has one user at a time: bytes that two threads append come in no order.
public final class PartialFile: Sendable {
    /// The name below its folder.
    public let name: String
    private let folder: Folder
    private let file: OpenFile

    /// Opens the file, with whatever it holds already, or makes it.
    public init(_ name: String, in folder: Folder) throws(FileError) {
        let flags = O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK
        file = try folder.open(name, flags, operation: "create")
        try file.checkRegular()
        self.name = name
        self.folder = folder
    }

    /// How many bytes have arrived.
    public var length: Int {
        get throws(FileError) { try file.size }
    }

    /// The descriptor, for a hash or a decoder that reads at offsets of its own; good for as long as this object lives.
    public var descriptor: Int32 { file.descriptor }

    /// Runs `body` with the open file.
    func withFile<Result>(_ body: (borrowing OpenFile) -> Result) -> Result { body(file) }

    /// Up to `count` bytes from `offset` on; fewer only at the end.
    public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }

    /// Appends all of the bytes.
    public func write(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        try file.append(bytes)
    }

    /// Appends all of the bytes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try file.append(bytes.span)
    }

    /// Appends all of the bytes that a C library hands over.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        try unsafe file.append(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }

    /// Forgets what has arrived behind the first `length` bytes.
    public func truncate(to length: Int = 0) throws(FileError) {
        try file.truncate(to: length)
    }

    /// Leaves the file whole and without a note, to be placed below the same folder later; with `flushed` its bytes are
    /// safe by then.
    public func stage(as final: String, flushed: Bool) throws(FileError) -> StagedFile {
        if flushed { try file.flush() }
        try removeNote()
        return StagedFile(temporary: name, name: final)
    }

    /// Removes the file and its note.
    public func remove() throws(FileError) {
        try folder.remove(name)
        try folder.remove(name + Self.noteSuffix)
    }

    // MARK: The note

    private static let noteSuffix = ".note"

    /// What was kept beside the file for those who go on with it; `nil` if there is nothing, or nothing readable.
    public var note: [UInt8]? { try? folder.read(name + Self.noteSuffix, limit: 1 << 16) }

    /// Keeps a note beside the file, whole or not at all; a power cut may take it.
    public func keep(note: [UInt8]) throws(FileError) {
        try folder.write(note, to: name + Self.noteSuffix, flushed: false)
    }

    /// Removes the note alone.
    public func removeNote() throws(FileError) {
        try folder.remove(name + Self.noteSuffix)
    }

    /// Whether a file of that name, among all the `names` of a folder, is a partial file with a note, or such a note.
    public static func isKept(_ name: String, among names: Set<String>) -> Bool {
        let file = name.hasSuffix(noteSuffix) ? String(name.dropLast(noteSuffix.count)) : name
        return names.contains(file) && names.contains(file + noteSuffix)
    }
}
