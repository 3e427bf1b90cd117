// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// Parses feed documents without a network.
@Suite("Feed documents", .timeLimit(.minutes(10))) struct SyndicationPageTests {
    private static let spaces = """
        xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom" \
        xmlns:fh="http://purl.org/syndication/history/1.0" \
        xmlns:cc="http://backend.userland.com/creativeCommonsRssModule"
        """

    private func rss(_ channel: String) throws -> SyndicationPage {
        try document("<rss version=\"2.0\" \(Self.spaces)><channel>\(channel)</channel></rss>")
    }

    private func document(_ text: String) throws -> SyndicationPage {
        try SyndicationPage(
            Array(text.utf8), from: WebAddress("https://feed.test/a/rss?x=1"), token: CancellationToken())
    }

    @Test("A list of feeds is refused, with the option that reads several sources")
    func opml() throws {
        let text = "<opml version='2.0'><body><outline xmlUrl='https://a.test/x.rss'/></body></opml>"
        let failure = try #require(throws: Failure.self) {
            try document(text)
        }
        #expect(failure.detail.contains("OPML") && failure.hint == .listSources)
    }

    @Test("Other XML gives the addresses of pictures in its texts and attributes, each once")
    func otherXML() throws {
        let page = try document(
            """
            <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><description><![CDATA[
            <img src="https://a.test/1.jpg?a=1&amp;b=2"> <a href="https://a.test/page">x</a>]]></description>
            <link href="https://a.test/2.png"/><Url>https://a.test/3.jpg</Url><Url>https://a.test/3.jpg</Url>
            <atom>https://a.test/other</atom></Placemark></kml>
            """
        ).page(1, token: CancellationToken())
        #expect(
            page.photos.map(\.id)
                == ["https://a.test/1.jpg?a=1&b=2", "https://a.test/2.png", "https://a.test/3.jpg"])
    }

    @Test("A shortcut, the listing of a bucket and XML without pictures are refused with the next step")
    func otherXMLFailures() throws {
        func failure(_ text: String) throws -> Failure { try #require(throws: Failure.self) { try document(text) } }
        let shortcut = try failure(
            "<plist version='1.0'><dict><key>URL</key><string>https://a.test/x</string></dict></plist>")
        #expect(shortcut.detail == "this is a shortcut; give its address: https://a.test/x")
        let listing = try failure(
            "<ListBucketResult><Name>feed</Name><Contents><Key>1.jpg</Key></Contents></ListBucketResult>")
        #expect(listing.hint == .readBucket("feed", endpoint: "https://test"))
        let named = try failure("<ListBucketResult><Name>pics</Name></ListBucketResult>")
        #expect(named.hint == .readBucket("pics", endpoint: "https://feed.test"))
        #expect(try failure("<svg/>").detail == "line 1: expected RSS or Atom, found <svg>")
    }

    @Test("An entry without other pictures has those whose addresses are the text of an element")
    func addressElements() throws {
        let page = try rss(
            """
            <item><title>a.jpg</title><link>https://a.test/p</link><image_link>https://a.test/1.jpg</image_link>
            <additional_image_link>https://a.test/2.jpg</additional_image_link></item>
            <item><guid isPermaLink="false">https://a.test/3.jpg</guid><attachment_url>https://a.test/3.jpg</attachment_url></item>
            """
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.variants.first?.url) == [1, 2, 3].map { "https://a.test/\($0).jpg" })
        #expect(page.notes.isEmpty)
    }

    @Test("A group is one photo with several variants, and its metadata takes precedence over the entry's")
    func group() throws {
        let page = try rss(
            """
            <copyright>(c) all</copyright><item><guid>g1</guid><title>The <![CDATA[<b>entry</b>]]></title><link>/p/1</link>
            <pubDate>Sat, 31 Jan 2026 09:30:15 GMT</pubDate><dc:creator>Nobody</dc:creator>
            <media:group><media:title>A pier</media:title><media:credit>Ida &amp; Co</media:credit>
            <media:license href="https://l.test/by">CC BY</media:license><media:copyright>(c) Ida</media:copyright>
            <media:content url="s.jpg" width="100" height="50" type="image/jpeg"/>
            <media:content url="l.jpg" width="1000" height="500" medium="image"><media:hash algo="sha-1">\
            aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</media:hash></media:content>
            <media:content url="v.mp4" type="video/mp4"/><media:thumbnail url="t.jpg"/></media:group></item>
            """
        ).page(1, token: CancellationToken())
        var photo = Photo(id: "g1")
        photo.variants = [
            Variant(name: "original", url: "https://feed.test/a/l.jpg", width: 1000, height: 500),
            Variant(name: "image", url: "https://feed.test/a/s.jpg", width: 100, height: 50),
            Variant(name: "thumbnail", url: "https://feed.test/a/t.jpg"),
        ]
        (photo.caption, photo.author, photo.pageURL) = ("A pier", "Ida & Co", "https://feed.test/p/1")
        (photo.license, photo.licenseURL, photo.attribution) = ("CC BY", "https://l.test/by", "(c) Ida")
        (photo.width, photo.height, photo.date) = (1000, 500, 1_769_851_815)
        photo.variants[0].checksum = Checksum(.sha1, String(repeating: "a", count: 40))
        #expect(page.photos == [photo] && page.notes.isEmpty)
    }

    @Test("Each content element outside a group is a photo with its own id")
    func singles() throws {
        let page = try rss(
            """
            <item><guid>g</guid><title>Two</title><author>ida@a.test (Ida)</author><cc:license>https://l.test</cc:license>
            <media:content url="https://a.test/1.jpg"><media:title>First</media:title></media:content>
            <media:content url="https://a.test/2.jpg"/><media:content url="https://a.test/3" medium="audio"/></item>
            """
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["g", "g#2"] && page.photos.map(\.caption) == ["First", "Two"])
        #expect(page.photos.allSatisfy { $0.author == "Ida" && $0.licenseURL == "https://l.test/" })
    }

    @Test(
        "Without Media RSS, uses enclosures, then thumbnails, then images in the text",
        arguments: [
            (
                "<enclosure url='/e.jpg' type='image/jpeg' length='1'/><enclosure url='/e.mp3' type='audio/mpeg'/>",
                ["/e.jpg"]
            ),
            ("<enclosure url='/e.png'/><enclosure url='/e.mp4'/>", ["/e.png"]),
            ("<media:thumbnail url='/s' width='10'/><media:thumbnail url='/l' width='20'/>", ["/l"]),
            (
                "<description>&lt;p>x&lt;IMG alt='a>b' src=\"/1.jpg?a=1&amp;amp;b=2\">&lt;img src=/2 width=1>&lt;img src='/3'/></description>",
                ["/1.jpg?a=1&b=2", "/3"]
            ),
            (
                "<content:encoded><![CDATA[<img src=\"/1\"><img src=\"/1\"><img src=\"data:image/png;base64,x\">]]></content:encoded>",
                ["/1"]
            ),
            ("<description>no picture, &lt;imgs src=x> &lt; &lt;img&gt;</description>", []),
            (
                "<body xmlns='http://www.w3.org/1999/xhtml'><p><img src='/b.jpg'/><img src='/t.gif' height='1'/></p></body>",
                ["/b.jpg"]
            ),
            ("<fullitem>&lt;img src='/f.jpg'></fullitem>", ["/f.jpg"]),
            ("<description>&lt;img src='/long\n.jpg'></description>", ["/long.jpg"]),
            ("<enclosure url='/e.mp3' type='audio/mpeg'/><itunes:image href='/episode.jpg'/>", ["/episode.jpg"]),
            ("<description>&lt;img src='/1.jpg'></description><itunes:image href='/2.jpg'/>", ["/1.jpg", "/2.jpg"]),
            ("<image><url>/i.jpg</url><title>t</title></image>", ["/i.jpg"]),
            ("<itunes:link rel='image' href='/l.jpg'/>", ["/l.jpg"]),
        ])
    func otherPictures(item: String, paths: [String]) throws {
        let page = try rss("<item><title>t</title>\(item)</item><item/>").page(3, token: CancellationToken())
        #expect(page.photos.flatMap(\.variants).map(\.url) == paths.map { "https://feed.test" + $0 })
        #expect(page.notes == ["page 3: \(paths.isEmpty ? 2 : 1) of 2 entries have no picture"])
    }

    /// libxml2 wrote the ampersands as `&#38;`, so that every address ended at its first one.
    @Test("Addresses in attributes keep their ampersands")
    func ampersands() throws {
        let page = try rss(
            """
            <item><media:content url="/1.jpg?w=1&amp;h=2&#38;s=3&amp;#38;"/></item>
            <item><body><img src="/2.jpg?w=1&amp;h=2"/></body></item><item><enclosure url="/3.jpg?w=1&#x26;h=2"/></item>
            """
        ).page(1, token: CancellationToken())
        let paths = ["/1.jpg?w=1&h=2&s=3&", "/2.jpg?w=1&h=2", "/3.jpg?w=1&h=2"]
        #expect(page.photos.map { $0.variants[0].url } == paths.map { "https://feed.test" + $0 })
    }

    @Test(
        "Reads the entries of a document that is not well-formed, with a note",
        arguments: [
            "<rss><channel><category text='x'><item><guid>1</guid><enclosure url='/1.jpg'/></item></channel></rss>",
            "<rss><channel><item><guid>1</guid><enclosure url='/1.jpg'/></item><item><guid>2</guid><enc",
            "<rss><channel><item><guid>1</guid><enclosure url='/1.jpg'/></item></channel></rss></rss>",
        ])
    func damaged(text: String) throws {
        let page = try document(text).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["1"] && page.photos[0].variants[0].url == "https://feed.test/1.jpg")
        #expect(
            page.notes.contains {
                $0.hasPrefix("page 1 is not well-formed, so entries may be missing (line 1, column ")
            })
        for other in [
            "<rss><channel>", "<r><a></b></r>", "<!DOCTYPE r [<!ENTITY a 'b'>]><rss><item><enclosure url='/1'/>",
        ] {
            #expect(throws: Failure.self) { try document(other) }
        }
    }

    @Test("Entries with the same id are separate photos, unless they have the same picture")
    func repeatedIDs() throws {
        let page = try rss(
            ["1", "2", "1"].map { "<item><guid>all</guid><enclosure url='/\($0).jpg'/></item>" }.joined()
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["all", "https://feed.test/2.jpg", "all"])
    }

    /// The base of a text was ignored, and the pictures of videos without a group were.
    @Test("A text has a base of its own, and a video has a thumbnail")
    func baseOfText() throws {
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id>
            <content type="html" xml:base="https://a.test/post/"><![CDATA[<img src="1.jpeg"><img src="/2.jpeg">]]></content>
            </entry></feed>
            """
        let page = try document(atom).page(1, token: CancellationToken())
        #expect(page.photos.map { $0.variants[0].url } == ["https://a.test/post/1.jpeg", "https://a.test/2.jpeg"])
        let video = try rss(
            """
            <item><media:content medium="video"><media:player url="https://a.test/p"/>
            <media:thumbnail url="https://a.test/small" width="90"/><media:thumbnail url="https://a.test/v_960" width="960"/>
            </media:content></item>
            """
        ).page(1, token: CancellationToken())
        #expect(video.photos.map { $0.variants[0].url } == ["https://a.test/v_960"])
    }

    /// Feeds from before 2003 have such a namespace, and lost their pictures.
    @Test("Reads RSS with a namespace of its own, and the xml:base of its root")
    func rssNamespace() throws {
        let page = try SyndicationPage(
            Array(
                """
                <rss version="2.0" xmlns="http://backend.userland.com/rss2" xml:base="https://base.test/x/"><channel>
                <item xml:base="y/"><title>A</title><enclosure url="1.jpg" type="image/jpeg"/></item></channel></rss>
                """.utf8), from: nil, token: CancellationToken()
        ).page(1, token: CancellationToken())
        #expect(page.photos.map { $0.variants[0].url } == ["https://base.test/x/y/1.jpg"])
    }

    @Test("Reads Atom with xml:base and XHTML content")
    func atom() throws {
        let page = try document(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://base.test/x/"><author><name>All</name></author>
            <entry xml:base="y/"><id>urn:1</id><title type="html">A &lt;b&gt;pier&lt;/b&gt;</title>
            <link href="page"/><link rel="enclosure" type="image/png" href="1.png"/><rights>free</rights>
            <published>2026-01-31T09:30:15Z</published><author><name>Ida</name><uri>../ida</uri></author></entry>
            <entry><id>urn:2</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><img src="2.png"/></div></content></entry>
            <entry><id>urn:3</id><content type="image/jpeg" src="3.jpg"/></entry>
            </feed>
            """
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["urn:1", "urn:2", "urn:3"])
        #expect(
            page.photos.map { $0.variants[0].url }
                == ["https://base.test/x/y/1.png", "https://base.test/x/2.png", "https://base.test/x/3.jpg"])
        let first = page.photos[0]
        #expect(first.caption == "A pier" && first.author == "Ida" && first.authorURL == "https://base.test/x/ida")
        #expect(
            first.pageURL == "https://base.test/x/y/page" && first.attribution == "free" && first.date == 1_769_851_815)
        #expect(page.photos[1].author == "All")
    }

    @Test("Reads RSS 1.0, which has its items next to the channel")
    func rdf() throws {
        let page = try document(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" \(Self.spaces)>
            <channel><title>t</title></channel><item rdf:about="https://a.test/1"><media:content url="/1.jpg"/></item></rdf:RDF>
            """
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["https://a.test/1"])
    }

    @Test(
        "Follows the next page, or else the previous archive, unless the feed is complete",
        arguments: [
            (
                "<atom:link rel='next' href='?page=2'/><atom:link rel='prev-archive' href='/old'/>",
                "https://feed.test/a/rss?page=2"
            ),
            ("<atom:link rel='prev-archive' href='/old'/>", "https://feed.test/old"),
            ("<fh:complete/><atom:link rel='next' href='/2'/>", nil), ("<atom:link rel='self' href='/2'/>", nil),
            ("<atom:link rel='next' href='javascript:x'/>", nil),
        ] as [(String, String?)])
    func next(channel: String, address: String?) throws {
        #expect(try rss(channel).next == address)
    }

    @Test("Keeps paths, escapes and bidirectional controls in texts unchanged")
    func hostile() throws {
        let caption = "\u{202E}gpj.exe ../../etc/passwd &#x1B; " + String(repeating: "x", count: 1 << 20)
        let page = try rss(
            "<item><guid>../../etc/passwd</guid><title>\(caption.replacing("&#x1B;", with: ""))</title><enclosure url='/1.jpg'/></item>"
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["../../etc/passwd"])
        #expect(page.photos[0].caption?.hasPrefix("\u{202E}gpj.exe") == true)
        // XML does not allow the escape character. The reference to it becomes a text, and HTML in a title may contain
        // such references; displays escape the character.
        let repaired = try rss("<item><title>\(caption)</title><enclosure url='/1.jpg'/></item>")
            .page(1, token: CancellationToken())
        #expect(repaired.photos[0].caption?.contains("passwd \u{1B} x") == true)
    }

    @Test("A cancelled token ends the extraction of photos, and a picture has at most 100 variants")
    func bounds() throws {
        let item = "<item><enclosure url='/1.jpg'/></item>"
        let token = CancellationToken()
        let document = try rss(item)
        token.cancel()
        #expect(try #require(throws: Failure.self) { try document.page(1, token: token) }.cause == .cancelled)
        let contents = (1...200).map { "<media:content url='/\($0).jpg'/>" }.joined()
        let page = try rss("<item><media:group>\(contents)</media:group></item>").page(1, token: CancellationToken())
        #expect(page.photos.map(\.variants.count) == [100])
    }

    /// A feed of one megabyte made every of its 20,000 photos a megabyte long, and exhausted the memory.
    @Test("Texts, ids and addresses that many photos repeat have a maximum length")
    func amplification() throws {
        let long = String(repeating: "x", count: 100_000)
        let page = try rss(
            """
            <copyright>\(long)</copyright><item><guid>\(long)</guid><title>\(long)</title><link>/\(long)</link>
            <media:content url="/1.jpg"/><media:content url="/2.jpg"/><media:content url="/\(long).jpg"/></item>
            """
        ).page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["https://feed.test/1.jpg", "https://feed.test/2.jpg#2"])
        for photo in page.photos {
            let texts = [photo.caption, photo.attribution]
            #expect(texts.allSatisfy { $0?.utf8.count == Photo.maxTextLength + 3 })
            #expect(photo.id.utf8.count < 100 && photo.pageURL == nil)
        }
    }

    @Test("Ignores an xml:base of more than 8 KiB, against which every link would be resolved")
    func longBase() throws {
        let base = "https://long.test/" + String(repeating: "x", count: 9000) + "/"
        let page = try rss("<item xml:base='\(base)'><enclosure url='1.jpg'/></item>")
            .page(1, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["https://feed.test/a/1.jpg"])
    }

    @Test("An entry of an OPDS catalogue has its picture or its cover, and the thumbnail as a variant")
    func catalog() throws {
        let rel = "http://opds-spec.org/"
        let photos = try document(
            """
            <feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id>
            <link rel='\(rel)image/thumbnail' type='image/jpeg' href='t.jpg'/>
            <link rel='\(rel)image' type='image/jpeg' href='c.jpg'/>
            <link rel='\(rel)acquisition' type='application/epub+zip' href='b.epub'/></entry>
            <entry><id>2</id><link rel='\(rel)acquisition/open-access' type='image/png' href='p.png'/>
            <link rel='\(rel)image' href='q.jpg'/></entry></feed>
            """
        ).page(1, token: CancellationToken()).photos
        #expect(photos.map(\.id) == ["1", "2"])
        #expect(photos.map { $0.variants.map(\.name) } == [["original", "thumbnail"], ["original", "cover"]])
        #expect(
            photos.compactMap { $0.variants.first?.url } == ["https://feed.test/a/c.jpg", "https://feed.test/a/p.png"])
    }
}
