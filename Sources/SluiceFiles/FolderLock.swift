// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The right to write to a folder, which one process at a time has.
///
/// The kernel holds it (`flock`) and takes it back however the process ends, so no lock is ever stale; the file's
/// content only tells a second process who the first one is. The file stays: if it were removed, a process that had it
/// open and one that makes it anew could both hold the lock.
public struct FolderLock: ~Copyable, Sendable {
    private let file: OpenFile

    /// Takes the lock with the file `name` in `folder`, or fails at once if another has it.
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

    /// Keeps writers away while a folder is read that this process may not write to, or fails at once if there is one.
    ///
    /// Any number of readers may have it. The file must be there: whoever has written to the folder has made it.
    public init(reading name: String, in folder: Folder) throws(FolderLockError) {
        let file = try Self.orLockError { () throws(FileError) in try folder.openForReading(name) }
        guard try Self.orLockError({ () throws(FileError) in try Self.lock(file, LOCK_SH) }) else {
            throw .taken(folder: folder.path, by: (try? file.read(at: 0, count: 64)).flatMap { LockHolder($0) })
        }
        self.file = file
    }

    deinit {
        // Whoever comes next must not be told of a process that is gone; a reader has written nothing.
        _ = ftruncate(file.descriptor, 0)
        // Not by closing alone: a child process that has not come to its exec yet holds the descriptor as well.
        _ = flock(file.descriptor, LOCK_UN)
    }

    /// Gives the lock back now, and not only when it goes.
    public consuming func release() {}

    /// Whether the lock was to be had.
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

/// Why a lock could not be taken.
public enum FolderLockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process has it; who it is, if it has said so.
    case taken(folder: String, by: LockHolder?)
    /// The lock's file cannot be used.
    case file(FileError)

    /// `another sluice (process 123, since 2026-01-31T12:00:00Z) uses /photos`.
    public var description: String {
        switch self {
        case .taken(let folder, let holder?): "another sluice (\(holder)) uses \(folder)"
        case .taken(let folder, nil): "another sluice uses \(folder)"
        case .file(let error): error.description
        }
    }
}
