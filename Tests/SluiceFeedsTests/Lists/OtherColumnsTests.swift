// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import SluiceParquet
import TestSupport
import Testing

@testable import SluiceFeeds

/// Columns of lists that are no photo field: they were ignored, and filters could not test them.
@Suite("Other columns of lists", .timeLimit(.minutes(10))) struct OtherColumnsTests {
    private func read(_ text: String, keeping names: [String]? = nil) async throws -> (
        columns: [String?], notes: [String]
    ) {
        let list = try TemporaryList(text)
        var options = ListOptions()
        options.keptColumns = names
        let page = try await ListFeed(list.path, options: options).page(1, at: nil, token: CancellationToken())
        return (page.photos.map(\.columns), page.notes)
    }

    @Test("A table keeps its other columns in order; numbers are those that every reader reads the same")
    func tables() async throws {
        let table = #"""
            url,score,code,nr,Mood,,thumb,caption,exact,src
            https://a.test/1,0.30,007,12345678901234567890,"happy, ""so""",x,https://u:p@b.test/t.jpg,c,-1.5e3,https://s.test
            https://a.test/2,,,,,,,,1e,

            """#
        let (columns, notes) = try await read(table)
        #expect(
            columns == [
                #"{"score":0.30,"code":"007","nr":"12345678901234567890","Mood":"happy, \"so\"","column_6":"x","#
                    + #""thumb":"https://b.test/t.jpg","exact":-1.5e3,"src":"https://s.test"}"#,
                #"{"exact":"1e"}"#,
            ])
        #expect(notes.isEmpty)
    }

    @Test("Members of JSON objects are kept with their types, except instructions of gallery-dl and facts")
    func objects() async throws {
        let lines = """
            {"url":"https://a.test/1","id":7,"marks":["a","b"],"nsfw":0.02,"ok":true,"none":null,"author":{"name":"Ida","id":5},"_http_headers":{"Cookie":"s"}}
            [3,"https://a.test/2",{"id":9,"url":"https://a.test/page","category":"x","_fallback":["y"]}]

            """
        let (columns, _) = try await read(lines)
        #expect(
            columns == [
                #"{"marks":["a","b"],"nsfw":0.02,"ok":true}"#, #"{"url":"https://a.test/page","category":"x"}"#,
            ])
    }

    @Test("The user chooses columns by name; one that does not exist is an error that names all")
    func choice() async throws {
        let table = "url,a,b,caption\nhttps://a.test/1,1,2,c\n"
        #expect(try await read(table, keeping: ["b"]).columns == [#"{"b":2}"#])
        let none = try await read(table, keeping: [])
        #expect(none.columns == [nil] && none.notes.isEmpty)
        let failure = await #expect(throws: Failure.self) { try await read(table, keeping: ["c"]) }
        #expect(failure?.detail == "line 1: no column is named 'c'; the columns are url, a, b, caption")
        #expect(try await read(#"{"url":"https://a.test/1","a":1,"b":2}"#, keeping: ["a"]).columns == [#"{"a":1}"#])
    }

    @Test("Parquet keeps the types of columns and whole lists, but no long lists")
    func parquet() async throws {
        let folder = try TemporaryFolder()
        let kinds: [(String, ParquetColumn.Kind)] = [
            ("url", .text), ("score", .double), ("count", .integer), ("ok", .boolean), ("marks", .texts),
            ("word", .text),
        ]
        var writer = try ParquetWriter(
            kinds.map { ParquetColumn($0.0, $0.1) }, to: NewFile("list.parquet", in: Folder(folder.path)))
        for (row, tags) in [["a", "b"], [], Array(repeating: "x", count: 257)].enumerated() {
            writer.add("https://a.test/\(row)")
            writer.add(0.25)
            writer.add(row)
            writer.add(row == 0)
            writer.add(tags)
            if row == 0 { writer.add("007") } else { writer.addNull() }
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        let page = try await ListFeed(folder.path("list.parquet"), options: ListOptions())
            .page(1, at: nil, token: CancellationToken())
        #expect(
            page.photos.map(\.columns) == [
                #"{"score":0.25,"count":0,"ok":true,"marks":["a","b"],"word":"007"}"#,
                #"{"score":0.25,"count":1,"ok":false}"#, #"{"score":0.25,"count":2,"ok":false}"#,
            ])
        #expect(page.notes == ["ignored lists of column 'marks' from row 3: more than 256 elements"])
    }
}
