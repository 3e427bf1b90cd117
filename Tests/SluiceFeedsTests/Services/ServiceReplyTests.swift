// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin
import Testing

@testable import SluiceFeeds

/// Built-in recipes against replies in the form of recorded ones that they misread.
@Suite("Replies of services", .timeLimit(.minutes(10))) struct ServiceReplyTests {
    private func photos(_ name: String, _ reply: String, listing wanted: String? = nil) async throws -> [Photo] {
        let stub = ServiceStub { _ in .json(reply) }
        let known = try #require(BuiltInRecipes.named(name))
        let recipe = try recipe(
            String(decoding: known.text, as: UTF8.self).replacing("{site}", with: "photos.test"))
        let listing = try #require(recipe.listings.first { wanted == nil || $0.name == wanted })
        let text = listing.needsArgument ? "\(listing.name)/x" : listing.name
        let feed = try stub.feed(recipe, text, key: recipe.key == nil ? nil : "no-key-at-all")
        return try await feed.page(1, at: nil, token: CancellationToken()).photos
    }

    /// A list has fewer fields than a single object, and lost its pictures.
    @Test("Harvard: an object without a list of images has its primary image")
    func harvard() async throws {
        let photos = try await photos(
            "harvard",
            """
            {"info":{"pages":1},"records":[{"objectnumber":"R1","primaryimageurl":"http://n.test/a"},
            {"id":2,"imagepermissionlevel":0,"primaryimageurl":"http://n.test/b",
            "images":[{"imageid":3,"baseimageurl":"http://n.test/b","width":9}]},
            {"id":4,"imagepermissionlevel":1,"primaryimageurl":"http://n.test/c"}]}
            """)
        #expect(photos.map(\.id) == ["R1", "2/3"])
        #expect(photos.map { $0.variants[0].url } == ["https://n.test/a", "https://n.test/b"])
    }

    /// Of 1,133 recorded media, 13 had no other address.
    @Test("GBIF: a medium without an identifier has the address that it refers to")
    func gbif() async throws {
        let media = [
            #"{"type":"StillImage","identifier":"https://i.test/1.jpg","references":"https://i.test/page"}"#,
            #"{"type":"StillImage","references":"https://i.test/server?source=2"}"#, #"{"type":"Sound"}"#,
        ]
        let photos = try await photos(
            "gbif", #"{"endOfRecords":true,"results":[{"key":5,"media":[\#(media.joined(separator: ","))]}]}"#)
        #expect(photos.map { $0.variants[0].url } == ["https://i.test/1.jpg", "https://i.test/server?source=2"])
    }

    /// The label states the size, so only the smaller rendition was found.
    @Test("Smithsonian: the high-resolution JPEG is chosen, whatever its size")
    func smithsonian() async throws {
        let photos = try await photos(
            "smithsonian",
            """
            {"response":{"rowCount":1,"rows":[{"id":"a","title":"T","content":{"descriptiveNonRepeating":{"online_media":
            {"media":[{"type":"Images","content":"https://i.test/s","resources":[
            {"label":"High-resolution TIFF","url":"https://i.test/a.tif"},
            {"label":"High-resolution JPEG (7033x1885)","url":"https://i.test/a.jpg"},
            {"label":"Screen Image","url":"https://i.test/a_screen"}]}]}},
            "indexedStructured":{"topic":["Jazz (Music)","Drums"]}}}]}}
            """)
        #expect(
            photos.map { $0.variants[0].url } == ["https://i.test/a.jpg"] && photos[0].tags == "Jazz (Music), Drums")
    }

    /// Only columns with a few usual names were read.
    @Test("Hugging Face: all pictures of a row are photos, whatever their columns, and sound is none")
    func huggingFace() async throws {
        let photos = try await photos(
            "huggingface",
            """
            {"num_rows_total":2,"rows":[{"row_idx":7,"row":{"text":"A horse","imageA":{"src":"https://i.test/a","height":2,
            "width":3},"imageB":{"src":"https://i.test/b","height":2,"width":3},
            "more":[{"src":"https://i.test/c","height":4,"width":5}],"sound":[{"src":"https://i.test/s","type":"audio/wav"}]}},
            {"row_idx":8,"row":{"text":"No picture"}}]}
            """)
        #expect(photos.map(\.id) == ["7", "7#2", "7#3"] && photos.allSatisfy { $0.caption == "A horse" })
        #expect(photos.map { $0.variants[0].url } == ["https://i.test/a", "https://i.test/b", "https://i.test/c"])
        #expect(photos.map(\.width) == [3, 3, 5])
    }

    /// In 2 of 102 recorded records the last address is a GIF of 150 pixels, and an item without a digital copy has an
    /// icon.
    @Test("Library of Congress: the last JPEG is chosen, icons are none, and facts come from the catalogue's item")
    func libraryOfCongress() async throws {
        let photos = try await photos(
            "loc",
            """
            {"pagination":{"of":3},"results":[{"id":"http://l.test/1","title":"A calendar","date":"1516",
            "dates":["1516-01-01T00:00:00Z"],"contributor":["rosenwald collection"],"subject":["almanacs","belgium"],
            "partof":["catalog"],"image_url":["//i.test/1.gif#h=150&w=10","//i.test/a/full/pct:50/0/default.jpg#h=752&w=52",
            "//i.test/a/full/pct:100/0/default.jpg#h=1505&w=105","//i.test/1.gif#h=150110&w=110"],
            "item":{"creators":[{"role":"printer","title":"Ida Ek"}],"contributors":["Ida Ek, printer"],
            "source_collection":["Lessing J. Rosenwald Collection"],"rights_information":"No known restrictions."}},
            {"id":"http://l.test/2","image_url":["https://l.test/original-format/group-of-images.svg"]},
            {"id":"http://l.test/3","image_url":["https://i.test/3.gif#h=150&w=100"]}]}
            """)
        #expect(photos.map(\.id) == ["http://l.test/1", "http://l.test/3"])
        #expect(
            photos[0].variants.map(\.url) == [
                "https://i.test/a/full/pct:100/0/default.jpg", "https://i.test/a/full/pct:50/0/default.jpg",
            ])
        #expect(photos[0].author == "Ida Ek" && photos[0].collection == "Lessing J. Rosenwald Collection")
        #expect(photos[0].date == PublishedDate.seconds(of: "1516-01-01") && photos[0].tags == "almanacs, belgium")
        #expect(photos[0].license == "No known restrictions." && photos[1].variants[0].url == "https://i.test/3.gif")
    }

    /// Such a file has no page on the site, so every one was an invalid record.
    @Test("MediaWiki: files of a shared repository, such as those of Commons in Wikipedia, are photos")
    func sharedRepository() async throws {
        let photos = try await photos(
            "mediawiki",
            """
            {"query":{"pages":[{"ns":6,"title":"File:A lake.jpg","missing":true,"known":true,"imagerepository":"shared",
            "imageinfo":[{"url":"https://i.test/a.jpg","width":9,"height":8,"descriptionurl":"https://c.test/A"}]},
            {"pageid":7,"ns":6,"title":"File:Own.jpg","imagerepository":"local",
            "imageinfo":[{"url":"https://i.test/o.jpg"}]},{"ns":6,"title":"File:Gone.jpg","missing":true}]}}
            """)
        #expect(photos.map(\.id) == ["File:A lake.jpg", "7"] && photos.allSatisfy { $0.invalidReason == nil })
        #expect(photos.map { $0.variants[0].url } == ["https://i.test/a.jpg", "https://i.test/o.jpg"])
    }

    @Test("Pixelfed: licences with their versions, and tags")
    func pixelfed() async throws {
        let photos = try await photos(
            "pixelfed",
            """
            [{"id":"9","content":"<p>A lake</p>","tags":[{"name":"lake"},{"name":"sun"}],"account":{"username":"ida"},
            "media_attachments":[{"id":"1","type":"image","url":"https://i.test/1.jpg","license":{"id":12,
            "title":"CC BY-SA","url":"https://creativecommons.org/licenses/by-sa/4.0/"}},
            {"id":"2","type":"image","url":"https://i.test/2.jpg","license":{"id":5,"title":"Public Domain",
            "url":"https://p.test/site/kb/licenses"}},{"id":"3","type":"video","url":"https://i.test/3.mp4"}]}]
            """)
        #expect(photos.map(\.id) == ["1", "2"] && photos.allSatisfy { $0.tags == "lake, sun" })
        #expect(photos.map(\.license) == ["CC BY-SA 4.0", "Public Domain"])
    }

    @Test("WordPress: posts have their featured picture and those in their text; media that are no pictures are none")
    func wordpress() async throws {
        let posts = try await photos(
            "wordpress",
            """
            [{"id":7,"link":"https://w.test/p","title":{"rendered":"T"},"content":{"rendered":"<img src='https://i.test/b.jpg'>\
            <img src='https://i.test/a-1024x768.jpg'>"},"_embedded":{"author":[{"name":"Ida"}],"wp:featuredmedia":[{"id":9,
            "source_url":"https://i.test/a.jpg","media_details":{"width":4000,"height":3000},"caption":{"rendered":"<p>C</p>"}}]}},
            {"id":8,"title":{"rendered":"U"},"content":{"rendered":""},"_embedded":{"wp:featuredmedia":[{"code":"no"}]}}]
            """, listing: "posts")
        #expect(posts.map(\.id) == ["9", "7"] && posts.map(\.caption) == ["C", "T"] && posts[0].width == 4000)
        #expect(posts.map { $0.variants[0].url } == ["https://i.test/a.jpg", "https://i.test/b.jpg"])
        #expect(posts.allSatisfy { $0.author == "Ida" && $0.pageURL == "https://w.test/p" })
        let media = try await photos(
            "wordpress",
            """
            [{"id":1,"media_type":"file","source_url":"https://i.test/a.mp3"},
            {"id":2,"media_type":"image","source_url":"https://i.test/b.jpg","alt_text":"B"}]
            """)
        #expect(media.map(\.id) == ["2"] && media[0].caption == "B")
    }

    @Test("Single objects of museums: all their pictures, also those that a search does not list")
    func objects() async throws {
        let vam = try await photos(
            "vam",
            """
            {"meta":{"images":{"_images_meta":[{"assetRef":"A1","copyright":"© V"},{"assetRef":"A2"}]}},
            "record":{"systemNumber":"O1","titles":[],"objectType":"Slippers","artistMakerPerson":[{"name":{"text":"Muir"}}]}}
            """, listing: "object")
        #expect(vam.map(\.id) == ["O1", "O1#2"] && vam.allSatisfy { $0.author == "Muir" && $0.caption == "Slippers" })
        #expect(vam[1].variants[0].url == "https://framemark.vam.ac.uk/collections/A2/full/full/0/default.jpg")
        let artic = try await photos(
            "artic",
            """
            {"data":{"id":3,"title":"T","image_id":"x","alt_image_ids":["y"],"thumbnail":{"width":9,"height":8}},
            "config":{"iiif_url":"https://i.test/2"}}
            """, listing: "artwork")
        #expect(artic.map(\.id) == ["3", "3#2"] && artic.map(\.width) == [9, nil])
        #expect(artic[1].variants[0].url == "https://i.test/2/y/full/843,/0/default.jpg")
        let europeana = try await photos(
            "europeana",
            """
            {"success":true,"object":{"about":"/1/a","proxies":[{"dcTitle":{"de":["Flügel"]},"dcCreator":{"def":
            ["http://a.test/1","Stein"]}}],"aggregations":[{"edmIsShownBy":"http://i.test/1.jpg","edmRights":{"def":
            ["http://creativecommons.org/licenses/by-nc-sa/3.0/"]},"edmDataProvider":{"def":["M"]},"webResources":[
            {"about":"http://i.test/page"},{"about":"http://i.test/1.jpg","ebucoreHasMimeType":"image/jpeg","ebucoreWidth":7,
            "ebucoreHeight":5},{"about":"http://i.test/2.png","ebucoreHasMimeType":"image/png"},
            {"about":"http://i.test/3.mp3","ebucoreHasMimeType":"audio/mpeg"}]}]}}
            """, listing: "record")
        #expect(europeana.map { $0.variants[0].url } == ["http://i.test/1.jpg", "http://i.test/2.png"])
        #expect(europeana.allSatisfy { $0.author == "Stein" && $0.caption == "Flügel" && $0.attribution == "M" })
        #expect(europeana[0].width == 7 && europeana[0].license == "CC BY-NC-SA 3.0")
        let smithsonian = try await photos(
            "smithsonian",
            """
            {"response":{"id":"a","title":"T","content":{"descriptiveNonRepeating":{"online_media":{"media":[
            {"type":"Images","content":"https://i.test/1"},{"type":"Images","content":"https://i.test/2"}]}}}}}
            """, listing: "object")
        #expect(smithsonian.map(\.id) == ["a", "a#2"])
        let cleveland = try await photos(
            "cleveland",
            #"{"data":{"id":5,"title":"T","images":{"web":{"url":"https://i.test/w.jpg"}}}}"#, listing: "artwork")
        #expect(cleveland.map(\.id) == ["5"])
    }

    @Test("NASA, DPLA and Wellcome: keywords, sizes, colours and versions of licences are read")
    func facts() async throws {
        let nasa = try await photos(
            "nasa",
            """
            {"collection":{"items":[{"data":[{"nasa_id":"a","media_type":"image","keywords":["Moon","Crater"]}],"links":[
            {"rel":"preview","href":"https://i.test/a~thumb.jpg"},{"rel":"alternate","href":"https://i.test/a~large.jpg"},
            {"rel":"canonical","href":"https://i.test/a~orig.jpg","width":4000,"height":3926}]}]}}
            """)
        #expect(nasa.map(\.tags) == ["Moon, Crater"] && nasa[0].width == 4000 && nasa[0].height == 3926)
        #expect(nasa[0].variants[0].url == "https://i.test/a~orig.jpg")
        let dpla = try await photos(
            "dpla",
            #"{"docs":[{"id":"a","object":"https://i.test/a","sourceResource":{"subject":[{"name":"Horses"},{"name":"Sky"}]}}]}"#
        )
        #expect(dpla.map(\.tags) == ["Horses, Sky"])
        let wellcome = try await photos(
            "wellcome",
            """
            {"results":[{"id":"a","averageColor":"#575AD0","source":{"id":"w"},"thumbnail":{"url":"https://i.test/a/info.json",
            "license":{"id":"cc-by","url":"http://creativecommons.org/licenses/by/4.0/"}}}]}
            """)
        #expect(wellcome.map(\.license) == ["CC BY 4.0"] && wellcome[0].color?.uppercased() == "#575AD0")
        #expect(wellcome[0].variants[0].url == "https://i.test/a/full/full/0/default.jpg")
    }
}
