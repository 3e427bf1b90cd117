// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// An exclusive lock on a folder for one writing process.
///
/// The lock uses `flock`, so the kernel releases it when the process ends and it never becomes stale. The file's
/// content only identifies the holder to other processes. The file is never removed: otherwise a process that has the
/// old file open and a process that creates a new one could both hold the lock.
package struct FolderLock: ~Copyable, Sendable {
    private let file: OpenFile

    /// Locks the file `name` in `folder`; throws immediately if another process holds the lock.
    package init(_ name: String, in folder: Folder) throws(FileError) {
        let file = try folder.open(name, O_RDWR | O_CREAT | O_NONBLOCK, operation: "create")
        try file.checkRegular()
        try Self.lock(file, LOCK_EX, folder)
        try file.truncate(to: 0)
        let bytes = Array(LockHolder.current.text.utf8)
        try file.append(bytes.span)
        self.file = file
    }

    /// Takes a shared lock for reading a folder that this process cannot write to; throws immediately if a writer
    /// exists.
    ///
    /// Any number of readers can hold it together. The file must exist; every writer creates it.
    package init(reading name: String, in folder: Folder) throws(FileError) {
        let file = try folder.openForReading(name)
        try Self.lock(file, LOCK_SH, folder)
        self.file = file
    }

    deinit {
        // Clears the holder's identity, so that the next process does not report this one. Fails harmlessly for
        // readers.
        _ = ftruncate(file.descriptor, 0)
        // Closing is not enough: a forked child process before its exec also holds the descriptor.
        _ = flock(file.descriptor, LOCK_UN)
    }

    package consuming func release() {}

    /// Locks the file, or throws an error that names the holder, such as
    /// `cannot lock /photos: another sluice (process 123, since 2026-01-31T12:00:00Z) is using it`.
    private static func lock(_ file: borrowing OpenFile, _ kind: Int32, _ folder: Folder) throws(FileError) {
        while flock(file.descriptor, kind | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK else { throw FileError(code: code, operation: "lock", path: file.path) }
            let holder = (try? file.read(at: 0, count: 64)).flatMap { LockHolder($0) }
            throw FileError(
                code: code, operation: "lock", path: folder.path,
                reason: "another sluice \(holder.map { "(\($0)) " } ?? "")is using it")
        }
    }
}

/// The process that holds a folder's lock, as recorded in the lock file.
struct LockHolder: CustomStringConvertible {
    let process: Int
    /// The time when it took the lock, in seconds since 1970.
    let since: Int

    /// `process 123, since 2026-01-31T12:00:00Z`.
    var description: String { "process \(process), since \(UTCTime(secondsSince1970: since).text)" }

    static var current: LockHolder { LockHolder(process: Int(getpid()), since: time(nil)) }

    init(process: Int, since: Int) {
        self.process = process
        self.since = since
    }

    /// Parses the content of the lock file; returns `nil` if the holder has not written it yet, or if it is malformed.
    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let process = Int(words[0]), let since = Int(words[1])?.within(Quantity.times) else {
            return nil
        }
        self.init(process: process, since: since)
    }

    var text: String { "\(process) \(since)\n" }
}
