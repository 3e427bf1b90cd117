// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file being written under a temporary name, which gets its final name only when it is whole.
///
/// One that is neither finished nor abandoned is removed when it goes: no half file is ever left behind but by a
/// killed process, and that one lies under its temporary name.
public struct NewFile: ~Copyable {
    private let folder: Folder
    private let name: String
    private let temporary: String
    private let descriptor: Int32

    /// Starts a file that will be called `name` in `folder`; it grows as `temporary`, which must be on the same disk.
    public init(_ name: String, in folder: Folder, temporary: String? = nil) throws(FileError) {
        let temporary = temporary ?? "\(name).part"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe openat(folder.descriptor, temporary, flags, 0o666)
        guard descriptor >= 0 else {
            throw FileError(code: errno, operation: "create", path: folder.full(temporary))
        }
        self.folder = folder
        self.name = name
        self.temporary = temporary
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        // Finished files have moved away from this name; a failed removal leaves a name that the next run cleans up.
        try? folder.remove(temporary)
    }

    /// Appends all of the bytes.
    public borrowing func write(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        let path = folder.full(temporary)
        try unsafe bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) throws(FileError) in
            try unsafe writeAll(descriptor, buffer, path: path)
        }
    }

    /// Appends all of the bytes.
    public borrowing func write(_ bytes: [UInt8]) throws(FileError) {
        try write(bytes.span)
    }

    /// Gives the file its final name; with `flushed` its bytes are on the disk before it has it.
    public consuming func finish(flushed: Bool = true) throws(FileError) {
        if flushed, fsync(descriptor) != 0 {
            throw FileError(code: errno, operation: "flush", path: folder.full(temporary))
        }
        try folder.rename(temporary, to: name)
    }
}

extension Folder {
    /// Writes a whole file, or leaves what stood under the name as it was.
    public func write(_ bytes: [UInt8], to name: String, flushed: Bool = true) throws(FileError) {
        let file = try NewFile(name, in: self)
        try file.write(bytes)
        try file.finish(flushed: flushed)
    }
}

/// Writes until everything is written: `write` may write less, and be interrupted.
func writeAll(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, path: String) throws(FileError) {
    var written = 0
    while written < buffer.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
        let count = unsafe write(descriptor, rest.baseAddress, rest.count)
        if count < 0 {
            if errno == EINTR { continue }
            throw FileError(code: errno, operation: "write", path: path)
        }
        written += count
    }
}
