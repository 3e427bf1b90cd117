// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import TestSupport
import Testing

/// The promises of `Store`, which each kind of store must keep.
@Suite("Stores: a local folder", .timeLimit(.minutes(10))) struct LocalStoreTests {
    private let temporary: TemporaryFolder
    private let store: any Store

    init() throws {
        temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.makeFolder(".sluice/partial")
        store = LocalStore(folder, stagingIn: ".sluice/partial")
    }

    private func stage(_ text: String, as name: String, durability: Durability = .none) throws -> StagedFile {
        let temporary = name.replacing("/", with: "-")
        return try store.stage(Array(text.utf8), as: name, temporary: temporary, durability: durability)
    }

    private func text(of name: String) throws -> String {
        let file = try store.open(name)
        return String(decoding: try file.read(at: 0, count: try file.size), as: UTF8.self)
    }

    private func staged() throws -> [String] { try store.names(in: ".sluice/partial") }

    @Test("A staged file has no name before its commit, and replaces an earlier one", arguments: Durability.allCases)
    func commit(durability: Durability) throws {
        try store.write(Array("old".utf8), to: "a/one", temporary: "1", durability: durability)
        let files = [
            try stage("new", as: "a/one", durability: durability),
            try stage("2", as: "b/c/two", durability: durability),
        ]
        #expect(try text(of: "a/one") == "old" && store.size(of: "b/c/two") == nil && staged().count == 2)
        #expect(try store.commit(files, durability: durability).isEmpty)
        #expect(try text(of: "a/one") == "new" && text(of: "b/c/two") == "2" && staged() == [])
    }

    @Test("A file that cannot get its name stays staged, and the others are committed")
    func partialCommit() throws {
        try store.write([1], to: "taken/inside", temporary: "1", durability: .none)
        let files = [try stage("x", as: "first"), try stage("y", as: "taken"), try stage("z", as: "third")]
        let failures = try store.commit(files, durability: .batch)
        #expect(Set(failures.keys) == [files[1]] && failures[files[1]]?.isWrongFileType == true)
        #expect(try text(of: "first") == "x" && text(of: "third") == "z")
        #expect(try staged() == ["taken"])
        store.discard(files[1])
        #expect(try staged() == [])
        #expect(throws: FileError.self) {
            try store.write([1], to: "taken", temporary: "2", durability: .each)
        }
        #expect(try staged() == [])
    }

    @Test("A file written in pieces is staged at its end, and vanishes if it is abandoned")
    func pieces() throws {
        let file = try store.create("data/large")
        try file.write([1, 2])
        try file.write([3])
        let staged = try file.stage(flushed: true)
        #expect(store.size(of: "data/large") == nil)
        try store.commitAll([staged], durability: .each)
        #expect(store.size(of: "data/large") == 3)
        do { try store.create("data/abandoned").write([1]) }
        #expect(try self.staged() == [] && store.names(in: "data") == ["large"])
    }

    @Test("Removing tolerates missing files and folders", arguments: Durability.allCases)
    func removal(durability: Durability) throws {
        try store.write([1], to: "a/one", temporary: "1", durability: .none)
        try store.remove(["a/none", "nowhere/none", "a/one"], durability: durability)
        #expect(store.size(of: "a/one") == nil)
    }

    @Test("A stamp changes with the content, and sizes are found")
    func inspection() throws {
        try store.write([1], to: "a/one", temporary: "1", durability: .none)
        let stamp = store.stamp(of: "a/one")
        #expect(stamp != nil && store.stamp(of: "a/two") == nil)
        let sizes = store.sizes()
        #expect(sizes.size(of: "a/one") == 1 && sizes.size(of: "a/two") == nil)
        try store.write([2], to: "a/one", temporary: "1", durability: .none)
        #expect(store.stamp(of: "a/one") != stamp)
        try store.write([3], to: "a/b/two", temporary: "1", durability: .none)
        let entries = [FolderEntry(name: "b", stamp: nil), FolderEntry(name: "one", stamp: store.stamp(of: "a/one"))]
        #expect(try store.list("a") == entries && store.names(in: "a") == ["b", "one"])
        #expect(try store.names(in: "") == [".sluice", "a"])
        #expect(throws: FileError.self) { try store.list("none") }
    }

    @Test("Content is compared by bytes and by checksum")
    func content() throws {
        try store.write(Array("abc".utf8), to: "a", temporary: "1", durability: .none)
        #expect(store.hasContent(Array("abc".utf8), in: "a") && !store.hasContent(Array("abd".utf8), in: "a"))
        #expect(!store.hasContent(Array("ab".utf8), in: "a") && !store.hasContent([], in: "none"))
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(store.contains(StoredFile(path: "a", bytes: 3, sha256: sha256)))
        #expect(!store.contains(StoredFile(path: "a", bytes: 4, sha256: sha256)))
        #expect(!store.contains(StoredFile(path: "a", bytes: 3, sha256: "00")))
    }

    @Test("All files are listed once, without hidden ones and those of other mirrors")
    func listing() throws {
        for name in ["b/2", "a", "b/1", ".hidden", "b/.x/y", "other/.sluice/lock", "other/photo", "c/d/e"] {
            try store.write([1], to: name, temporary: "1", durability: .none)
        }
        var names: [String] = []
        store.forEachFile {
            names.append($0)
            return true
        }
        #expect(names == ["a", "b/1", "b/2", "c/d/e"])
        var count = 0
        store.forEachFile { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }

    @Test("Identical files can share their storage, and a link planted in the folder is not followed")
    func sharing() throws {
        for name in ["one", "two"] { try store.write([7, 7], to: name, temporary: name, durability: .none) }
        let sharing = try #require(store.sharing)
        #expect(try sharing.shareContent(of: "one", with: "two", temporary: "three", flushed: true))
        #expect(try text(of: "two") == text(of: "one"))
        try FileManager.default.createSymbolicLink(atPath: temporary.path("link"), withDestinationPath: "one")
        #expect(throws: FileError.self) { _ = try store.open("link") }
        #expect(store.size(of: "link") == nil)
    }
}
