// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceLedger

/// The user's marks: their syntax, the journal, and the ledger.
@Suite("Marks", .timeLimit(.minutes(10))) struct MarkTests {
    private let temporary = TemporaryFolder()

    private func mark(_ text: String) throws -> PhotoMark { try #require(PhotoMark(JSON(parsing: Array(text.utf8)))) }

    @Test(
        "Everything but the marks of one photo is refused",
        arguments: [
            "1", "{}", #"{"seq":1}"#, #"{"rating":3}"#, #"{"seq":0,"rating":3}"#, #"{"seq":-1,"rating":3}"#,
            #"{"seq":"1","rating":3}"#, #"{"seq":1.5,"rating":3}"#, #"{"seq":99999999999999999999,"rating":3}"#,
            #"{"seq":1,"rating":6}"#, #"{"seq":1,"rating":-2}"#, #"{"seq":1,"rating":"3"}"#,
            #"{"seq":1,"rating":1.5}"#, #"{"seq":1,"seq":2,"rating":3}"#, #"{"seq":1,"rating":3,"rating":4}"#,
            #"{"seq":1,"caption":"x"}"#, #"{"seq":1,"file":"/etc/passwd"}"#, #"{"seq":1,"user_caption":3}"#,
            #"{"seq":1,"user_caption":["x"]}"#, #"{"seq":1,"user_caption":"a\nb"}"#,
            #"{"seq":1,"user_caption":"\u001b[2J"}"#, #"{"seq":1,"user_caption":"a\u2028b"}"#,
            #"{"seq":1,"user_tags":"a\u0000"}"#,
            #"{"seq":1,"user_caption":""# + String(repeating: "ü", count: 1001) + #""}"#,
        ])
    func invalid(text: String) throws {
        #expect(PhotoMark(try JSON(parsing: Array(text.utf8))) == nil)
    }

    @Test("A mark is written as it is read, and tags get their usual form")
    func written() throws {
        let mark = try mark(#"{"seq":7,"rating":0,"user_caption":"","user_tags":" lake,dawn ,lake"}"#)
        var writer = JSONWriter()
        writer.object { mark.write(to: &$0) }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text == #"{"seq":7,"rating":null,"user_caption":null,"user_tags":"lake, dawn"}"#)
        #expect(try self.mark(text) == mark)
    }

    @Test("Marks of the journal reach the ledger, and stay when the feed states other facts or lists a photo again")
    func kept() throws {
        let folder = try Folder(temporary.path)
        let ledger = try Ledger(in: folder)
        let first = try ledger.beginRun(source: "s", feed: "f", options: "", startedAt: 0)
        _ = try ledger.claim(Samples.page(1, ["a", "b"]), in: first)
        let journal = MarkJournal(in: folder)
        try journal.append([
            try mark(#"{"seq":1,"rating":2,"user_caption":"Mine"}"#), try mark(#"{"seq":99,"rating":1}"#),
        ])
        try journal.append([try mark(#"{"seq":1,"rating":4}"#), try mark(#"{"seq":2,"rating":-1,"user_tags":"x"}"#)])
        #expect(try ledger.apply(journal) == folder.size(of: ".sluice/marks.jsonl"))
        var page = Samples.page(1, ["a", "b", "c"])
        page.photos[0].caption = "Another"
        page.photos[1].date = 5
        let second = try ledger.beginRun(source: "s", feed: "f", options: "", startedAt: 1)
        let claimed = try ledger.claim(page, in: second).map(\.item.photo)
        let stored = try ledger.entries(after: 0, limit: 9).map(\.item.photo)
        for photos in [claimed, stored] {
            #expect(photos.map(\.rating) == [4, -1, nil])
            #expect(photos.map(\.userCaption) == ["Mine", nil, nil] && photos[0].caption == "Another")
            #expect(photos.map(\.userTags) == [nil, "x", nil] && photos.map(\.isRejected) == [false, true, false])
        }
        // A listing that leaves out the photo, and one that has it again.
        _ = try ledger.remove([1])
        let third = try ledger.beginRun(source: "s", feed: "f", options: "", startedAt: 2)
        #expect(try ledger.claim(page, in: third).map(\.item.photo.rating) == [4, -1, nil])
    }

    @Test("To apply marks again changes nothing, and the manifest is then still current")
    func repeated() throws {
        let folder = try Folder(temporary.path)
        let ledger = try Ledger(in: folder)
        let run = try ledger.beginRun(source: "s", feed: "f", options: "", startedAt: 0)
        _ = try ledger.claim(Samples.page(1, ["a"]), in: run)
        let journal = MarkJournal(in: folder)
        try ledger.recordExportStamp("old")
        try journal.append([try mark(#"{"seq":1,"rating":2}"#), try mark(#"{"seq":1,"rating":null,"user_tags":"a"}"#)])
        _ = try ledger.apply(journal)
        #expect(try ledger.exportStamp() == nil)
        // The second mark took back the first, so that only its last value counts.
        try ledger.recordExportStamp("new")
        _ = try ledger.apply(MarkJournal(in: folder))
        #expect(try ledger.entries(after: 0, limit: 1)[0].item.photo.rating == nil)
    }

    @Test("A journal ignores lines that are no marks and a part of one, and is cleared unless it has grown")
    func journal() throws {
        let folder = try Folder(temporary.path)
        try folder.makeFolder(".sluice")
        try folder.write(Array("x\n{\"seq\":1,\"rating\":9}\n{\"seq\":1,\"rat".utf8), to: ".sluice/marks.jsonl")
        let journal = MarkJournal(in: folder)
        #expect(journal.content.marks.isEmpty)
        let added = try mark(#"{"seq":3,"rating":1}"#)
        try journal.append([added])
        let (marks, size) = journal.content
        #expect(marks == [added])
        try journal.append([added])
        try journal.clear(size)
        #expect(journal.content.marks.count == 2)
        try journal.clear(journal.content.size)
        #expect(journal.content.marks.isEmpty && journal.content.size == 0)
        try folder.remove(".sluice/marks.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path(".sluice/marks.jsonl"), withDestinationPath: "/etc/hostname")
        #expect(journal.content.size == 0)
        #expect(throws: FileError.self) { try journal.append([added]) }
    }
}
