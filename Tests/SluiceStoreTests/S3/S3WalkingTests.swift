// SPDX-License-Identifier: MIT

import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceStore

@Suite("S3Store: all files", .timeLimit(.minutes(5))) struct S3WalkingTests {
    /// Returns the shown names of a sorted listing, and the folders whose mirrors were looked for.
    private func shown(_ names: [String], mirrors: Set<String> = []) throws -> (shown: [String], asked: [String]) {
        var (filter, asked) = (ShownObjects(), [String]())
        let shown = try names.filter { name in
            try filter.shows(name) { folder in
                asked.append(folder)
                return mirrors.contains(folder)
            }
        }
        return (shown, asked)
    }

    @Test("Hidden objects and those of other mirrors are not shown")
    func filter() throws {
        let names = [
            ".sluice/lease", "a", "b/.x/y", "b/c/d", "b/c/e", "m/.sluice/lease", "m/photo", "m/x/y", "n/photo",
        ]
        let (shown, asked) = try shown(names)
        #expect(shown == ["a", "b/c/d", "b/c/e", "n/photo"])
        // The order of the names suffices.
        #expect(asked == [])
    }

    @Test("A folder is asked about only if its first name sorts before a mirror's state")
    func asking() throws {
        let names = ["m/+1", "m/.sluice/lease", "m/x/y", "n/!", "n/x/-1", "n/x/2"]
        let (shown, asked) = try shown(names, mirrors: ["m"])
        #expect(shown == ["n/!", "n/x/-1", "n/x/2"])
        #expect(asked == ["m", "n", "n/x"])
    }

    @Test("Objects in many folders are listed with one request", .enabled(if: ObjectStoreTools.hasSeaweed))
    func requests() async throws {
        let requests = Locked(0)
        let direct = try await TestBucket.make()
        let proxy = try FaultProxy(of: try await SeaweedServer.running().endpoint) { _ in
            requests.withLock { $0 += 1 }
            return nil
        }
        defer { proxy.stop() }
        let names = (0..<10).map { "\($0)/photo.jpg" }
        for name in names { try direct.put([1], to: "m/\(name)") }
        let client = try TestBucket.client(direct.endpoint.bucket, at: proxy.endpoint)
        let temporary = try TemporaryFolder()
        let location = try #require(S3Location("s3://\(direct.endpoint.bucket)/m"))
        let store = S3Store(
            S3Bucket(location, client: client), folder: try Folder(temporary.path), stagingIn: "partial")
        var found: [String] = []
        try store.forEachFile { name in
            found.append(name)
            return true
        }
        // There was a request for each folder, and all names of a folder were in memory.
        #expect(found == names && requests.withLock { $0 } == 1)
    }

    @Test("A listing that fails is an error, and no empty store", .enabled(if: ObjectStoreTools.hasSeaweed))
    func failure() async throws {
        let client = try TestBucket.client("no-such-bucket", at: try await SeaweedServer.running().endpoint)
        let temporary = try TemporaryFolder()
        let location = try #require(S3Location("s3://no-such-bucket/m"))
        let store = S3Store(
            S3Bucket(location, client: client), folder: try Folder(temporary.path), stagingIn: "partial")
        #expect(throws: FileError.self) { try store.forEachFile { _ in true } }
    }
}
