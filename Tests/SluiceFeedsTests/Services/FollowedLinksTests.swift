// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import Testing

@testable import SluiceFeeds

/// Recipes whose records link to further objects of the service.
@Suite("Links of records", .timeLimit(.minutes(10))) struct FollowedLinksTests {
    /// A museum in the form of the Rijksmuseum's recorded replies; object 3 has no picture, object 4 fails.
    private static func museum(_ request: OriginRequest) -> OriginReply {
        let home = "https://id.rijksmuseum.nl"
        let english = #"[{"id":"http://vocab.getty.edu/aat/300388277","type":"Language"}]"#
        let dutch = #"[{"id":"http://vocab.getty.edu/aat/300388256","type":"Language"}]"#
        func names(_ number: Int) -> String {
            """
            {"type":"Identifier","content":"SK-\(number)"},{"type":"Name","content":"De wacht","language":\(dutch)},
            {"type":"Name","content":"Inverted","language":\(english),"classified_as":[{"id":"http://x.test"}]},
            {"type":"Name","content":"The watch \(number)","language":\(english),"classified_as":[
            {"id":"http://vocab.getty.edu/aat/300404670"}]}
            """
        }
        let replies = [
            "/search/collection": """
            {"type":"OrderedCollectionPage","partOf":{"totalItems":4},"next":{"id":"http://data.rijksmuseum.nl/next"},
            "orderedItems":[{"id":"\(home)/1","type":"HumanMadeObject"},{"id":"\(home)/3","type":"HumanMadeObject"}]}
            """,
            "/next": #"{"orderedItems":[{"id":"\#(home)/4"},{"id":"\#(home)/1"}]}"#,
            "/1": """
            {"id":"\(home)/1","identified_by":[\(names(1))],"shows":[{"id":"\(home)/21"},{"id":"\(home)/22"}],
            "produced_by":{"referred_to_by":[{"content":"naar Ida","language":\(dutch)},
            {"content":"after Ida","language":\(english)}]},"subject_of":[{"language":\(dutch),"digitally_carried_by":[
            {"format":"text/html","access_point":[{"id":"https://www.rijksmuseum.nl/nl/1"}]}]}]}
            """,
            "/21": """
            {"subject_to":[{"classified_as":[{"id":"https://creativecommons.org/publicdomain/mark/1.0/"}]}],
            "digitally_shown_by":[{"id":"\(home)/51"}]}
            """,
            "/22": #"{"digitally_shown_by":[{"id":"\#(home)/52"},{"id":"\#(home)/404"}]}"#,
            "/51": #"{"access_point":[{"id":"https://iiif.test/A/full/max/0/default.jpg"}]}"#,
            "/52": #"{"access_point":[{"id":"https://iiif.test/B/full/max/0/default.jpg"}]}"#,
            "/3": #"{"id":"\#(home)/3","identified_by":[\#(names(3))]}"#,
        ]
        let path = String(request.target.prefix { $0 != "?" })
        guard let reply = replies[path] else { return .text("no", status: path == "/4" ? 500 : 404) }
        return .json(reply)
    }

    private func museum(_ stub: ServiceStub) throws -> RecipeFeed {
        try stub.feed(try #require(BuiltInRecipes.named("rijksmuseum")), "title/watch")
    }

    @Test("Rijksmuseum: the pictures are three objects away from the one that a search finds")
    func rijksmuseum() async throws {
        let stub = ServiceStub(Self.museum)
        let page = try await museum(stub).page(1, at: nil, token: CancellationToken())
        let home = "https://id.rijksmuseum.nl"
        #expect(page.photos.map(\.id) == ["\(home)/1", "\(home)/1#2"] && page.total == 4)
        let addresses = page.photos.map { $0.variants.map(\.url) }
        let base = "https://iiif.test/A/full"
        #expect(
            addresses[0] == ["\(base)/max/0/default.jpg", "\(base)/1024,/0/default.jpg", "\(base)/400,/0/default.jpg"])
        #expect(addresses[1][0] == "https://iiif.test/B/full/max/0/default.jpg")
        #expect(page.photos.allSatisfy { $0.caption == "The watch 1" && $0.author == "after Ida" })
        #expect(page.photos[0].license == "Public Domain Mark 1.0" && page.photos[0].attribution == "Rijksmuseum")
        #expect(page.photos[0].pageURL == "https://www.rijksmuseum.nl/nl/1")
        #expect(page.notes == ["page 1: 1 of 2 records have no photo"])
        #expect(stub.requests[0].target == "/search/collection?title=watch&imageAvailable=true")
        #expect(stub.requests.allSatisfy { $0.header("accept") == "application/ld+json, application/json" })
    }

    @Test("A link that fails fails its record only")
    func failures() async throws {
        let stub = ServiceStub(Self.museum)
        let first = try await museum(stub).page(1, at: nil, token: CancellationToken())
        let page = try await museum(stub).page(2, at: first.next, token: CancellationToken())
        #expect(page.photos.map { $0.id.split(separator: "/").last } == ["4", "1", "1#2"])
        #expect(page.photos.map(\.invalidReason?.cause) == [.httpServerError, nil, nil])
    }

    @Test("A link that leaves the service is not requested, because the request may carry a key")
    func foreign() async throws {
        let stub = ServiceStub { request in
            .json(request.target == "/" ? #"{"id":"a","file":"http://other.test/9"}"# : #"{"url":"http://i.test/1"}"#)
        }
        let recipe = try SluiceFeedsTests.recipe(
            #"""
            {"recipe":"x","base":"http://a.test","listings":{"all":{"path":"/","records":"."}},"follow":{"it":"file"},
            "photo":{"id":"id"},"variants":{"full":"it[].url"}}
            """#)
        let photo = try #require(try await stub.feed(recipe).page(1, at: nil, token: CancellationToken()).photos.first)
        #expect(photo.id == "a" && photo.invalidReason?.detail == "the link to http://other.test/9 leaves the service")
        #expect(stub.requests.count == 1)
    }

    @Test("Internet Archive: a search gives the pictures of all items, without thumbnails and texts")
    func archive() async throws {
        let stub = ServiceStub { request in
            guard request.target.hasPrefix("/services") else {
                return .json(
                    """
                    {"metadata":{"identifier":"trip"},"files":[{"name":"a b.jpg","format":"JPEG","width":"40","height":"30",
                    "sha1":"0123456789012345678901234567890123456789"},{"name":"a_thumb.jpg","format":"JPEG Thumb"},
                    {"name":"c.png","format":"PNG","title":"A map"},{"name":"d.txt","format":"Text"}]}
                    """)
            }
            return .json(#"{"items":[{"identifier":"trip","title":"A trip","creator":"Ida"}],"total":1}"#)
        }
        let recipe = try #require(BuiltInRecipes.named("archive"))
        let page = try await stub.feed(recipe, "files/lakes AND year:1998").page(1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["trip/a b.jpg", "trip/c.png"])
        #expect(page.photos.map(\.caption) == ["A trip", "A map"] && page.photos.map(\.width) == [40, nil])
        #expect(page.photos[0].variants.map(\.name) == ["original"], "the cover is that of the item")
        #expect(page.photos[0].variants[0].url == "https://archive.org/download/trip/a%20b.jpg")
        #expect(page.photos[0].attribution == "Ida, Internet Archive")
        #expect(stub.requests.map(\.target).last == "/metadata/trip")
    }

    @Test("A saved reply names the first link that a run would request")
    func preview() throws {
        let reply = try TemporaryList(#"{"orderedItems":[{"id":"https://id.rijksmuseum.nl/7"}]}"#, named: "reply.json")
        let preview = try Source.preview(ofReplyAt: reply.path, with: "rijksmuseum:object/x")
        #expect(preview.records == 1 && preview.photos.isEmpty)
        #expect(
            preview.notes.last
                == "a run requests the links of each record, here object at https://data.rijksmuseum.nl/7")
    }

    @Test("The links of records are an object of facts", arguments: [#""id""#, #"["id"]"#, #"{"a":"b["}"#])
    func invalid(text: String) {
        #expect(throws: InvalidRecipe.self) {
            try SluiceFeedsTests.recipe(
                #"""
                {"recipe":"x","base":"https://a.test","listings":{"all":{"path":"/"}},"follow":\#(text),
                "photo":{"id":"id"},"variants":{"full":"u"}}
                """#)
        }
    }
}
