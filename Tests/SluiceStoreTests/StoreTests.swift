// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceStore

/// The kinds of stores, of which each keeps the promises of `Store`.
enum StoreKind: String, CaseIterable {
    case folder, bucket, writtenBucket

    /// Those whose servers are installed.
    static let available = allCases.filter { $0 == .folder || ObjectStoreTools.hasSeaweed }

    func make() async throws -> StoreUnderTest {
        let temporary = TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.makeFolder(".sluice/partial")
        guard self != .folder else {
            return StoreUnderTest(temporary: temporary, store: LocalStore(folder, stagingIn: ".sluice/partial"))
        }
        let client = try await TestBucket.make()
        let location = try #require(S3Location("s3://\(client.endpoint.bucket)/some/prefix"))
        let store = S3Store(
            S3Bucket(location, client: client), folder: folder, stagingIn: ".sluice/partial",
            isOnlyWriter: self == .writtenBucket)
        return StoreUnderTest(temporary: temporary, store: store)
    }
}

/// A store and the folder where it stages files.
struct StoreUnderTest {
    let temporary: TemporaryFolder
    let store: any Store

    func stage(_ text: String, as name: String, durability: Durability = .none) throws -> StagedFile {
        let temporary = name.replacing("/", with: "-")
        return try store.stage(Array(text.utf8), as: name, temporary: temporary, durability: durability)
    }

    func text(of name: String) throws -> String {
        let file = try store.open(name)
        return String(decoding: try file.read(at: 0, count: try file.size), as: UTF8.self)
    }

    /// The names of the files that are staged in the folder.
    func staged() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary.path(".sluice/partial"))
    }
}

/// The promises of `Store`, which each kind of store must keep.
@Suite("Store", .timeLimit(.minutes(10))) struct StoreTests {
    @Test("A staged file has no name before its commit, and replaces an earlier one", arguments: StoreKind.available)
    func commit(kind: StoreKind) async throws {
        for durability in Durability.allCases {
            let test = try await kind.make()
            let store = test.store
            try store.write(Array("old".utf8), to: "a/one", temporary: "1", durability: durability)
            let files = [
                try test.stage("new", as: "a/one", durability: durability),
                try test.stage("2", as: "b/c/two", durability: durability),
            ]
            #expect(try test.text(of: "a/one") == "old" && store.size(of: "b/c/two") == nil)
            #expect(try store.commit(files, durability: durability).isEmpty)
            #expect(try test.text(of: "a/one") == "new" && test.text(of: "b/c/two") == "2" && test.staged() == [])
        }
    }

    @Test(
        "A file written in pieces is staged at its end, and vanishes if it is abandoned", arguments: StoreKind.available
    )
    func pieces(kind: StoreKind) async throws {
        let test = try await kind.make()
        let store = test.store
        let file = try store.create("data/large")
        try file.write([1, 2])
        try file.write([3])
        let staged = try file.stage(flushed: true)
        #expect(store.size(of: "data/large") == nil)
        try store.commitAll([staged], durability: .each)
        #expect(store.size(of: "data/large") == 3)
        do { try store.create("data/abandoned").write([1]) }
        #expect(try test.staged() == [] && store.names(in: "data") == ["large"])
    }

    @Test("A large staged file is committed or discarded", arguments: StoreKind.available)
    func large(kind: StoreKind) async throws {
        let test = try await kind.make()
        let text = String(repeating: "large ", count: 300_000)
        let files = [try test.stage(text, as: "a/large"), try test.stage(text, as: "a/other")]
        test.store.discard(files[1])
        try test.store.commitAll([files[0]], durability: .batch)
        #expect(try test.text(of: "a/large") == text && test.store.size(of: "a/other") == nil && test.staged() == [])
    }

    @Test("A staged copy gets the content of another file when it is committed", arguments: StoreKind.available)
    func copy(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        try store.write(Array("abc".utf8), to: "a/ü + 1", temporary: "1", durability: .none)
        let file = StoredFile(path: "b/two", bytes: 3, sha256: sha256)
        let copies = ["2", "3"].map { store.stageCopy(of: "a/ü + 1", as: file, temporary: $0) }
        #expect(store.size(of: "b/two") == nil)
        store.discard(copies[1])
        try store.commitAll([copies[0]], durability: .batch)
        #expect(try test.text(of: "b/two") == "abc" && store.size(of: "b/two") == 3 && test.staged() == [])
        #expect(try [nil, sha256].contains(store.recordedContent(of: "b/two")?.sha256))
    }

    @Test("A folder is removed with its hidden files, and its neighbours remain", arguments: StoreKind.available)
    func folderRemoval(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        for name in ["a/one", "a/.b/two", "ab/three"] {
            try store.write([1], to: name, temporary: "1", durability: .none)
        }
        for _ in 1...2 { try store.removeFolder("a") }
        #expect(["a/one", "a/.b/two", "ab/three"].map { store.size(of: $0) } == [nil, nil, 1])
    }

    @Test("Removing tolerates missing files and folders", arguments: StoreKind.available)
    func removal(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        for durability in Durability.allCases {
            try store.write([1], to: "a/one", temporary: "1", durability: .none)
            try store.remove(["a/none", "nowhere/none", "a/one"], durability: durability)
            #expect(store.size(of: "a/one") == nil)
        }
    }

    @Test("A stamp changes with the content, and sizes are found", arguments: StoreKind.available)
    func inspection(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        try store.write([1], to: "a/one", temporary: "1", durability: .none)
        let stamp = store.stamp(of: "a/one")
        #expect(stamp != nil && store.stamp(of: "a/two") == nil)
        let sizes = store.sizes()
        #expect(sizes.size(of: "a/one") == 1 && sizes.size(of: "a/two") == nil)
        try store.write([2, 2], to: "a/one", temporary: "1", durability: .none)
        #expect(store.stamp(of: "a/one") != stamp && store.size(of: "a/one") == 2)
        try store.write([3], to: "a/b/two", temporary: "1", durability: .none)
        let entries = [FolderEntry(name: "b", stamp: nil), FolderEntry(name: "one", stamp: store.stamp(of: "a/one"))]
        #expect(try store.list("a") == entries && store.names(in: "a") == ["b", "one"])
        #expect(try store.names(in: "").filter { $0 != ".sluice" } == ["a"])
        #expect(throws: FileError.self) { try store.list("none") }
    }

    @Test("A missing file cannot be opened", arguments: StoreKind.available)
    func missing(kind: StoreKind) async throws {
        let test = try await kind.make()
        let error = #expect(throws: FileError.self) { _ = try test.store.open("none") }
        #expect(error?.isMissing == true)
        #expect(try test.staged() == [])
    }

    @Test("Content is compared by bytes and by checksum", arguments: StoreKind.available)
    func content(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        try store.write(Array("abc".utf8), to: "a", temporary: "1", durability: .none)
        #expect(store.hasContent(Array("abc".utf8), in: "a") && !store.hasContent(Array("abd".utf8), in: "a"))
        #expect(!store.hasContent(Array("ab".utf8), in: "a") && !store.hasContent([], in: "none"))
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(try store.contains(StoredFile(path: "a", bytes: 3, sha256: sha256)))
        #expect(try !store.contains(StoredFile(path: "a", bytes: 4, sha256: sha256)))
        #expect(try !store.contains(StoredFile(path: "a", bytes: 3, sha256: "00")))
    }

    @Test("All files are listed once, without hidden ones and those of other mirrors", arguments: StoreKind.available)
    func listing(kind: StoreKind) async throws {
        let test = try await kind.make()
        defer { withExtendedLifetime(test) {} }
        let store = test.store
        for name in [
            "b/2", "a", "b/1", ".hidden", "b/.x/y", "other/+1", "other/.sluice/lock", "other/photo", "other/x/y",
            "c/+1/e",
        ] {
            try store.write([1], to: name, temporary: "1", durability: .none)
        }
        var names: [String] = []
        try store.forEachFile {
            names.append($0)
            return true
        }
        #expect(names == ["a", "b/1", "b/2", "c/+1/e"])
        var count = 0
        try store.forEachFile { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test("A file that cannot get its name fails alone", .enabled(if: ObjectStoreTools.hasSeaweed))
    func partialCommit() async throws {
        let test = try await StoreKind.bucket.make()
        let files = [try test.stage("x", as: "a/1"), try test.stage("y", as: "a/../2"), try test.stage("z", as: "3")]
        let failures = try test.store.commit(files, durability: .batch)
        #expect(Set(failures.keys) == [files[1]])
        #expect(try test.text(of: "a/1") == "x" && test.text(of: "3") == "z")
    }
}
