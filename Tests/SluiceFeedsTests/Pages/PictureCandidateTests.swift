// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import Testing

@testable import SluiceFeeds

/// The photos of a page, each with its addresses, without `https://a.test/`.
private func photos(_ html: String) throws -> [[String]] {
    try webDocument(html).photos.map { $0.variants.map { $0.url.replacing("https://a.test/", with: "") } }
}

/// Weighs the evidence for pictures, and joins the renditions of one picture.
@Suite("Candidates for pictures", .timeLimit(.minutes(10))) struct PictureCandidateTests {
    @Test(
        "An ordinary word in the name of a photo does not leave it out",
        arguments: [
            "grey-heron.jpg", "clear-lake.jpg", "polka-dot-dress.jpg", "beacon-hill.jpg", "pie-1x1.jpg",
            "team-social.jpg", "a_trans_NvBQzQNjv4Bq.jpg", "broken-arrow.webp",
        ])
    func ordinaryWords(name: String) throws {
        #expect(try photos("<img src='/\(name)'>") == [[name]])
        #expect(try photos("<figure><img src='/\(name)' width=1600 height=1067></figure>") == [[name]])
    }

    @Test(
        "A figure and a large size outweigh a name of decoration; a name alone leaves a picture out",
        arguments: [
            ("<img src=/logo.png>", false), ("<figure><img src=/logo-wall.jpg width=1600></figure>", true),
            ("<img src=/site-logo.png width=120>", false), ("<img src=/clear.gif>", false),
            ("<meta property=og:image content=/recipe-social.jpg>", true),
            ("<meta property=og:image content=/logo.png>", false), ("<img src=/a.png alt='Company logo'>", false),
            ("<nav><figure><img src=/a.jpg width=1200></figure></nav>", false),
            ("<img src=/count.php?zone=1>", false),
            ("<a href=/file.php?id=7&mode=view><img src=/file.php?id=7&t=1 alt=DSC_7.jpg></a>", true),
            ("<img src=/image.php?src=/a.jpg>", true),
            ("<img src=/likes/>", false),
            ("<a href=/File:Lake.jpg><img src=/thumb/a/Lake.jpg/120px-Lake.jpg width=120 height=80></a>", true),
            ("<a href=/File:Flag.svg><img src=/thumb/a/Flag.svg/23px-Flag.svg.png width=23 height=15></a>", false),
            ("<a href=/about><img src=/thumb/a/Lake.jpg/120px-Lake.jpg width=120 height=80></a>", false),
            ("<figure><img src=/themes/a.jpg></figure>", true), ("<img src=/l/by-nc/3.0/88x31.png>", false),
        ])
    func evidence(html: String, isPhoto: Bool) throws {
        #expect(try photos(html).isEmpty != isPhoto, "\(html)")
    }

    @Test("Every entry of the table of weights decides about a picture, and none does alone against all others")
    func weights() {
        let positive = PictureEvidence.table.filter { $0.weight > 0 }.reduce(0) { $0 + $1.weight }
        #expect(PictureEvidence.table.allSatisfy { $0.weight != 0 && -$0.weight < positive })
        #expect(Set(PictureEvidence.table.map(\.meaning)).count == PictureEvidence.table.count)
    }

    @Test(
        "The alternatives of a picture are compared by widths, or else by viewports; densities by those of one source",
        arguments: [
            (
                "<source media='(max-width:600px)' srcset='phone.jpg 2x'>"
                    + "<source media='(min-width:601px)' srcset='desk.jpg 1x'>", "desk.jpg"
            ),
            (
                "<source media='(max-width: 600px)' srcset='phone.jpg, phone2.jpg 3x'><source srcset='desk.jpg 1x'>",
                "desk.jpg"
            ),
            ("<source media='(min-width:40em)' srcset=a.jpg><source media='(min-width:700px)' srcset=b.jpg>", "b.jpg"),
            (
                "<source media='(min-width:900px)' srcset=a.jpg width=800>"
                    + "<source media='(max-width:899px)' srcset='b.jpg 3x' width=400>", "b.jpg"
            ),
            ("<source media='(min-width:1px)' srcset='a.jpg 640w, b.jpg 1280w'><source srcset='c.jpg 960w'>", "b.jpg"),
        ])
    func alternatives(sources: String, expected: String) throws {
        #expect(try photos("<picture>\(sources)</picture>").map(\.first) == ["x/\(expected)"], "\(sources)")
    }

    @Test(
        "Any attribute may hold the address of a picture",
        arguments: [
            ("<img src=s.jpg data-pin-media=/l.jpg>", ["x/s.jpg", "l.jpg"]),
            ("<img src=s.jpg data-full-res=/l.jpg>", ["l.jpg", "x/s.jpg"]),
            ("<img src=s.jpg data-original-mos=/l.jpg>", ["l.jpg"]),
            ("<img src=s.jpg data-img-url=/l.jpg>", ["x/s.jpg", "l.jpg"]),
            ("<img src=s.jpg data-src-large=/l.jpg>", ["l.jpg", "x/s.jpg"]),
            ("<img src=s.jpg data-mediaviewer-src=/l.jpg>", ["l.jpg"]),
            ("<img src=s.jpg data-actualsrc=/lake>", ["lake"]),
            ("<div data-bg=/l.jpg></div>", ["l.jpg"]), ("<div itemid=https://a.test/l.jpg></div>", ["l.jpg"]),
            ("<li data-src=/l.jpg><img src=s.jpg></li>", ["l.jpg", "x/s.jpg"]),
            ("<a data-pswp-src=/l.jpg href=/view><img src=s.jpg></a>", ["l.jpg", "x/s.jpg"]),
            (
                "<img src=s.jpg data-dynamic-image='{\"https://a.test/m.jpg\":[500,300],\"https://a.test/l.jpg\":[900,500]}'>",
                ["l.jpg", "m.jpg", "x/s.jpg"]
            ),
            ("<img src=s.jpg alt=DSC_0001.jpg data-title=a/b.jpg data-url=/page data-thumb=/t.jpg>", ["x/s.jpg"]),
        ])
    func attributes(html: String, expected: [String]) throws {
        #expect(try photos(html) == [expected], "\(html)")
    }

    @Test("An element with a picture's address that has several pictures is a picture of its own")
    func container() throws {
        #expect(
            try photos("<div data-image=/c.jpg><img src=a.jpg><img src=b.jpg></div>") == [
                ["x/a.jpg"], ["x/b.jpg"], ["c.jpg"],
            ])
    }

    @Test(
        "The data of scripts give larger files of shown pictures, and the pictures of a page that shows none",
        arguments: [
            (
                "<img src=/500/a.jpg><script id=__NEXT_DATA__ type=application/json>"
                    + #"{"p":{"sizes":{"s":"/500/a.jpg","l":{"url":"/2600/a.jpg","width":2600}}},"q":"/other.jpg"}</script>"#,
                [["2600/a.jpg", "500/a.jpg"]]
            ),
            (#"<script>window.__STATE__ = {"image":"/a.jpg","t":undefined,};var x={y:1}</script>"#, [["a.jpg"]]),
            (
                #"<script>var s = JSON.parse("{\"src\":\"\/a.jpg\"}"), t = {"b":"/b.jpg"}</script>"#,
                [["a.jpg"], ["b.jpg"]]
            ),
            (#"<img src=/c.jpg><script>var s = {"src":"/a.jpg"}</script>"#, [["c.jpg"]]),
            (#"<script>if (x) { y = "/a.jpg" }</script>"#, []),
        ])
    func scripts(html: String, expected: [[String]]) throws {
        #expect(try photos(html) == expected, "\(html)")
    }

    /// sigal with Galleria, lightGallery and fgallery describe their pictures in these ways.
    @Test("The data of a script describe a gallery, of which the page shows few pictures or thumbnails")
    func galleries() throws {
        func list(_ text: String) -> String {
            (1...3).map { text.replacing("%", with: "\($0)") }.joined(separator: ",\n")
        }
        func expected(_ names: String...) -> [[String]] {
            (1...3).map { number in names.map { $0.replacing("%", with: "\(number)") } }
        }
        let objects = list("{title: 'It\\'s %', thumb: \"t/%.jpg\", image: 'b/%.jpg',}")
        let pictures = try photos("<img src=/c.png><script>var data = [\(objects)]</script>")
        #expect(pictures == expected("x/b/%.jpg", "x/t/%.jpg") + [["c.png"]])
        let call =
            "show(list, {dynamic: true, end: function() {}, all: [\(list("{src: '/%.jpg', thumb: '/t%.jpg'}"))]})"
        #expect(
            try photos("<img src=/t2.jpg width=60 height=40><script>\(call)</script>") == expected("%.jpg", "t%.jpg"))
        let reply = list(#"{"blur":"/b/%.jpg","thumb":["/t/%.jpg",[168,112]],"img":["/i/%.jpg",[1600,1067]]}"#)
        let built = "<img src=/i/1.jpg></body></html><script type=application/json>{\"data\":[\(reply)]}</script>"
        #expect(try photos(built) == expected("i/%.jpg", "t/%.jpg", "b/%.jpg"))
        let news = list(#"{"image":"/%.jpg","thumb":"/t%.jpg","url":"/news/%"}"#)
        #expect(try photos("<img src=/c.jpg><script>news = [\(news)]</script>") == [["c.jpg"]])
    }

    /// Piwigo has its sizes in links that run a script.
    @Test("A link that runs a script for a picture leads to that picture") func scriptLinks() throws {
        let sizes = ["sq", "xx", "la"].map { "<a href=\"javascript:show('/i.php?/up/1-\($0).jpg','a')\">\($0)</a>" }
        let page = "<img src=/_data/i/up/1-me.jpg width=792 height=528>\(sizes.joined())"
        #expect(
            try photos(page) == [
                ["i.php?/up/1-xx.jpg", "i.php?/up/1-la.jpg", "_data/i/up/1-me.jpg", "i.php?/up/1-sq.jpg"]
            ])
    }

    @Test(
        "JSON-LD is read although it has control characters, comments around it or commas too many",
        arguments: [
            "{\"image\":\"/a.jpg\",\"t\":\"a\nb\u{9}c\"}", "//<![CDATA[\n{\"image\":\"/a.jpg\"}\n//]]>",
            "{\"image\":[\"/a.jpg\",],}", "<!-- {\"image\":\"/a.jpg\"} -->", "{\"image\":\"/a.jpg\"};",
        ])
    func lenient(text: String) throws {
        #expect(try photos("<script type=application/ld+json>\(text)</script>") == [["a.jpg"]], "\(text)")
    }

    @Test(
        "The renditions of one picture have one key in the addresses of common services",
        arguments: [
            ("/image/upload/c_fill,w_300,h_200/v1/a.jpg", "/image/upload/v1/a.jpg"),
            ("/photos/5/16:9/w_1280,c_limit/a.jpg", "/photos/5/1:1/w_640,h_640,c_limit/a.jpg"),
            ("/300x200/smart/b/a.jpg", "/fit-in/600x/b/a.jpg"),
            ("/files/styles/large/public/a.jpg?itok=x", "/files/styles/w480/public/a.jpg"),
            ("/max/1200/a.jpg", "/max/640/a.jpg"), ("/v2/resize:fit:1400/a.jpg", "/v2/resize:fit:640/a.jpg"),
            ("/small/a.jpg", "/original/a.jpg"), ("/a-scaled.jpg", "/a-1024x683.jpg"), ("/thumb_a.jpg", "/a.jpg"),
            ("/a._SX300_.jpg", "/a.jpg"), ("/iiif/a/full/600,/0/default.jpg", "/iiif/a/full/max/0/default.jpg"),
            ("/data/w1500_ci/7f/a.jpg", "/data/w1000_h500_ci/7f/a.jpg"), ("/_1200x630_crop_82/a.jpg", "/a.jpg"),
            ("/a-380x520.jpg.webp", "/a.jpg"), ("/FGYjTRnJIboQ5lYa84CTYSa980A=/3840x0/a.jpg", "/a.jpg"),
            ("/_next/image?url=%2Fa.jpg&w=640&q=75", "/a.jpg"),
            ("/r?url=https%3A%2F%2Fa.test%2Fa.jpg&w=100", "/a.jpg"), ("/image.php?w=9&src=/b/a.jpg", "/b/a.jpg"),
            ("/a.jpg?w=620&amp;auto=format", "/a.jpg"), ("/5/w_62%2Ch_41/a.jpg", "/5/w_40,h_40/a.jpg"),
            ("/a-scaled-e1717001347314-320x180.jpg", "/a.jpg"), ("/652*367/a.jpg", "/a.jpg"),
            ("/k/a.jpg?width=9&s=adbbf5d870d9cc7f0b9a24eb", "/k/a.jpg?width=8&s=f5b3d20f0dc5c22a83f96fb7"),
            ("/is/a?$XL$", "/is/a?$XS$"), ("/w:600/a.jpg", "/a.jpg"),
            ("/p/i.php?/up/a-xx.jpg", "/p/up/a.jpg"), ("/p/_data/i/up/a-me.jpg", "/p/up/a.jpg"),
        ])
    func families(one: String, other: String) {
        let (one, other) = (PictureAddress("https://a.test" + one), PictureAddress("https://a.test" + other))
        #expect(one.key == other.key, "\(one.key) \(other.key)")
    }

    @Test(
        "Different pictures keep different keys",
        arguments: [
            ("/album1/1.jpg", "/album2/1.jpg"), ("/a_1/x.jpg", "/a_2/x.jpg"), ("/2019/05/a.jpg", "/2019/06/a.jpg"),
            ("/big_ben.jpg", "/small_ben.jpg"), ("/img?id=1&w=300", "/img?id=2&w=300"), ("/w/a.jpg", "/h/a.jpg"),
            ("/i?w=9&id=adbbf5d870d9cc7f0b9a24eb", "/i?w=9&id=f5b3d20f0dc5c22a83f96fb7"), ("/a-1.jpg", "/a-2.jpg"),
            ("/up/view-la.jpg", "/up/view.jpg"),
        ])
    func distinct(one: String, other: String) {
        #expect(PictureAddress("https://a.test" + one).key != PictureAddress("https://a.test" + other).key)
    }

    @Test("A folder that varies between the renditions of several pictures is no part of a picture's name")
    func learned() throws {
        let sets = ["a", "b", "c"].map { "<img srcset='/k7/\($0).jpg 300w, /q9/\($0).jpg 900w'>" }.joined()
        let later = "<img src=/k7/d.jpg><p><img src=/q9/d.jpg><img src=/z1/d.jpg>"
        #expect(try photos(sets + later).map(\.count) == [2, 2, 2, 2, 1])
        #expect(try photos(later).map(\.count) == [1, 1, 1], "one picture shows no pattern")
    }

    @Test("A ratio in an element of AMP is no size")
    func ratio() throws {
        #expect(try photos("<amp-img src=/a.jpg layout=responsive width=3 height=2></amp-img>") == [["a.jpg"]])
        #expect(try photos("<amp-img src=/a.jpg width=3 height=2></amp-img>").isEmpty)
    }
}
