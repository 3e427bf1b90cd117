// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("Lists in JSON", .timeLimit(.minutes(10))) struct JSONListTests {
    private static let objects = [
        #"{"url":"https://a.test/1","id":1,"title":"One","author":{"name":"Ida"},"width":"800","tags":["x"]}"#,
        #"{"link":"https://page.test","image":"https://a.test/2","key":"two","caption":null,"license":""}"#,
        #""https://a.test/3""#,
    ]

    @Test(
        "Lines and arrays give the same photos, whatever their layout",
        arguments: [
            objects.joined(separator: "\n"), objects.joined(separator: "\r\n") + "\n",
            "[\(objects.joined(separator: ","))]",
            "\n [\n  \(objects.joined(separator: "\n ,\n  "))\n]\n",
        ])
    func shapes(text: String) async throws {
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.id) == ["1", "two", "https://a.test/3"])
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2", "https://a.test/3"])
        #expect(photos[0].caption == "One" && photos[0].author == "Ida" && photos[0].width == 800)
        #expect(photos[1].caption == nil && photos[1].license == nil)
    }

    @Test("Python's NaN and infinities are missing values, and texts that look like them stay")
    func specialNumbers() async throws {
        let lines = [
            #"{"url":"https://a.test/1","score":NaN,"min":-Infinity,"max":Infinity,"title":"NaN, \"Infinity\""}"#,
            #"{"url":"https://a.test/2","score":0.5}"#,
        ]
        for text in [lines.joined(separator: "\n"), "[\(lines.joined(separator: ","))]"] {
            let photos = try await TemporaryList.read(text)
            #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2"])
            #expect(photos[0].caption == #"NaN, "Infinity""# && photos[1].columns == #"{"score":0.5}"#)
            #expect(photos[0].columns?.contains("NaN") != true && photos[0].columns?.contains("Infinity") != true)
        }
        let broken = try await TemporaryList.read(#"{"url":"https://a.test/1","score":NaNa}"# + "\n")
        #expect(broken[0].invalidReason != nil)
    }

    @Test(
        "The tables of pandas are read in each orientation, with captions and other columns",
        arguments: [
            #"{"url":{"0":"U1","1":"U2"},"caption":{"0":"One","1":null},"n":{"0":1,"1":2}}"#,
            #"{"url":{"a":"U1","b":"U2"},"caption":{"a":"One","b":null},"n":{"a":1,"b":2}}"#,
            #"{"0":{"url":"U1","caption":"One","n":1},"1":{"url":"U2","caption":null,"n":2}}"#,
            #"{"columns":["url","caption","n"],"index":[0,1],"data":[["U1","One",1],["U2",null,2]]}"#,
            #"{"schema":{"fields":[{"name":"url","type":"string"}]},"data":[{"url":"U1","caption":"One","n":1},"#
                + #"{"url":"U2","caption":null,"n":2}]}"#,
            #"[{"url":"U1","caption":"One","n":1},{"url":"U2","caption":null,"n":2}]"#,
        ])
    func dataFrames(text: String) async throws {
        let text = text.replacing("U", with: "https://a.test/")
        for text in [text, text.replacing(",\"", with: ",\n  \"") + "\n"] {
            let photos = try await TemporaryList.read(text)
            #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2"])
            #expect(photos.map(\.caption) == ["One", nil] && photos.map(\.columns) == [#"{"n":1}"#, #"{"n":2}"#])
        }
    }

    @Test("Rows without names are read by their addresses; objects of renditions are no tables")
    func otherTables() async throws {
        let rows = try await TemporaryList.read(
            #"[["https://a.test/1","One","x",5],["https://a.test/2","Two","y",null],["none"]]"#)
        #expect(rows.map(\.address) == ["https://a.test/1", "https://a.test/2", nil])
        #expect(rows.map(\.caption) == ["One", "Two", nil])
        #expect(rows.map(\.columns) == [#"{"column_3":"x","column_4":5}"#, #"{"column_3":"y"}"#, nil])
        let renditions = #"{"image":{"small":"https://a.test/s.jpg","large":"https://a.test/l.jpg"}}"#
        #expect(try await TemporaryList.read(renditions).count == 1)
        let damaged = try await TemporaryList.read(#"{"url":{"0":"https://a.test/1","1":"x"},"n":{"0":1,"1":2}}"#)
        #expect(damaged.map(\.id) == ["https://a.test/1", "row 2"] && damaged[1].invalidReason != nil)
    }

    @Test("Tags are one text, a list, or a list of objects with names")
    func tags() async throws {
        let tags = [#""a, b""#, #"["a","b"]"#, #"[{"name":"a"},{"name":"b","id":7},{"x":1}]"#, "[]", "7", "null"]
        let lines = tags.enumerated().map { "{\"url\":\"https://a.test/\($0)\",\"tags\":\($1)}" }
        let photos = try await TemporaryList.read(lines.joined(separator: "\n"))
        #expect(photos.map(\.tags) == ["a, b", "a, b", "a, b", nil, "7", nil])
    }

    @Test("Any number of superfluous commas does not exhaust the stack")
    func commas() async throws {
        let text = "[\"https://a.test/1\"" + String(repeating: ",", count: 1_000_000) + "\"https://a.test/2\"]"
        #expect(try await TemporaryList.read(text).map(\.id) == ["https://a.test/1", "https://a.test/2"])
    }

    @Test("Reads the output of gallery-dl -j: files are photos, folders and queues are skipped, errors are reported")
    func galleryDL() async throws {
        let text = """
            [
              [2, {"category": "x", "id": 9}],
              [3, "https://a.test/1.jpg", {"id": 9, "num": 1, "title": "Post", "author": {"name": "Ida"}, "url": "https://x.test"}],
              [3, "https://a.test/2.jpg", {"id": 9, "num": 2}],
              [6, "https://other.test/album", {}],
              [-1, {"error": "AuthRequired", "message": "login\\u001b needed"}]
            ]
            """
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.id) == ["https://a.test/1.jpg", "https://a.test/2.jpg", "element 5"])
        #expect(photos[0].caption == "Post" && photos[0].author == "Ida" && photos[0].address == "https://a.test/1.jpg")
        #expect(photos[2].invalidReason?.detail == "line 6: gallery-dl failed: login\u{1B} needed")
        let lines = "[2, {}]\n[3, \"https://a.test/1.jpg\", {}]\n"
        #expect(try await TemporaryList.read(lines).map(\.id) == ["https://a.test/1.jpg"])
    }

    @Test("Request headers belong to the photo's rendition, and are not stored")
    func headers() async throws {
        let secret =
            #""_http_headers": {"Referer": "https://a.test/", "X-Key": "k7", "Gone": null, "Accept-Encoding": "x"}"#
        let text = """
            [3, "https://a.test/1.jpg", {"title": "One", \(secret)}]
            {"url": "https://a.test/2.jpg", \(secret)}
            {"url": "https://a.test/3.jpg", "_http_headers": null}
            """
        let photos = try await TemporaryList.read(text)
        let headers = photos.map { $0.variants.first?.headers }
        #expect(
            headers == [["Referer: https://a.test/", "X-Key: k7"], ["Referer: https://a.test/", "X-Key: k7"], []])
        #expect(photos[0].caption == "One")
        #expect(try !String(decoding: JSONEncoder().encode(photos), as: UTF8.self).contains("k7"))
    }

    @Test("A list of someone else sets no request headers")
    func foreignHeaders() throws {
        let text = Array(#"{"url": "https://a.test/1", "_http_headers": {"X-Key": "k7", "Host": "b.test"}}"#.utf8)
        let photo = JSONRecordParser.photos(of: text, line: 1, options: ListOptions()).first
        #expect(photo?.invalidReason == nil && photo?.variants.first?.headers == [])
    }

    @Test(
        "A header that belongs to the connection, or would break the request, is refused",
        arguments: [
            (#"{"Host": "b.test"}"#, "a list cannot set the header 'Host'"),
            (#"{"content-LENGTH": "5"}"#, "a list cannot set the header 'content-LENGTH'"),
            (#"{"Transfer-Encoding": "chunked"}"#, "a list cannot set the header 'Transfer-Encoding'"),
            (#"{"Connection": "close"}"#, "a list cannot set the header 'Connection'"),
            (#"{"Range": null}"#, "a list cannot set the header 'Range'"),
            (#"{"Proxy-Authorization": "x"}"#, "a list cannot set the header 'Proxy-Authorization'"),
            (#"{"A\r\nB": "x"}"#, "invalid name of a header: 'A\r\nB'"),
            (#"{"A:": "x"}"#, "invalid name of a header: 'A:'"), (#"{"": "x"}"#, "invalid name of a header: ''"),
            (#"{"A": "x\r\nHost: b"}"#, "the header 'A' contains a control character"),
            (#"{"A": ["x"]}"#, "the header 'A' is not a text"), ("[]", "_http_headers is not an object"),
            (#"{"A": "\#(String(repeating: "x", count: 9000))"}"#, "more than 32 headers or 8 KiB of them"),
        ])
    func refusedHeaders(value: String, reason: String) async throws {
        let text = "{\"url\": \"https://a.test/1\", \"_http_headers\": \(value)}\n\"https://a.test/2\""
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.invalidReason?.detail) == ["line 1: \(reason)", nil])
    }

    @Test("An invalid value is reported with its position and does not affect the others")
    func invalidValues() async throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let values = [
            "{\"url\":1}", "{\"url\":null}", "17", "true", "{\"url\":[]}", "{\"x\":\(deep)}", "{\"url\" \"x\"}", "[]",
        ]
        let lines = try await TemporaryList.read("{\"url\":\"https://a.test/0\"}\n" + values.joined(separator: "\n"))
        #expect(
            lines.count == values.count + 1 && lines.dropFirst().allSatisfy { $0.invalidReason?.cause == .feedParse })
        #expect(lines.map(\.id).suffix(2) == ["line 8", "line 9"])
        #expect(lines[7].invalidReason?.detail == "line 8, column 8: expected ':'")
        let array = try await TemporaryList.read("[\n\"https://a.test/0\", \(values.joined(separator: ", "))]")
        #expect(array.count == values.count + 1 && Set(array.map(\.id)).count == array.count)
        #expect(array.dropFirst().allSatisfy { $0.invalidReason?.detail.hasPrefix("line 2") == true })
    }

    @Test("A caption of 10 MB invalidates only its record", arguments: [("", "\n", ""), ("[", ",\n", "]")])
    func long(open: String, separator: String, close: String) async throws {
        let caption = String(repeating: "é", count: 5 << 20)
        let long = "{\"url\":\"https://a.test/1\",\"caption\":\"\(caption)\"}"
        let text =
            open + [#"{"url":"https://a.test/0"}"#, long, #"{"url":"https://a.test/2"}"#].joined(separator: separator)
            + close
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == ["https://a.test/0", nil, "https://a.test/2"])
        #expect(photos[1].invalidReason?.detail.contains("longer than") == true)
    }

    @Test(
        "An unclosed array gives the photos before its end, then fails", arguments: ["", ",", ", {\"url\":", ", \"x"])
    func unfinished(end: String) async throws {
        let list = try TemporaryList("[\"https://a.test/1\"" + end)
        var walker = PageWalker(ListFeed(list.path, options: ListOptions()))
        let page = try await walker.nextPage(token: CancellationToken())
        #expect(page?.photos.map(\.address) == ["https://a.test/1"])
        let failure = await #expect(throws: Failure.self) { try await walker.nextPage(token: CancellationToken()) }
        #expect(failure?.cause == .feedParse && failure?.detail.contains("not closed") == true)
    }
}

/// Lists that are one JSON object, such as saved replies of services.
@Suite("JSON documents as lists", .timeLimit(.minutes(10))) struct JSONDocumentTests {
    /// Each script, style and tracker was an invalid record, and the run ended with exit code 3.
    @Test("The traffic that a browser saved (HAR) gives its pictures, and their pages")
    func browserTraffic() async throws {
        func entry(_ address: String, _ type: String, _ status: Int = 200) -> String {
            """
            {"time":1,"request":{"url":"\(address)","headers":[{"name":"Referer","value":"https://a.test/"}]},
            "response":{"status":\(status),"content":{"mimeType":"\(type)","size":9}}}
            """
        }
        let entries = [
            entry("https://a.test/", "text/html"), entry("https://i.test/1", "image/jpeg"),
            entry("https://i.test/1", "image/jpeg"), entry("https://i.test/2.jpg", "image/jpeg", 404),
            entry("https://i.test/3.png", ""), entry("https://i.test/4.svg", "image/svg+xml"),
            entry("data:image/png;base64,AA", "image/png"), entry("https://i.test/5.webp?x", "image/webp", 304),
            entry("https://a.test/app.js", ""),
        ]
        let photos = try await TemporaryList.read(
            "{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ",\n"))]}}")
        #expect(photos.map(\.address) == ["https://i.test/1", "https://i.test/3.png", "https://i.test/5.webp?x"])
        #expect(photos.allSatisfy { $0.pageURL == "https://a.test/" && $0.columns == nil })
    }

    @Test(
        "Records are found at the place with most pictures, closest to the top",
        arguments: [
            // A record by itself, also with members on several lines.
            ("{\n \"url\": \"https://a.test/1.jpg\",\n \"title\": \"x\"\n}", ["https://a.test/1.jpg"]),
            // Nested objects; a link to the next page is no photo.
            (
                "{\"links\":[{\"href\":\"https://a.test/next\"}],\"data\":{\"photos\":["
                    + "{\"id\":1,\"img\":{\"url\":\"https://a.test/1.jpg\"}},{\"id\":2,\"img\":{\"url\":\"https://a.test/2.jpg\"}}]}}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            ("{\"data\":{\"photos\":[{\"image\":\"https://a.test/1.jpg\"}]}}", ["https://a.test/1.jpg"]),
            // Names that are data, of pictures, records and arrays.
            (
                "{\"a.jpg\":\"https://a.test/1.jpg\",\"b.jpg\":\"https://a.test/2.jpg\"}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            (
                "{\"a\":{\"url\":\"https://a.test/1.jpg\"},\"b\":{\"url\":\"https://a.test/2.jpg\"}}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            (
                "{\"train\":[\"https://a.test/1.jpg\",\"https://a.test/2.jpg\"],\"test\":[\"https://a.test/3.jpg\"]}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg", "https://a.test/3.jpg"]
            ),
            // Addresses below one in the document, which was the only photo.
            (
                "{\"base\":\"https://a.test/p\",\"images\":[\"/1.jpg\",\"2.png\"],\"title\":\"no picture.jpg\"}",
                ["https://a.test/p/1.jpg", "https://a.test/p/2.png"]
            ),
            (
                "{\"baseUrl\":\"https://a.test/\",\"photos\":[{\"src\":\"/1.jpg\"},{\"src\":\"https://b.test/2.jpg\"}]}",
                ["https://a.test/1.jpg", "https://b.test/2.jpg"]
            ),
            // Arrays of other facts.
            (
                "{\"image_urls\":[\"https://a.test/1.jpg\",\"https://a.test/2.jpg\"],\"captions\":[\"a\",\"b\"]}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            // Names of renditions.
            ("{\"regular\":\"https://a.test/1.jpg\",\"full\":\"https://a.test/2.jpg\"}", ["https://a.test/2.jpg"]),
            // Arrays within several records count together.
            (
                "{\"posts\":[{\"images\":[\"https://a.test/1.jpg\",\"https://a.test/2.jpg\"]},{\"images\":[\"https://a.test/3.jpg\"]}]}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg", "https://a.test/3.jpg"]
            ),
            // The picture of the object itself, but not that of its owner.
            (
                "{\"primaryImage\":\"https://a.test/1.jpg\",\"user\":{\"image\":\"https://a.test/me.jpg\"},"
                    + "\"more\":[\"https://a.test/2.jpg\"],\"see\":[\"https://a.test/page\"]}",
                ["https://a.test/1.jpg", "https://a.test/2.jpg"]
            ),
            // The widest rendition, where the names do not tell.
            (
                "{\"photos\":{\"photo\":[{\"url_s\":\"https://a.test/s.jpg\",\"width_s\":\"75\","
                    + "\"url_o\":\"https://a.test/o.jpg\",\"width_o\":\"2048\",\"license_url\":\"https://a.test/l.png\"}]}}",
                ["https://a.test/o.jpg"]
            ),
            // The records, not their renditions, and the large rendition, not the page of the API.
            (
                "{\"results\":[{\"url\":\"https://api.a.test/1\",\"images\":{\"thumb\":\"https://a.test/1-s.jpg\","
                    + "\"full\":\"https://a.test/1.jpg\"},\"sizes\":[{\"url\":\"https://a.test/1-a.jpg\"},{\"url\":\"https://a.test/1-b.jpg\"}]}]}",
                ["https://a.test/1.jpg"]
            ),
        ])
    func records(text: String, expected: [String]) async throws {
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == expected)
    }

    @Test("A record's facts are kept, and a record without an address fails alone")
    func facts() async throws {
        let text = """
            {"total": 2, "hits": [
              {"id": "a", "title": "One", "links": {"image": "https://a.test/1.jpg"}}, {"id": "b", "title": "Two"}
            ]}
            """
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.id) == ["a", "element 2"])
        #expect(photos[0].caption == "One" && photos[1].invalidReason?.detail == "element 2: missing address")
    }

    @Test("The column of addresses may be a path, in documents and in JSON Lines")
    func path() async throws {
        let record = "{\"a\":{\"b\":\"https://a.test/1\",\"c\":\"https://a.test/2.jpg\"}}"
        for text in ["{\"x\":[\(record)]}", "\(record)\n\(record)"] {
            let photos = try await TemporaryList.read(text.utf8, urlColumn: "a.b").photos
            #expect(Set(photos.map(\.address)) == ["https://a.test/1"])
        }
        #expect(try await TemporaryList.read("\(record)\n\(record)").map(\.address).first == "https://a.test/2.jpg")
    }

    @Test(
        "An array of addresses in a record is as many photos, in lines and in an array",
        arguments: [("", "\n", ""), ("[", ",", "]")],
        ["\"https://a.test/%.jpg\"", "{\"url\":\"https://a.test/%.jpg\"}"])
    func arrays(frame: (start: String, gap: String, end: String), picture: String) async throws {
        let pictures = ["1", "2", "3"].map { picture.replacing("%", with: $0) }
        let records = [
            "{\"id\":7,\"title\":\"A\",\"images\":[\(pictures[0]),\(pictures[1])]}",
            "{\"id\":8,\"images\":[\(pictures[2])]}",
        ]
        let text = frame.start + records.joined(separator: frame.gap) + frame.end
        for column in [nil, "images"] {
            let photos = try await TemporaryList.read(text.utf8, urlColumn: column).photos
            #expect(photos.map(\.address) == [1, 2, 3].map { "https://a.test/\($0).jpg" })
            #expect(photos.map(\.id) == ["7", "7#2", "8"] && photos.map(\.caption) == ["A", "A", nil])
        }
    }

    @Test(
        "Several pictures of a record are photos beside its own picture, each once, but renditions are not",
        arguments: [
            ("{'image':'1.jpg','images':['1.jpg?w=9','2.jpg']}", ["1.jpg", "2.jpg"]),
            ("{'image':{'src':'1.jpg'},'images':[{'src':'1.jpg'},{'src':'2.jpg'}]}", ["1.jpg", "2.jpg"]),
            ("{'image':'1.jpg','images':[{'id':1,'width':9,'src':'2.jpg'}]}", ["1.jpg", "2.jpg"]),
            ("{'image':'1.jpg','images':[{'width':9,'height':6,'url':'2.jpg'}]}", ["1.jpg"]),
            ("{'link':'page','photos':['1.jpg','2.jpg']}", ["1.jpg", "2.jpg"]),
            ("{'url':'page','image':'1.jpg','images':['2.jpg']}", ["1.jpg", "2.jpg"]),
            ("{'url':'1.jpg','sizes':['2.jpg']}", ["1.jpg"]),
        ])
    func several(template: String, expected: [String]) async throws {
        let record = template.replacing("'", with: "\"").replacing("1.jpg", with: "https://a.test/1.jpg")
            .replacing("2.jpg", with: "https://a.test/2.jpg").replacing("page", with: "https://a.test/page")
        for text in ["\(record)\n\(record.replacing("a.test", with: "b.test"))", "{\"p\":[\(record)]}"] {
            let photos = try await TemporaryList.read(text).filter { $0.address?.contains("b.test") != true }
            #expect(photos.map(\.address) == expected.map { "https://a.test/\($0)" }, "\(text)")
        }
    }

    @Test("An address that is named as a picture's stays, whatever it ends like")
    func namedPicture() async throws {
        let line = #"{"image_url":"https://a.test/1","images":["https://a.test/2.jpg"]}"#
        let photos = try await TemporaryList.read("\(line)\n{\"url\":\"https://a.test/3\"}\n")
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2.jpg", "https://a.test/3"])
    }

    @Test(
        "The records in a folder count together, but an array in a photo does not count",
        arguments: [
            ("{'children':[{'url':'1.jpg'},{'children':[{'url':'2.jpg'},{'children':[{'url':'3.jpg'}]}]}]}", 3),
            ("{'children':[{'children':[{'url':'1.jpg'}]},{'children':[{'url':'2.jpg'}]}]}", 2),
            ("{'children':[{'url':'1.jpg','children':[{'url':'2.jpg'}]}]}", 1),
        ])
    func folders(template: String, count: Int) async throws {
        var text = template.replacing("'", with: "\"")
        for number in 1...3 { text = text.replacing("\(number).jpg", with: "https://a.test/\(number).jpg") }
        let photos = try await TemporaryList.read(text)
        #expect(photos.map(\.address) == (1...count).map { "https://a.test/\($0).jpg" }, "\(text)")
    }

    @Test("JSON Lines stay lines, whatever their length and the first one's faults")
    func lines() async throws {
        let long = "{\"url\":\"https://a.test/1\",\"x\":[\"\(String(repeating: "y", count: 300_000))\"]}"
        let photos = try await TemporaryList.read("\(long)\n{\"url\":\"https://a.test/2\"}\n")
        #expect(photos.map(\.address) == ["https://a.test/1", "https://a.test/2"])
        let broken = try await TemporaryList.read("{\"url\":}\n{\"url\":\"https://a.test/2\"}\n")
        #expect(broken.map(\.address) == [nil, "https://a.test/2"])
    }

    @Test(
        "Documents without photos and invalid JSON are refused with the reason",
        arguments: [
            ("{\n\"a\": [1, 2],\n\"b\": {}\n}", "no records with addresses; its members are a, b"),
            ("{\n\"a\": [{\"link\":\"https://a.test/1\",\"thumb\":\"https://a.test/t.jpg\"}]\n}", "members are a"),
            ("{\n\"a\": [\n}", "line 3, column 1"),
        ])
    func refused(text: String, reason: String) async throws {
        let failure = try #require(await #expect(throws: Failure.self) { try await TemporaryList.read(text) })
        #expect(failure.detail.contains(reason), "\(failure)")
    }
}
