// SPDX-License-Identifier: MIT

internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An exclusive lock on a folder for one writing process.
///
/// The lock uses `flock`, so the kernel releases it when the process ends and it never becomes stale. The file's
/// content only identifies the holder to other processes. The file is never removed: otherwise a process that has the
/// old file open and a process that creates a new one could both hold the lock.
public struct FolderLock: ~Copyable, Sendable {
    private let file: OpenFile

    /// Locks the file `name` in `folder`; throws immediately if another process holds the lock.
    public init(_ name: String, in folder: Folder) throws(FolderLockError) {
        let file = try Self.orLockError { () throws(FileError) in
            let file = try folder.open(name, O_RDWR | O_CREAT | O_NONBLOCK, operation: "create")
            try file.checkRegular()
            return file
        }
        guard try Self.orLockError({ () throws(FileError) in try Self.lock(file) }) else {
            throw .taken(folder: folder.path, by: (try? file.read(at: 0, count: 64)).flatMap { LockHolder($0) })
        }
        try Self.orLockError { () throws(FileError) in try Self.write(LockHolder.current.text, to: file) }
        self.file = file
    }

    /// Takes a shared lock for reading a folder that this process cannot write to; throws immediately if a writer
    /// exists.
    ///
    /// Any number of readers can hold it together. The file must exist; every writer creates it.
    public init(reading name: String, in folder: Folder) throws(FolderLockError) {
        let file = try Self.orLockError { () throws(FileError) in try folder.openForReading(name) }
        guard try Self.orLockError({ () throws(FileError) in try Self.lock(file, LOCK_SH) }) else {
            throw .taken(folder: folder.path, by: (try? file.read(at: 0, count: 64)).flatMap { LockHolder($0) })
        }
        self.file = file
    }

    deinit {
        // Clears the holder's identity, so that the next process does not report this one. Fails harmlessly for
        // readers.
        _ = ftruncate(file.descriptor, 0)
        // Closing is not enough: a forked child process before its exec also holds the descriptor.
        _ = flock(file.descriptor, LOCK_UN)
    }

    /// Releases the lock.
    public consuming func release() {}

    /// Tries to lock the file; returns false if another process holds the lock.
    private static func lock(_ file: borrowing OpenFile, _ kind: Int32 = LOCK_EX) throws(FileError) -> Bool {
        while flock(file.descriptor, kind | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw FileError(code: errno, operation: "lock", path: file.path) }
        }
        return true
    }

    private static func orLockError<Result: ~Copyable>(
        _ body: () throws(FileError) -> Result
    ) throws(FolderLockError) -> Result {
        do { return try body() } catch { throw .file(error) }
    }

    private static func write(_ text: String, to file: borrowing OpenFile) throws(FileError) {
        try file.truncate(to: 0)
        let bytes = Array(text.utf8)
        try file.append(bytes.span)
    }
}

/// The reason why a lock could not be taken.
public enum FolderLockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process holds the lock; `by` identifies it, if known.
    case taken(folder: String, by: LockHolder?)
    /// The lock file cannot be used.
    case file(FileError)

    /// `cannot lock /photos: another sluice (process 123, since 2026-01-31T12:00:00Z) is using it`.
    public var description: String {
        switch self {
        case .taken(let folder, let holder?): "cannot lock \(folder): another sluice (\(holder)) is using it"
        case .taken(let folder, nil): "cannot lock \(folder): another sluice is using it"
        case .file(let error): error.description
        }
    }
}

/// The process that holds a folder's lock, as recorded in the lock file.
public struct LockHolder: Sendable, Hashable, CustomStringConvertible {
    /// The process ID.
    public var process: Int
    /// The time when it took the lock, in seconds since 1970.
    public var since: Int

    /// `process 123, since 2026-01-31T12:00:00Z`.
    public var description: String { "process \(process), since \(UTCTime(secondsSince1970: since).text)" }

    static var current: LockHolder { LockHolder(process: Int(getpid()), since: time(nil)) }

    init(process: Int, since: Int) {
        self.process = process
        self.since = since
    }

    /// Parses the content of the lock file; returns `nil` if the holder has not written it yet, or if it is malformed.
    init?(_ bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let process = Int(words[0]), let since = Int(words[1]) else { return nil }
        self.init(process: process, since: since)
    }

    var text: String { "\(process) \(since)\n" }
}
