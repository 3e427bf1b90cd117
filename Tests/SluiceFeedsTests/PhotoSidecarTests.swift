// SPDX-License-Identifier: MIT

import SluiceFeeds
import SluiceModel
import Testing

/// Facts in the sidecars of other tools, in the forms that they write.
@Suite("Sidecars of other tools", .timeLimit(.minutes(10))) struct PhotoSidecarTests {
    private func read(_ text: String) throws -> (photo: Photo, address: String?) {
        let sidecar = try #require(PhotoSidecar(Array(text.utf8)))
        var photo = Photo(id: "a")
        sidecar.complete(&photo)
        sidecar.addDate(to: &photo)
        return (photo, sidecar.address)
    }

    @Test("Google Takeout states a file name as the title, and a page as the address")
    func takeout() throws {
        let (photo, address) = try read(
            """
            {"title":"IMG_1.jpg","description":"At the lake","imageViews":"3","creationTime":{"timestamp":"1700000001",
            "formatted":"x"},"photoTakenTime":{"timestamp":"1594000000","formatted":"Jul 6, 2020"},
            "geoData":{"latitude":0.0},"people":[{"name":"Ida"}],"url":"https://photos.google.com/photo/AF1"}
            """)
        #expect(photo.caption == "At the lake" && photo.date == 1_594_000_000 && address == nil)
        #expect(photo.pageURL == "https://photos.google.com/photo/AF1" && photo.author == nil)
        #expect(try read(#"{"title":"a.jpg","description":"","photoTakenTime":{}}"#).photo == Photo(id: "a"))
    }

    @Test("gallery-dl states the address, a title, tags, and authors in several ways")
    func galleryDL() throws {
        let (photo, address) = try read(
            """
            {"category":"flickr","title":"One","date":"2023-01-02 03:04:05","tags":["lake","dawn"],"license":"4",
            "user":{"name":"Ida","username":"ida1"},"url":"https://live.test/1.jpg","width":800,"id":7,"page":3}
            """)
        #expect(address == "https://live.test/1.jpg" && photo.caption == "One" && photo.tags == "lake, dawn")
        #expect(photo.author == "Ida" && photo.date == 1_672_628_645 && photo.license == nil && photo.width == nil)
        let other = try read(#"{"title":"t","description":"d","artist":"A","tags":"a, b","license":"CC-BY-4.0"}"#).photo
        #expect(other.caption == "d" && other.author == "A" && other.tags == "a, b" && other.license == "CC BY 4.0")
    }

    /// Of the results in gallery-dl's own tests, 84 have a list of authors, and 26 the address as `file_url`.
    @Test(
        "gallery-dl's forms of authors, addresses and captions of many sites are read",
        arguments: [
            (#"{"artist":["one","two"],"file_url":"https://a.test/1.png"}"#, "one; two", "https://a.test/1.png", nil),
            (#"{"user":{"id":7,"name":"ida7","nick":"Ida Ek"},"url":"/post/1"}"#, "Ida Ek", nil, nil),
            (#"{"author":{"handle":"ida.test","displayName":"Ida"},"description":""}"#, "Ida", nil, nil),
            (#"{"author":{"displayName":"","handle":"ida.test"}}"#, "ida.test", nil, nil),
            (
                #"{"owner":12345,"uploader":"bo","content":"<p>A lake &amp; a <b>hill</b></p>"}"#, "bo", nil,
                "A lake & a hill"
            ),
            (#"{"author":[],"account":{"username":"ida","display_name":""},"title":"a < b"}"#, "ida", nil, "a < b"),
        ] as [(String, String, String?, String?)])
    func people(text: String, author: String, address: String?, caption: String?) throws {
        let read = try read(text)
        #expect(read.photo.author == author && read.address == address && read.photo.caption == caption)
    }

    @Test("XMP states properties as elements or attributes, with any prefixes")
    func xmp() throws {
        let text = """
            <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <r:Description r:about="" xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:DateCreated="2020-07-06T01:46:40Z"
              xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:c="http://creativecommons.org/ns#">
            <d:title><r:Alt><r:li xml:lang="x-default">A &amp; B</r:li></r:Alt></d:title>
            <d:creator><r:Seq><r:li>Ida</r:li><r:li>Bo</r:li></r:Seq></d:creator>
            <d:subject><r:Bag><r:li>lake</r:li><r:li>Paris, Texas</r:li></r:Bag></d:subject>
            <c:license r:resource="https://creativecommons.org/licenses/by/4.0/"/><d:source>a book</d:source>
            </r:Description></r:RDF></x:xmpmeta><?xpacket end="w"?>
            """
        let photo = try read(text).photo
        #expect(photo.caption == "A & B" && photo.author == "Ida; Bo" && photo.tags == "lake, Paris Texas")
        #expect(photo.date == 1_594_000_000 && photo.license == "CC BY 4.0" && photo.pageURL == nil)
    }

    @Test("Facts of the feed are kept, and only missing ones are added")
    func completing() throws {
        let sidecar = try #require(PhotoSidecar(Array(#"{"title":"t","author":"A"}"#.utf8)))
        var photo = Photo(id: "a")
        photo.caption = "feed"
        #expect(sidecar.complete(&photo) && photo.caption == "feed" && photo.author == "A")
        #expect(!sidecar.complete(&photo))
    }

    @Test("Hostile files state no facts, or short ones")
    func hostile() throws {
        for text in ["", "[1]", "7", "{", "<a", "\0", "<!DOCTYPE x [<!ENTITY a \"b\">]><x>&a;</x>", "{\"url\":7}"] {
            if let sidecar = PhotoSidecar(Array(text.utf8)) {
                var photo = Photo(id: "a")
                #expect(!sidecar.complete(&photo), "\(text)")
            }
        }
        let long = String(repeating: "x", count: 100_000)
        let caption = try #require(read("{\"title\":\"\(long)\"}").photo.caption)
        #expect((16_000...17_000).contains(caption.utf8.count), "\(caption.utf8.count)")
        #expect(PhotoSidecar(Array("{\"title\":\"\(String(repeating: long, count: 11))\"}".utf8)) == nil)
        for text in ["\u{202E}x", "<&>", "a\0b", "\u{FFFF}"] {
            var writer = JSONWriter()
            writer.object { $0.member("description", text) }
            _ = PhotoSidecar(writer.bytes)
        }
    }
}
