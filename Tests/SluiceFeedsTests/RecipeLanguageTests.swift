// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import Testing

@testable import SluiceFeeds

/// The parts of the recipe language that turn records into photos.
@Suite("Recipe language", .timeLimit(.minutes(10))) struct RecipeLanguageTests {
    private func value(_ path: String, in text: String) throws -> String? {
        let path = try #require(FieldPath(path))
        return path.text(in: try JSON(parsing: Array(text.utf8)))
    }

    @Test(
        "Paths choose elements of lists",
        arguments: [
            ("links[>width].href", "b"), ("links[<width].href", "a"), ("links[href$=b].rel", "y"),
            ("links[href^=a].rel", "x"), ("links[rel=y].href", "b"), ("names[$=~large.jpg]", "1~large.jpg"),
            ("names[$=.png]|names[-1]", "3.gif"), ("sizes[>]", "20"), ("links[rel=z].href", nil),
            ("links[rel=y][href$=b].href", "b"), ("links[rel=y][href$=a].href", nil), ("links[].rel", "x"),
            ("names[*=~][-1]", "2~orig.tif"), ("names[*=~][0]", "1~large.jpg"), ("names[*=~][2]", nil),
            ("links[href*=b][0].rel", "y"), ("names[*=zip]", nil), ("row[][src^=http][height].src", "http://b"),
            ("row[][src$=c][height].src", nil), ("row[pictures.src=http://b].text", "http"),
            ("row[pictures.src=http://c].text", nil), ("row[color]", nil),
        ] as [(String, String?)])
    func selectors(path: String, text: String?) throws {
        let record = """
            {"links":[{"href":"a","rel":"x","width":"9"},{"href":"b","rel":"y","width":100}],
            "names":["1~large.jpg","2~orig.tif","3.gif"],"sizes":[3,20,"7"],
            "row":{"text":"http","sound":[{"src":"http://c"}],"pictures":[{"src":"http://b","height":9}],"none":null}}
            """
        #expect(try value(path, in: record) == text)
    }

    @Test("Invalid paths are refused", arguments: ["a[", "a[b", "a[x=]", "a[?]", "a..b", "a[b]c", "a[b c]"])
    func invalidPaths(path: String) {
        #expect(FieldPath(path) == nil)
    }

    private static let recipe = """
        {"recipe":"x","base":"http://a.test","listings":{"all":{"path":"/list"}},"records":"items",
        "only":{"kind":["photo","pic*"]},"each":["main","more[]"],"photo":{"id":"id","caption":"title",
        "author":{"path":"makers","is":"text"},"author_url":{"path":"makers","is":"address"},"license":"license"},
        "variants":{"full":{"template":"http://i.test/{@:path}","if":{"size":">100"}},
        "small":{"path":"thumb","replace":{"/square.":"/small."},"if":{"#":"1"}},"any":{"template":"http://i.test/{@}"}}}
        """

    /// A record with 43 media gave one photo, and reading the media as records lost the title and the author.
    @Test("A record has several photos, which share its facts")
    func each() async throws {
        let stub = ServiceStub { _ in
            .json(
                """
                {"items":[{"id":7,"kind":"picture","title":"T","makers":["http://p.test/1","Ida"],"license":"by-sa 4.0",
                "main":"a/1 x","more":["b","c"],"size":101,"thumb":"http://i.test/square.jpg"},
                {"id":8,"kind":"photo","main":"","more":[]},{"id":9,"kind":"film","main":"x"}]}
                """)
        }
        let page = try await stub.feed(SluiceFeedsTests.recipe(Self.recipe)).page(
            1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["7", "7#2", "7#3"])
        #expect(page.photos.allSatisfy { $0.caption == "T" && $0.author == "Ida" && $0.authorURL == "http://p.test/1" })
        #expect(page.photos.allSatisfy { $0.license == "CC BY-SA 4.0" })
        #expect(page.photos.allSatisfy { $0.licenseURL == "https://creativecommons.org/licenses/by-sa/4.0/" })
        #expect(page.photos[0].variants.map(\.name) == ["full", "small", "any"])
        #expect(page.photos[0].variants[0].url == "http://i.test/a/1%20x")
        #expect(page.photos[0].variants[1].url == "http://i.test/small.jpg")
        #expect(page.photos[1].variants.map(\.name) == ["full", "any"])
        #expect(page.notes == ["page 1: 1 of 3 records have no photo"])
    }

    /// Galleries in the posts of blogs were not seen, because their pictures are in HTML.
    @Test("Pictures in a text of HTML are photos of the record, each once, and a listing may have its own places")
    func htmlPlaces() async throws {
        let stub = ServiceStub { _ in
            .json(
                """
                [{"id":7,"title":"T","cover":"https://i.test/a-300x200.jpg","text":"<p><img src='https://i.test/a.jpg'>\
                <figure><a href='/up/b.jpg'><img src='/up/b-150x150.jpg' srcset='/up/b-640x480.jpg 640w'></a>\
                <figcaption>A <b>lake</b></figcaption></figure><img class='wp-smiley' src='/smile.png'>"},
                {"id":8,"text":"<p>No picture</p>"}]
                """)
        }
        let recipe = try SluiceFeedsTests.recipe(
            """
            {"recipe":"x","base":"http://a.test","listings":{"covers":{"path":"/"},"posts":{"path":"/",
            "each":["cover",{"html":"text"}]}},"each":"cover","photo":{"id":"id","caption":"@.caption|title"},
            "variants":{"full":"@.url|@","small":{"path":"@.renditions[1].url","width":"@.renditions[1].width"}}}
            """)
        let page = try await stub.feed(recipe, "posts").page(1, at: nil, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["7", "7#2"] && page.photos.map(\.caption) == ["T", "A lake"])
        #expect(page.photos[1].variants.map { $0.url.split(separator: "/").last } == ["b.jpg", "b-640x480.jpg"])
        #expect(page.photos[1].variants[1].width == 640)
        #expect(page.notes == ["page 1: 1 of 2 records have no photo", "page 1: left out 1 icon"])
        let covers = try await stub.feed(recipe, "covers").page(1, at: nil, token: CancellationToken())
        #expect(covers.photos.map(\.id) == ["7"] && covers.notes == ["page 1: 1 of 2 records have no photo"])
    }

    @Test("A place in HTML needs the path of the text", arguments: [#"{}"#, #"{"html":"a["}"#, #"{"htm":"a"}"#])
    func invalidPlaces(place: String) {
        #expect(throws: InvalidRecipe.self) {
            try SluiceFeedsTests.recipe(
                #"""
                {"recipe":"x","base":"https://a.test","listings":{"all":{"path":"/"}},"each":[\#(place)],
                "photo":{"id":"id"},"variants":{"full":"@"}}
                """#)
        }
    }

    @Test(
        "Conditions test texts, beginnings, numbers and missing values",
        arguments: [
            (#"{"a":"x"}"#, true), (#"{"a":"y"}"#, false), (#"{"a":["x","z"]}"#, true), (#"{"a":"*"}"#, true),
            (#"{"b":"*"}"#, false), (#"{"b":"!*"}"#, true), (#"{"a":"!x"}"#, false), (#"{"b":"!x"}"#, true),
            (#"{"n":">9"}"#, true), (#"{"n":">10"}"#, false), (#"{"m":"image/*"}"#, true),
            (#"{"m":"!image/*"}"#, false),
            (#"{"a":"x","n":">10"}"#, false), (#"{"n":10}"#, true),
        ])
    func conditions(text: String, isAccepted: Bool) throws {
        let problems = RecipeNode.Problems()
        let node = RecipeNode(json: try JSON(parsing: Array(text.utf8)), path: [], problems: problems)
        let record = try JSON(parsing: Array(#"{"a":"x","n":"10","m":"image/png"}"#.utf8))
        #expect(FieldConditions(node).accept(FieldContext(record)) == isAccepted)
        #expect(problems.all.isEmpty)
    }

    @Test(
        "Reads pages whose number is in the path, up to the reply without a next page",
        arguments: ["false", "null", "0"])
    func numberInPath(end: String) async throws {
        let stub = ServiceStub { request in
            let number = Int(request.path.split(separator: "/").last ?? "") ?? 0
            let next = number < 3 ? "\(number + 1)" : end == "0" ? "" : #","next":\#(end)"#
            return .json(
                #"{"items":[{"id":\#(number),"url":"http://i.test/"}]\#(number < 3 ? #","next":\#(next)"# : next)}"#)
        }
        let recipe = try SluiceFeedsTests.recipe(
            """
            {"recipe":"x","base":"http://a.test","listings":{"all":{"path":"/list/{page}","parameters":{"q":"1"}}},"records":"items",
            "paging":{"by":"page","parameter":"{page}","path":"next"},"photo":{"id":"id"},"variants":{"full":"url"}}
            """)
        let pages = try await pages(of: stub.feed(recipe))
        #expect(pages.flatMap(\.photos).map(\.id) == ["1", "2", "3"])
        #expect(stub.requests.map(\.path) == ["/list/1", "/list/2", "/list/3"])
        #expect(stub.requests.allSatisfy { $0.query("q") == "1" })
    }

    @Test(
        "Reads pages by offset, up to the total, the stated end or a short page", arguments: ["total", "end", "none"])
    func offset(end: String) async throws {
        let stub = ServiceStub { request in
            let offset = request.query("skip").flatMap { Int($0) } ?? -1
            let ids = (offset..<min(offset + 2, 5)).map { #"{"id":\#($0),"url":"http://i.test/"}"# }
            let more = end == "total" ? #","total":5"# : end == "end" ? #","last":\#(offset + 2 >= 5)"# : ""
            return .json("{\"items\":[\(ids.joined(separator: ","))]\(more)}")
        }
        let members = end == "total" ? #","total":"total""# : end == "end" ? #","path":"last""# : ""
        let text = """
            {"recipe":"x","base":"http://a.test","listings":{"all":{"path":"/list"}},"records":"items",
            "paging":{"by":"offset","parameter":"skip","size":"limit","perPage":2\(members)},
            "photo":{"id":"id"},"variants":{"full":"url"}}
            """
        let pages = try await pages(of: stub.feed(SluiceFeedsTests.recipe(text)))
        #expect(pages.flatMap(\.photos).map(\.id) == ["0", "1", "2", "3", "4"])
        #expect(stub.requests.map { $0.query("skip") } == ["0", "2", "4"])
    }

    @Test(
        "Licences have one vocabulary",
        arguments: [
            ("by 4.0", "CC BY 4.0"), ("by-nc-sa 2.0", "CC BY-NC-SA 2.0"), ("CC-BY-4.0", "CC BY 4.0"),
            ("cc-by-nc", "CC BY-NC"), ("CC BY-SA 4.0", "CC BY-SA 4.0"), ("cc0", "CC0-1.0"), ("cc0 1.0", "CC0-1.0"),
            ("pdm 1.0", "Public Domain Mark 1.0"), ("Public Domain Mark", "Public Domain Mark 1.0"),
            ("https://creativecommons.org/licenses/by-sa/3.0/de/", "CC BY-SA 3.0"),
            ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0-1.0"),
            ("http://rightsstatements.org/vocab/InC/1.0/", "In Copyright"), ("Unsplash License", nil),
            ("All rights reserved", nil), ("by the author", nil), ("", nil), ("http://", nil), ("CC BY-SA 3.0 es", nil),
        ] as [(String, String?)])
    func licenses(text: String, name: String?) {
        #expect(LicenseName.name(for: text) == name)
    }

    /// A reply with status 200 was reported without the variable and the link, and quotas with the name of status 429.
    @Test("Errors show the service's message, its status, the key's variable and where to get a key")
    func errors() async throws {
        func failure(_ name: String, _ listing: String, _ reply: OriginReply) async throws -> Failure? {
            let stub = ServiceStub { _ in reply }
            let recipe = try #require(BuiltInRecipes.named(name))
            let feed = try stub.feed(recipe, listing, key: recipe.key == nil ? nil : "the-KEY")
            return await #expect(throws: Failure.self) { try await feed.page(1, at: nil, token: CancellationToken()) }
        }
        let rejected = try await failure(
            "flickr", "album/1",
            .json(#"{"stat":"fail","code":100,"message":"Invalid API Key (Key has invalid format)"}"#))
        #expect(
            rejected?.detail
                == "flickr rejected the key in FLICKR_API_KEY: Invalid API Key (Key has invalid format) (100); "
                + "get one at https://www.flickr.com/services/apps/create/")
        #expect(rejected?.status == 200)
        let quota = try await failure(
            "unsplash", "",
            .json("\"Rate Limit Exceeded\"", status: 403, headers: [OriginHeader("X-RateLimit-Remaining", "0")]))
        #expect(quota?.detail == "unsplash asks to try later (status 403): Rate Limit Exceeded")
        let lag = try await failure(
            "commons", "search/x", .json(#"{"error":{"code":"maxlag","info":"Waiting for a database server"}}"#))
        #expect(lag?.detail == "commons asks to try later (status 200): Waiting for a database server")
    }

    @Test("The user names the site of a service that many sites have")
    func sites() throws {
        func base(_ text: String) throws -> String? { try RecipeSource(text)?.recipe.base }
        #expect(try base("mastodon:mastodon.social/tag/lakes") == "https://mastodon.social/api/v1")
        #expect(try base("wordpress:http://127.0.0.1:8000") == "http://127.0.0.1:8000/wp-json/wp/v2")
        for text in ["mastodon", "mastodon:tag/lakes", "mastodon:/tag/x", "mastodon:a.test@/tag/x y"] {
            #expect(throws: SourceError.self, "\(text)") { try Source(text) }
        }
    }
}
