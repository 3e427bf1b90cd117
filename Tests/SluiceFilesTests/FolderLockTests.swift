// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@Suite("FolderLock", .timeLimit(.minutes(10))) struct FolderLockTests {
    let temporary: TemporaryFolder
    let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    /// Runs util-linux's own `flock` on the lock: another process, and another program.
    private func othersCanLock() throws -> Bool {
        let process = try Process.run(
            URL(filePath: "/usr/bin/flock"), arguments: ["--nonblock", temporary.path("lock"), "true"])
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test("The second is refused, and told who the first is and since when")
    func second() throws {
        let first = try FolderLock("lock", in: folder)
        let error = try #require(throws: FolderLockError.self) { _ = try FolderLock("lock", in: folder) }
        guard case .taken(temporary.path, let holder?) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(holder.process == Int(getpid()))
        #expect(abs(Double(holder.since) - Date.now.timeIntervalSince1970) < 60)
        let since = Date(timeIntervalSince1970: Double(holder.since)).formatted(.iso8601)
        #expect("\(error)" == "another sluice (process \(getpid()), since \(since)) uses \(temporary.path)")
        first.release()
        let next = try FolderLock("lock", in: folder)
        next.release()
    }

    @Test("A lock that goes is given back")
    func going() throws {
        do { _ = try FolderLock("lock", in: folder) }
        let lock = try FolderLock("lock", in: folder)
        lock.release()
        #expect(temporary.names() == ["lock"])
        #expect(try folder.read("lock") == [], "nobody is told of a process that is gone")
    }

    @Test("Other processes are held off, and let in afterwards")
    func processes() throws {
        let lock = try FolderLock("lock", in: folder)
        #expect(try !othersCanLock())
        lock.release()
        #expect(try othersCanLock())
    }

    /// Between its fork and its exec a child process has every descriptor, and kept the lock for a moment after its release.
    @Test("A copy of the descriptor keeps nothing locked")
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

    @Test("A process that was killed holds nothing any more")
    func killed() throws {
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/flock")
        let output = Pipe()
        other.standardOutput = output
        // `exec` keeps the lock's descriptor in the process that is killed, and `echo` says when it is held.
        let script = "echo 77777 1 > \(temporary.path("lock")); echo held; exec cat"
        other.arguments = ["--no-fork", temporary.path("lock"), "sh", "-c", script]
        other.standardInput = Pipe()
        try other.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        let error = try #require(throws: FolderLockError.self) { _ = try FolderLock("lock", in: folder) }
        #expect("\(error)".contains("process 77777, since 1970-01-01T00:00:01Z"))
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        let lock = try FolderLock("lock", in: folder)
        lock.release()
    }

    @Test("Of fifty at once, exactly one wins")
    func fifty() async throws {
        // Held until the last has tried: nobody may win after the first.
        let winners = await withTaskGroup(of: Held?.self) { group in
            for _ in 0..<50 {
                group.addTask { [folder] in try? Held(folder) }
            }
            return await group.reduce(into: []) { winners, winner in winners += [winner] }
        }
        #expect(winners.count == 50)
        #expect(winners.count { $0 != nil } == 1)
    }

    @Test("A lock that cannot be made says why")
    func unusable() throws {
        try folder.makeFolder("lock")
        let error = try #require(throws: FolderLockError.self) { _ = try FolderLock("lock", in: folder) }
        guard case .file = error else {
            Issue.record("\(error)")
            return
        }
    }
}

/// A lock that can be put into an array.
private final class Held: Sendable {
    private let lock: FolderLock

    init(_ folder: Folder) throws { lock = try FolderLock("lock", in: folder) }
}
