// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceStore
import TestSupport
import Testing

/// Tests the abilities of a local folder alone; the rest is in `StoreTests`.
@Suite("LocalStore", .timeLimit(.minutes(10))) struct LocalStoreTests {
    private let temporary = TemporaryFolder()
    private let store: any Store

    init() throws {
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

    @Test("Of several writers of one name, the first wins and the others change nothing")
    func exclusive() throws {
        let writing = try #require(store.exclusiveWriting)
        #expect(try writing.writeIfAbsent([1], to: "receipts/1", temporary: ".sluice/partial/a"))
        #expect(try !writing.writeIfAbsent([2, 3], to: "receipts/1", temporary: ".sluice/partial/b"))
        #expect(try store.read("receipts/1", limit: 9) == [1])
        #expect(try staged() == [])
    }

    @Test("A staged copy is another name for the same file, and discarding it keeps the file")
    func links() throws {
        try store.write([1, 2], to: "a", temporary: "a", durability: .none)
        let sharing = try #require(store.sharing)
        let file = StoredFile(path: "c/b", bytes: 2, sha256: "")
        store.discard(store.stageCopy(of: "a", as: file, temporary: "b"))
        #expect(store.size(of: "a") == 2 && store.size(of: "c/b") == nil)
        try store.commitAll([store.stageCopy(of: "a", as: file, temporary: "b")], durability: .batch)
        #expect(sharing.areSameFile("a", "c/b"))
    }

    @Test("A staged copy replaces another file")
    func replacingLink() throws {
        for (name, bytes) in [("a", [1, 2]), ("b", [3])] as [(String, [UInt8])] {
            try store.write(bytes, to: name, temporary: name, durability: .none)
        }
        let copy = store.stageCopy(of: "a", as: StoredFile(path: "b", bytes: 2, sha256: ""), temporary: "b")
        try store.commitAll([copy], durability: .batch)
        #expect(try store.read("b", limit: 9) == [1, 2])
        #expect(try #require(store.sharing).areSameFile("a", "b"))
        #expect(try staged() == [])
    }

    @Test("A staged copy of a missing file fails when it is committed")
    func missingSource() throws {
        let copy = store.stageCopy(of: "a", as: StoredFile(path: "b", bytes: 2, sha256: ""), temporary: "b")
        let failures = try store.commit([copy], durability: .batch)
        #expect(failures[copy]?.isMissing == true && store.size(of: "b") == nil)
    }

    @Test("A link that a killed run has committed already can be staged and committed again")
    func repeatedLink() throws {
        try store.write([1, 2], to: "a", temporary: "a", durability: .none)
        let sharing = try #require(store.sharing)
        for _ in 0..<2 {
            let link = store.stageCopy(of: "a", as: StoredFile(path: "b", bytes: 2, sha256: ""), temporary: "b")
            try store.commitAll([link], durability: .batch)
        }
        #expect(sharing.areSameFile("a", "b"))
        #expect(try staged() == [])
    }
}
