// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceFeeds

@Suite("IIIF manifests", .timeLimit(.minutes(10))) struct IIIFManifestTests {
    private func photos(_ text: String) throws -> [Photo] {
        try IIIFManifest(IIIFDocument(json: JSON(parsing: Array(text.utf8)))).photos(token: CancellationToken())
    }

    @Test("Reads version 3: language maps, rights, the required statement, and listed sizes")
    func version3() throws {
        let photos = try photos(
            """
            {"@context":"http://iiif.io/api/presentation/3/context.json","id":"https://m.test/1","type":"Manifest",
             "label":{"de":["Buch"],"en":["A book"]},"rights":"https://l.test/by","homepage":[{"id":"https://m.test/page"}],
             "requiredStatement":{"label":{"en":["Attribution"]},"value":{"none":["<b>Museum</b> of Sluice"]}},
             "metadata":[{"label":{"en":["Creator"]},"value":{"none":["Ida"]}}],"navDate":"2026-01-31T00:00:00Z",
             "items":[{"id":"https://m.test/c1","type":"Canvas","label":{"none":["f. 1r"]},"width":3,"height":4,
              "items":[{"type":"AnnotationPage","items":[
               {"motivation":"commenting","body":{"type":"TextualBody","value":"x"}},
               {"motivation":"painting","body":{"id":"https://i.test/1.jpg","type":"Image","width":4000,"height":3000,
                "service":[{"id":"https://i.test/s/1","type":"ImageService3","profile":"level2","maxWidth":3000,
                 "sizes":[{"width":1000,"height":750},{"width":1000,"height":750},{"width":0}]}]}}]}]}]}
            """)
        var photo = Photo(id: "https://m.test/c1")
        photo.variants = [
            Variant(name: "original", url: "https://i.test/s/1/full/max/0/default.jpg", width: 4000, height: 3000),
            Variant(name: "resource", url: "https://i.test/1.jpg"),
            Variant(name: "w1000", url: "https://i.test/s/1/full/1000,750/0/default.jpg", width: 1000, height: 750),
            Variant(name: "w2048", url: "https://i.test/s/1/full/2048,/0/default.jpg", width: 2048),
            Variant(name: "w1024", url: "https://i.test/s/1/full/1024,/0/default.jpg", width: 1024),
        ]
        (photo.caption, photo.collection, photo.author) = ("A book: f. 1r", "A book", "Ida")
        (photo.pageURL, photo.licenseURL) = ("https://m.test/page", "https://l.test/by")
        (photo.attribution, photo.date) = ("Attribution: Museum of Sluice", 1_769_817_600)
        (photo.width, photo.height) = (4000, 3000)
        #expect(photos == [photo])
    }

    @Test("Texts and addresses of the manifest, which every photo repeats, have a maximum length")
    func amplification() throws {
        let long = String(repeating: "x", count: 100_000)
        let canvas = #"{"images":[{"resource":{"@id":"https://i.test/1.jpg","format":"image/jpeg"}}]}"#
        let photos = try photos(
            """
            {"@id":"https://m.test/\(long)","label":"\(long)","attribution":"\(long)","license":"https://l.test/\(long)",
             "sequences":[{"canvases":[\(canvas),\(canvas)]}]}
            """)
        #expect(photos.count == 2 && photos.allSatisfy { $0.id.utf8.count < 2000 && $0.licenseURL == nil })
        #expect(
            photos.allSatisfy { $0.attribution?.utf8.count == Photo.maxTextLength + 3 && $0.caption == $0.attribution })
    }

    @Test("Reads version 2: sequences, choices, regions of pictures, and sizes that the service scales to")
    func version2() throws {
        let photos = try photos(
            """
            {"@id":"https://m.test/1","@type":"sc:Manifest","label":[{"@value":"Book","@language":"en"}],
             "attribution":"Museum","license":["https://l.test/cc0"],"related":{"@id":"https://m.test/page"},
             "sequences":[{"canvases":[
              {"@id":"c1","label":"1","images":[{"resource":{"@type":"oa:Choice","default":{"@id":"https://i.test/1.jpg",
               "@type":"dctypes:Image","width":1500,"service":{"@id":"https://i.test/s/1/","profile":["http://iiif.io/api/image/2/level1.json",{}]}},
               "item":[{"@id":"https://i.test/other.jpg"}]}}]},
              {"@id":"c2","images":[{"resource":{"@type":"oa:SpecificResource","full":{"@id":"https://i.test/2.jpg","@type":"dctypes:Image",
               "service":{"@id":"https://i.test/s/2","profile":"http://iiif.io/api/image/2/level0.json","sizes":[{"width":300,"height":200}]}}}}]}
             ]},{"@id":"https://m.test/another"}]}
            """)
        #expect(photos.map(\.id) == ["c1", "c2"])
        #expect(
            photos[0].variants.map(\.url) == [
                "https://i.test/s/1/full/full/0/default.jpg", "https://i.test/1.jpg",
                "https://i.test/s/1/full/1024,/0/default.jpg",
                "https://i.test/s/1/full/512,/0/default.jpg",
            ])
        // A level 0 service only has the sizes that it lists.
        #expect(
            photos[1].variants.map(\.url) == ["https://i.test/2.jpg", "https://i.test/s/2/full/300,/0/default.jpg"])
        #expect(photos[0].caption == "Book: 1" && photos[0].attribution == "Museum")
        #expect(photos[0].licenseURL == "https://l.test/cc0" && photos[0].pageURL == "https://m.test/page")
    }

    @Test(
        "A service is asked for other widths only if its profile promises them, and within its limits",
        arguments: [
            (#""profile":"level2""#, [2048, 1024, 512]), (#""profile":"level1""#, [2048, 1024, 512]), ("", []),
            (#""profile":"level0""#, []), (#""profile":{"level":1}"#, []),
            (#""profile":"http://iiif.io/api/image/2/level1.json""#, [2048, 1024, 512]),
            (#""profile":["http://iiif.io/api/image/2/level2.json",{"maxWidth":1400}]"#, [1024, 512]),
            // Without a limit of its own, the height has that of the width.
            (#""profile":"level1","maxWidth":1200"#, [512]), (#""profile":"level1","maxWidth":-7"#, []),
            (#""profile":"level1","maxWidth":1200,"maxHeight":9000"#, [1024, 512]),
            (#""profile":"level1","maxArea":1500000"#, [1024, 512]),
            (#""profile":"level1","sizes":[{"width":600,"height":800}]"#, [600, 2048, 1024]),
            (#""profile":"level0","sizes":[{"width":600,"height":800}]"#, [600]),
        ])
    func widths(members: String, widths: [Int]) throws {
        let service = members.isEmpty ? "" : ",\(members)"
        let photo = try #require(
            photos(
                """
                {"items":[{"items":[{"items":[{"body":{"type":"Image","id":"https://i.test/1.jpg","width":3000,"height":4000,
                 "service":[{"id":"https://i.test/s","type":"ImageService3"\(service)}]}}]}]}]}
                """
            ).first)
        let scaled = photo.variants.filter { $0.name.hasPrefix("w") }
        #expect(scaled.map(\.width) == widths)
    }

    @Test(
        "A canvas without a picture becomes an invalid photo, and the other canvases are read",
        arguments: [
            #"{}"#, #"{"items":null}"#, #"{"items":[{"id":"https://m.test/annotations"}]}"#,
            #"{"items":[{"items":[{"body":null}]}]}"#,
            #"{"items":[{"items":[{"body":{"type":"Image","id":"../../etc/passwd"}}]}]}"#,
            #"{"items":[{"items":[{"body":{"type":"Image","id":7}}]}]}"#,
            #"{"images":[{"resource":"https://i.test/1.jpg"}]}"#,
            #"{"items":[{"items":[{"body":{"type":"Choice","items":[{"type":"Choice","items":[{"type":"Choice","items":[{"type":"Choice","items":[{"type":"Choice","items":[{"type":"Choice"}]}]}]}]}]}}]}]}"#,
        ])
    func invalidCanvases(canvas: String) throws {
        let good = #"{"id":"ok","items":[{"items":[{"body":{"type":"Image","id":"https://i.test/1.jpg"}}]}]}"#
        let photos = try photos(#"{"id":"https://m.test/1","type":"Manifest","items":[\#(canvas),\#(good)]}"#)
        #expect(photos.map(\.id) == ["https://m.test/1 canvas 1", "ok"])
        #expect(photos.map { $0.invalidReason?.cause } == [.feedParse, nil])
    }

    /// They counted as failed photos, so that a run of a manifest with a recording ended with exit code 3.
    @Test(
        "A canvas with only sound, video or text has no photo and is counted",
        arguments: [
            #"{"type":"Sound","id":"https://i.test/1.mp3"}"#, #"{"type":"Video","id":"https://i.test/1.mp4"}"#,
            #"{"type":"TextualBody","value":"x"}"#, #"{"id":"https://i.test/1","format":"audio/mp4"}"#,
            #"{"type":"Choice","items":[{"type":"Video","id":"https://i.test/1.mp4"},{"type":"Sound","id":"https://i.test/1.mp3"}]}"#,
            #"{"type":"Audio","id":"https://i.test/1.mpd","service":{"id":"https://i.test/probe","type":"AuthProbeService1"}}"#,
            #"{"type":"Sound","id":"https://i.test/1.mpd","service":{"@id":"https://i.test/a","profile":"http://iiif.io/api/auth/1/login"}}"#,
        ])
    func otherMedia(body: String) throws {
        let other = #"{"items":[{"items":[{"motivation":"painting","body":\#(body)}]}]}"#
        let both =
            #"{"id":"both","items":[{"items":[{"body":\#(body)},{"body":{"type":"Image","id":"https://i.test/1.jpg"}}]}]}"#
        let text = #"{"id":"https://m.test/1","type":"Manifest","items":[\#(other),\#(both),\#(other)]}"#
        let manifest = try IIIFManifest(IIIFDocument(json: JSON(parsing: Array(text.utf8))))
        #expect(try manifest.photos(token: CancellationToken()).map(\.id) == ["both"])
        #expect(manifest.otherCanvases == 2)
    }

    /// The picture's address was made from the address of the service that grants access.
    @Test("A service for access or search does not deliver the picture")
    func otherServices() throws {
        let services = """
            {"@id":"https://i.test/login","@context":"http://iiif.io/api/auth/1/context.json","profile":"http://iiif.io/api/auth/1/login"},
            {"id":"https://i.test/probe","type":"AuthProbeService2"},{"id":"https://i.test/s","type":"ImageService3","profile":"level2"}
            """
        let photos = try photos(
            #"{"id":"https://m.test/1","type":"Manifest","items":[{"id":"c","items":[{"items":[{"body":{"id":"https://i.test/1.jpg","type":"Image","service":[\#(services)]}}]}]}]}"#
        )
        #expect(photos.first?.variants.first?.url == "https://i.test/s/full/max/0/default.jpg")
    }

    private static func canvas(_ id: String, _ type: String, _ more: String = "") -> String {
        """
        {"id":"\(id)","type":"Canvas","items":[{"items":[{"motivation":"painting","body":{"type":"\(type)",
        "id":"https://i.test/\(id)"}}]}]\(more)}
        """
    }

    /// Covers of recordings were counted as canvases without pictures, and the pictures were lost.
    @Test("Pictures beside a canvas: those that accompany it, and a placeholder in place of sound or video")
    func besideCanvases() throws {
        func beside(_ member: String, _ id: String) -> String { #","\#(member)":\#(Self.canvas(id, "Image"))"# }
        let text = """
            {"type":"Manifest","id":"m","items":[
            \(Self.canvas("1", "Sound", beside("accompanyingCanvas", "score"))),
            \(Self.canvas("2", "Video", beside("placeholderCanvas", "poster"))),
            \(Self.canvas("3", "Image", beside("placeholderCanvas", "small"))),\(Self.canvas("4", "Sound")),
            \(Self.canvas("5", "PDF", beside("placeholderCanvas", "first")))]
            \(beside("accompanyingCanvas", "cover"))}
            """
        let found = try photos(text)
        #expect(found.map(\.id) == ["1", "2", "3", "5", "m"] && found.allSatisfy { $0.invalidReason == nil })
        #expect(
            found.map { $0.variants[0].url }
                == ["score", "poster", "3", "first", "cover"].map { "https://i.test/\($0)" })
        #expect(try IIIFManifest(IIIFDocument(json: JSON(parsing: Array(text.utf8)))).otherCanvases == 1)
    }

    /// The second sequence of a manuscript has the pages as they were before they were bound otherwise.
    @Test("Version 2: canvases that only a later sequence has are photos, and each canvas is one once")
    func sequences() throws {
        func canvas(_ id: String) -> String {
            #"{"@id":"\#(id)","images":[{"resource":{"@id":"https://i.test/\#(id)","@type":"dctypes:Image"}}]}"#
        }
        let photos = try photos(
            """
            {"@type":"sc:Manifest","@id":"m","sequences":[{"canvases":[\(canvas("1")),\(canvas("2"))]},
            {"canvases":[\(canvas("2")),\(canvas("3"))]},{"@id":"https://m.test/another"}]}
            """)
        #expect(photos.map(\.id) == ["1", "2", "3"])
    }
}
