// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A file that grows at its end, and that one process at a time writes.
package struct AppendedFile: ~Copyable, Sendable {
    private let file: OpenFile

    /// Opens the file and locks it until it is released; with `creates`, the file must not exist yet.
    package init(_ name: String, in folder: Folder, creates: Bool) throws(FileError) {
        let flags = O_RDWR | O_APPEND | O_NONBLOCK | (creates ? O_CREAT | O_EXCL : 0)
        let file = try folder.open(name, flags, operation: creates ? "create" : "open")
        try file.checkRegular()
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            throw FileError(code: code, operation: "lock", path: file.path)
        }
        self.file = file
    }

    package var size: Int {
        get throws(FileError) { try file.size }
    }

    /// Appends all of the bytes.
    package borrowing func append(_ bytes: [UInt8]) throws(FileError) { try file.append(bytes.span) }

    /// Truncates the file to `length` bytes.
    package borrowing func truncate(to length: Int) throws(FileError) { try file.truncate(to: length) }
}
