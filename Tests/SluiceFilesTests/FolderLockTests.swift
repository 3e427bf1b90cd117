// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("FolderLock", .timeLimit(.minutes(10))) struct FolderLockTests {
    let temporary = TemporaryFolder()
    let folder: Folder

    init() throws {
        folder = try Folder(temporary.path)
    }

    /// Returns whether another program, `flock` of util-linux, can take the lock.
    private func canOtherProcessLock() throws -> Bool {
        let process = try Process.run(
            URL(filePath: "/usr/bin/flock"), arguments: ["--nonblock", temporary.path("lock"), "true"])
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("A second lock fails and names the holder and its start time")
    func second() throws {
        let first = try FolderLock("lock", in: folder)
        let error = try #require(throws: FileError.self) { _ = try FolderLock("lock", in: folder) }
        #expect(error.isLocked)
        let expected = #/cannot lock (.+): another sluice \(process (\d+), since (.+)\) is using it/#
        let parts = try #require("\(error)".wholeMatch(of: expected)).output
        #expect(parts.1 == temporary.path && parts.2 == "\(getpid())")
        let since = try Date(String(parts.3), strategy: .iso8601)
        #expect(abs(since.timeIntervalSinceNow) < 60)
        first.release()
        let next = try FolderLock("lock", in: folder)
        next.release()
    }

    @Test("Releasing the lock object releases the lock")
    func going() throws {
        do { _ = try FolderLock("lock", in: folder) }
        let lock = try FolderLock("lock", in: folder)
        lock.release()
        #expect(temporary.names() == ["lock"])
        #expect(try folder.read("lock") == [], "the identity of an ended process is cleared")
    }

    @Test("Other processes can take the lock only after its release")
    func processes() throws {
        let lock = try FolderLock("lock", in: folder)
        #expect(try !canOtherProcessLock())
        lock.release()
        #expect(try canOtherProcessLock())
    }

    /// A child process has all descriptors between its fork and its exec, and used to keep the lock for a moment after
    /// its release.
    @Test("A duplicate of the descriptor does not keep the lock")
    func copies() throws {
        let lock = try FolderLock("lock", in: folder)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init)
        let original = try #require(
            descriptors.first {
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return path == temporary.path("lock")
            })
        let copy = dup(original)
        defer { close(copy) }
        lock.release()
        let next = try FolderLock("lock", in: folder)
        next.release()
    }

    @Test("A killed process does not keep the lock")
    func killed() throws {
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/flock")
        let output = Pipe()
        other.standardOutput = output
        // `exec` keeps the descriptor in the process that is killed, and `echo` signals that the lock is held.
        let script = "echo 77777 1 > \(temporary.path("lock")); echo held; exec cat"
        other.arguments = ["--no-fork", temporary.path("lock"), "sh", "-c", script]
        other.standardInput = Pipe()
        try other.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        let error = try #require(throws: FileError.self) { _ = try FolderLock("lock", in: folder) }
        #expect("\(error)".contains("process 77777, since 1970-01-01T00:00:01Z"))
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        let lock = try FolderLock("lock", in: folder)
        lock.release()
    }

    @Test("Of fifty concurrent attempts, exactly one succeeds")
    func fifty() async throws {
        // The locks are held until the last attempt, so that no second attempt can succeed after a release.
        let winners = await withTaskGroup(of: LockBox?.self) { group in
            for _ in 0..<50 {
                group.addTask { [folder] in try? LockBox(folder) }
            }
            return await group.reduce(into: []) { winners, winner in winners += [winner] }
        }
        #expect(winners.count == 50)
        #expect(winners.count { $0 != nil } == 1)
    }

    @Test("An unusable lock file is reported as a file error")
    func unusable() throws {
        try folder.makeFolder("lock")
        let error = try #require(throws: FileError.self) { _ = try FolderLock("lock", in: folder) }
        #expect(!error.isLocked)
    }
}

@Suite("ScratchFolder", .timeLimit(.minutes(10))) struct ScratchFolderTests {
    @Test("It removes the folders of killed processes, and neither those in use nor those of other names")
    func unused() throws {
        let temporary = TemporaryFolder()
        let names = { try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() }
        var first: ScratchFolder? = try ScratchFolder(in: temporary.path)
        let path = try #require(first?.path)
        try temporary.makeFolder("\(ScratchFolder.prefix)killed/a/b")
        try temporary.makeFolder("sluice-photos")
        let second = try ScratchFolder(in: temporary.path)
        #expect(
            try names()
                == [path, second.path, temporary.path("sluice-photos")].map { URL(filePath: $0).lastPathComponent }
                .sorted())
        _ = FileManager.default.createFile(atPath: "\(path)/file", contents: Data())
        first = nil
        #expect(try names().count == 2 && FileManager.default.fileExists(atPath: second.path))
    }
}

/// A reference to a lock, because an array cannot hold noncopyable values.
private final class LockBox: Sendable {
    private let lock: FolderLock

    init(_ folder: Folder) throws { lock = try FolderLock("lock", in: folder) }
}
