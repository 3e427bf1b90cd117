// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// The document of a page at `https://a.test/x/`.
func webDocument(_ html: String, at address: String? = "https://a.test/x/", depth: Int = 0) throws -> WebDocument {
    let page = try WebPageReader.page(of: Array(html.utf8), token: CancellationToken())
    var reading = WebReading()
    (reading.minWidth, reading.minHeight, reading.followsLinks) = (100, 100, depth > 0)
    return WebDocument(page: page, at: address.flatMap { WebAddress($0) }, reading)
}

/// The addresses of a page's photos, without `https://a.test/`.
private func found(_ html: String) throws -> [String] {
    try webDocument(html).photos.map { $0.id.replacing("https://a.test/", with: "") }
}

/// Reads the pictures of web pages.
@Suite("Pictures of web pages", .timeLimit(.minutes(10))) struct WebPageTests {
    @Test(
        "Finds pictures wherever a page names them, and takes the best rendition",
        arguments: [
            ("<img src=a.jpg>", ["x/a.jpg"]),
            ("<img src='/b.jpg'><img src=//b.test/c.jpg>", ["b.jpg", "https://b.test/c.jpg"]),
            ("<img src=s.jpg srcset='m.jpg 640w, l.jpg 1280w'>", ["x/l.jpg"]),
            ("<img src=s.jpg srcset='s.jpg, d.jpg 2x'>", ["x/d.jpg"]),
            ("<img srcset='a,b.jpg 1x, c.jpg?d=1,2 2x'>", ["x/c.jpg?d=1,2"]),
            (
                "<picture><source type=image/webp srcset='w.webp 1600w'><source type=image/svg+xml srcset='v.svg 9000w'>"
                    + "<img src=j.jpg></picture>", ["x/w.webp"]
            ),
            ("<video><source src=v.mp4><img src=poster.jpg></video>", []),
            ("<img src=blank.gif data-src=r.jpg>", ["x/r.jpg"]),
            ("<img src=data:image/gif;base64,R0 data-srcset='a.jpg 300w, b.jpg 900w'>", ["x/b.jpg"]),
            ("<img src=data:image/gif;base64,R0 data-strange=t.jpg>", ["x/t.jpg"]),
            ("<img src=p.gif data-lazy-src=r.jpg><noscript><img src=r.jpg></noscript>", ["x/r.jpg"]),
            ("<a href=big.jpg><img src=small.jpg></a>", ["x/big.jpg"]),
            ("<a href=big.JPG?dl=1>The lake</a>", ["x/big.JPG?dl=1"]),
            ("<a href=/wiki/File:Big.jpg><img src=small.jpg></a>", ["x/small.jpg"]),
            ("<meta property=og:image content=/o.jpg><meta name=twitter:image content=/o.jpg>", ["o.jpg"]),
            ("<link rel=image_src href=/i.jpg>", ["i.jpg"]),
            ("<img itemprop=image src=m.jpg><meta itemprop=image content=/n.jpg>", ["x/m.jpg", "n.jpg"]),
            (
                "<div itemprop=image itemscope itemtype=https://schema.org/ImageObject><meta itemprop=url content=/s.jpg>"
                    + "</div><div itemprop=logo itemscope itemtype=https://schema.org/ImageObject>"
                    + "<meta itemprop=url content=/t.jpg></div>", ["s.jpg"]
            ),
            ("<div style='color: red; BACKGROUND-IMAGE:url( \"a.jpg\" )'></div>", ["x/a.jpg"]),
            ("<a style='background:#fff url(/b.webp) no-repeat, url(c.jpg?v=9)'></a>", ["b.webp", "x/c.jpg?v=9"]),
            ("<p style='background:url(data:image/png;base64,AA);mask:url(m.png)'><i style='background:url(x)'>", []),
            ("<div class=logo style='background:url(l.png)'></div><nav style='background:url(n.jpg)'></nav>", []),
            ("<base href=/y/><img src=a.jpg>", ["y/a.jpg"]),
            ("<base href=https://b.test/><img src=a.jpg>", ["https://b.test/a.jpg"]),
        ])
    func pictures(html: String, expected: [String]) throws {
        #expect(try found(html) == expected, "\(html)")
    }

    @Test(
        "The renditions of one picture become one photo",
        arguments: [
            ("<img src=a.jpg><p><img src=a.jpg>", ["x/a.jpg"]),
            ("<img src=a-300x200.jpg><meta property=og:image content=/x/a.jpg>", ["x/a.jpg"]),
            ("<img src=a.jpg?w=300><img src='a.jpg?w=600&q=80'>", ["x/a.jpg?w=600&q=80"]),
            (
                "<img src=/thumb/a/ab/N.jpg/220px-N.jpg srcset='/thumb/a/ab/N.jpg/440px-N.jpg 2x'>",
                ["a/ab/N.jpg"]
            ),
            ("<img src=a.jpg?id=1><img src=a.jpg?id=2>", ["x/a.jpg?id=1", "x/a.jpg?id=2"]),
            ("<img src=p.jpg data-src=a.jpg><img src=p.jpg data-src=b.jpg>", ["x/a.jpg", "x/b.jpg"]),
        ])
    func renditions(html: String, expected: [String]) throws {
        #expect(try found(html) == expected, "\(html)")
    }

    @Test("The renditions are variants with their widths, so that a small one can be chosen")
    func variants() throws {
        let html = "<a href=big.jpg><img src=s.jpg srcset='s.jpg 320w, m.jpg 640w, l.jpg 1280w' width=320></a>"
        let photo = try #require(try webDocument(html).photos.first)
        #expect(photo.variants.map(\.name) == ["original", "w1280", "w640", "w320"])
        #expect(photo.variants.map(\.width) == [nil, 1280, 640, 320])
    }

    @Test(
        "Icons, trackers, drawings and inline images are left out",
        arguments: [
            ("<img src=t.gif width=1 height=1>", PictureEvidence.Reason.small),
            ("<img src=i.png style='width: 32px; height:32px'>", .small),
            ("<img src=photo.jpg width=90 height=60>", .small),
            ("<img src=x.svg>", .drawing), ("<link rel=image_src href=/favicon.ico>", .drawing),
            ("<img src='data:image/png;base64,AAAA'>", .inline),
            ("<img src=/img/site-logo.png>", .icon), ("<img class='avatar big' src=me.jpg>", .icon),
            ("<img src=sprite2.png>", .icon), ("<img src=https://pixel.wp.com/g.gif?v=1>", .icon),
            ("<nav><img src=a.jpg></nav>", .icon), ("<div id=footer><p><img src=a.jpg></div>", .icon),
        ])
    func decoration(html: String, reason: PictureEvidence.Reason) throws {
        let document = try webDocument(html)
        #expect(document.photos.isEmpty && document.leftOut == [reason: 1], "\(html)")
    }

    @Test(
        "A small picture with a large version, and a name that only resembles an icon's, are photos",
        arguments: [
            "<a href=logo-large.jpg><img src=t.jpg width=75 height=75></a>", "<img src=iconic-view.jpg>",
            "<img src=a.jpg width=100% height=auto>", "<img src=a.jpg width=80 srcset='a.jpg 1600w'>",
        ])
    func photos(html: String) throws {
        #expect(try webDocument(html).photos.count == 1, "\(html)")
    }

    @Test("A photo has the caption, credit and licence of its figure, and the facts of its page")
    func facts() throws {
        let html = """
            <title>Lakes</title><link rel=canonical href=/lakes><meta name=author content='Ida B'>
            <meta property=article:published_time content=2026-01-31T09:30:00Z>
            <link rel=license href=https://creativecommons.org/licenses/by/4.0/>
            <figure><img src=a.jpg alt=alternative><figcaption>Dawn &amp; <b>fog</b> <span class=credit>Photo: Ole</span>
            <a rel=license href=https://creativecommons.org/publicdomain/zero/1.0/>CC0</a></figcaption></figure>
            <img src=b.jpg alt='The pier'>
            """
        let photos = try webDocument(html).photos
        let (first, second) = (try #require(photos.first), try #require(photos.last))
        #expect(first.caption == "Dawn & fog Photo: Ole CC0" && first.attribution == "Photo: Ole")
        #expect(first.license == "CC0-1.0" && second.license == "CC BY 4.0")
        #expect(second.caption == "The pier" && second.author == "Ida B" && second.date == 1_769_851_800)
        #expect(photos.allSatisfy { $0.pageURL == "https://a.test/lakes" })
    }

    @Test("JSON-LD names pictures with their facts; those of publishers and authors are no content")
    func structuredData() throws {
        let html = """
            <script type="application/ld+json">{"@graph":[
            {"@type":"ImageGallery","image":[{"@type":"ImageObject","contentUrl":"/1.jpg","width":{"value":"1600"},
            "height":900,"caption":"One","creator":{"name":"Ida"},"creditText":"Ida/Lakes",
            "license":"https://creativecommons.org/licenses/by-sa/4.0/"}]},
            {"@type":"NewsArticle","image":["/2.jpg",{"url":"/3.jpg"}],"author":{"@type":"Person","image":"/me.jpg"},
            "publisher":{"@type":"Organization","logo":{"@type":"ImageObject","url":"/pub.jpg"}}},
            {"@type":"Organization","image":"/org.jpg"}]}</script>
            <script type="application/ld+json">{"image": </script><script type="application/ld+json">[[["x"]]]</script>
            """
        let photos = try webDocument(html).photos
        #expect(photos.map(\.id) == ["https://a.test/1.jpg", "https://a.test/2.jpg", "https://a.test/3.jpg"])
        let first = try #require(photos.first)
        #expect(first.width == 1600 && first.height == 900 && first.caption == "One" && first.author == "Ida")
        #expect(first.attribution == "Ida/Lakes" && first.license == "CC BY-SA 4.0")
    }

    @Test(
        "The next page is the one that the page marks, or else the next number",
        arguments: [
            ("<link rel=next href=?p=2>", "x/?p=2"), ("<a rel='nofollow next' href=/n>", "n"),
            ("<a href='?page=2'>2</a><a href='?page=3'>3</a>", "x/?page=2"), ("<a href=page/2/>older</a>", "x/page/2/"),
            ("<a href='/y/?page=2'>2</a>", nil), ("<a href=chapter2.html>2</a>", nil),
        ])
    func next(html: String, expected: String?) throws {
        #expect(try webDocument(html).next == expected.map { "https://a.test/\($0)" }, "\(html)")
    }

    @Test("The number in the page's own address counts on")
    func numbered() throws {
        let links = "<a href=/x/page/2>2</a><a href=/x/page/3>3</a><a href=/x/page/4>4</a>"
        #expect(try webDocument(links, at: "https://a.test/x/page/3").next == "https://a.test/x/page/4")
        #expect(try webDocument(links, at: "https://a.test/x/page/4").next == nil)
    }

    @Test(
        "Rules for robots keep pictures and links from being used",
        arguments: [
            ("noindex", true, false), ("NOIMAGEINDEX, follow", true, false), ("none", true, true),
            ("noai", true, false),
            ("noimageai", true, false), ("nofollow", false, true),
            ("index,follow,max-image-preview:large", false, false),
        ])
    func robots(rules: String, isRefused: Bool, isUnfollowed: Bool) throws {
        let html = "<meta name=robots content='\(rules)'><img src=a.jpg><a href=b.html>b</a><link rel=next href=/2>"
        let document = try webDocument(html, depth: 1)
        #expect(document.photos.isEmpty == isRefused && (document.refusal != nil) == isRefused)
        #expect(document.links.isEmpty == isUnfollowed && (document.next == nil) == isUnfollowed)
        let page = try WebPageReader.page(of: Array(html.utf8), token: CancellationToken())
        var reading = WebReading()
        (reading.respectsOptOut, reading.followsLinks) = (false, true)
        let other = WebDocument(page: page, at: WebAddress("https://a.test/"), rules: [rules], reading)
        #expect(other.photos.count == 1 && other.links.count == 1, "the user may ignore them")
    }

    @Test("Other pages of a page are its links to pages, without files and marked links")
    func links() throws {
        let html = """
            <a href=b.html>b</a><a href=/c/>c</a><a href='d?e=1'>d</a><a href=#top>top</a><a href=f.pdf>f</a>
            <a href=mailto:x@y.test>mail</a><a rel=nofollow href=g.html>g</a><a href=b.html#part>b</a><a href=h.jpg>h</a>
            """
        let links = try webDocument(html, depth: 1).links.map(\.address)
        #expect(links == ["https://a.test/x/b.html", "https://a.test/c/", "https://a.test/x/d?e=1"])
        #expect(try webDocument(html).links.isEmpty)
    }

    @Test("Listings of nginx, Apache and Python give the files and the folders below")
    func listings() throws {
        let html = """
            <html><head><title>Index of /x/</title></head><body><h1>Index of /x/</h1>
            <img src="/icons/blank.gif"><a href="?C=N;O=D">Name</a><a href="../">../</a><a href="/">Parent</a>
            <a href="sub/">sub/</a><a href="a%20b.jpg">a b.jpg</a><a href="/x/c.PNG">c.PNG</a><a href="notes.txt">n</a>
            <a href="https://b.test/x/d.jpg">d</a></body></html>
            """
        let document = try webDocument(html, depth: 1)
        #expect(document.photos.map(\.id) == ["https://a.test/x/a%20b.jpg", "https://a.test/x/c.PNG"])
        #expect(document.links.map(\.address) == ["https://a.test/x/sub/"])
        #expect(try webDocument(html.replacing("Index of", with: "Directory listing for")).photos.count == 2)
    }
}
