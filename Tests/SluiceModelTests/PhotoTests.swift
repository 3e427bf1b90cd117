// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceModel

@Suite("Photo fields", .timeLimit(.minutes(10))) struct PhotoFieldTests {
    @Test("The list has every fact of a photo, each once")
    func complete() {
        // Swift's own mirror names the stored properties.
        let properties = Swift.Mirror(reflecting: PhotoFacts()).children.compactMap(\.label)
        #expect(PhotoField.all.count == properties.filter { $0 != "invalidReason" }.count)
        #expect(Set(PhotoField.all.map(\.name)).count == PhotoField.all.count)
        let paths = PhotoField.all.map { field -> AnyKeyPath in
            switch field.property {
            case .text(let path): path
            case .number(let path): path
            }
        }
        #expect(Set(paths).count == paths.count)
    }

    @Test("A field reads the property that it writes")
    func reading() {
        for field in PhotoField.all {
            var photo = Photo(id: "a")
            switch field.property {
            case .text(let path): photo[keyPath: path] = "b"
            case .number(let path): photo[keyPath: path] = 5
            }
            #expect(field.text(of: photo) == (field.isNumber ? nil : "b"))
            #expect(field.number(of: photo) == (field.isNumber ? 5 : nil))
            #expect(PhotoField.all.filter { $0.value(of: photo) != nil } == [field])
        }
    }

    @Test("A photo whose facts were removed is equal to one without facts, and copies do not share changes")
    func removal() {
        let plain = Photo(id: "a", url: "https://example.org/a.jpg")
        var photo = plain
        photo.caption = "A lake"
        photo.width = 3
        let stated = photo
        (photo.caption, photo.width) = (nil, nil)
        #expect(stated.caption == "A lake" && stated.width == 3 && stated != plain)
        #expect(photo == plain && photo.hashValue == plain.hashValue)
    }

    @Test("A photo is coded as one object with its facts, and those that are missing are omitted")
    func coding() throws {
        for caption in ["A lake", nil] {
            var photo = Photo(id: "a", url: "https://example.org/a.jpg")
            photo.caption = caption
            let data = try JSONEncoder().encode(photo)
            let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(Set(members.keys) == Set(["id", "variants"] + (caption.map { _ in ["caption"] } ?? [])))
            #expect(members["caption"] as? String == caption)
            #expect(try JSONDecoder().decode(Photo.self, from: data) == photo)
        }
    }

    @Test("Names are spelt as their places need them, and a link refers to a field with an address")
    func names() {
        for field in PhotoField.all {
            #expect(field.name.utf8.allSatisfy { ("a"..."z").contains(Character(.init($0))) || $0 == 0x5F })
            #expect(field.listNames.allSatisfy { $0.allSatisfy { ("a"..."z").contains($0) } })
            #expect(field.isNumber == [.side, .date, .rating].contains(field.kind))
            guard case .ofFeed(_, _, let link?) = field.gallery else { continue }
            #expect(PhotoField.all.first { $0.name == link }?.kind == .link)
        }
        let listNames = PhotoField.all.flatMap(\.listNames)
        #expect(Set(listNames).count == listNames.count)
        #expect(PhotoField.field(\.camera).name == "camera")
    }

    @Test("The documentation names every field where users need it")
    func documentation() throws {
        func page(_ name: String) throws -> String {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Documentation")
            return try String(contentsOf: folder.appending(path: name).standardized, encoding: .utf8)
        }
        let (lists, names, upkeep) = (try page("lists.md"), try page("names.md"), try page("upkeep.md"))
        for field in PhotoField.all {
            if !field.listNames.isEmpty { #expect(lists.contains("`\(field.name)`"), "\(field.name)") }
            if field.uses.contains(.fileName) { #expect(names.contains("{\(field.name)}"), "\(field.name)") }
            if field.manifest != .absent { #expect(upkeep.contains("`\(field.name)`"), "\(field.name)") }
        }
    }
}

@Suite("Variants", .timeLimit(.minutes(10))) struct VariantTests {
    @Test(
        "Credentials are removed from the address and restored for requests",
        arguments: [
            ("http://user:pass@a.test/x", "http://a.test/x", "user:pass"),
            ("HTTPS://u@a.test:81?x", "HTTPS://a.test:81?x", "u"), ("http://u:p@w@a.test", "http://a.test", "u:p@w"),
            ("http://u\\@a.test/", "http://a.test/", "u\\"), ("http://@a.test/", "http://a.test/", ""),
            ("http://a.test/x@y", "http://a.test/x@y", nil), ("http://a.test?x@y", "http://a.test?x@y", nil),
            ("http://a.test#x@y", "http://a.test#x@y", nil), ("http:u@a.test", "http:u@a.test", nil),
            ("/photos/a://b@c.jpg", "/photos/a://b@c.jpg", nil), ("", "", nil),
            ("iiif:https://u:p@a.test/m", "iiif:https://a.test/m", "u:p"),
        ])
    func userinfo(text: String, url: String, userinfo: String?) {
        let variant = Variant(name: "original", url: text)
        #expect(variant.url == url && variant.userinfo == userinfo && variant.address == text)
    }

    @Test("Credentials are removed from a photo's links")
    func links() {
        var photo = Photo(id: "a")
        (photo.pageURL, photo.authorURL) = ("http://u:p@a.test/page", "http://u:p@a.test/author")
        photo.licenseURL = "http://u:p@a.test/licence"
        #expect(photo.pageURL == "http://a.test/page" && photo.authorURL == "http://a.test/author")
        #expect(photo.licenseURL == "http://a.test/licence")
    }
}

@Suite("Source titles", .timeLimit(.minutes(10))) struct SourceTitleTests {
    @Test(
        "The title comes from the source, without scheme, credentials, query and extensions",
        arguments: [
            ("demo", "Demo"), ("lake_photos-2024", "Lake photos 2024"), ("NASA", "NASA"), ("élan/", "Élan"),
            ("/data/lists/lake_photos.csv.gz", "Lake photos"), ("Ferien.2024", "Ferien.2024"),
            ("photos/a and 2 more", "A and 2 more"), ("unsplash:lakes", "Unsplash:lakes"),
            ("https://user:secret@www.example.org/photos.rss?key=secret#top", "example.org/photos.rss"),
            ("iiif:https://example.org/collection/top/", "example.org/collection/top"),
            ("https://commons.example/wiki/Category:K%C3%B6ln", "commons.example/wiki/Category:Köln"),
            ("https://example.org/%FF%", "example.org/%FF%"), ("s3://bucket/2024/", "bucket/2024"),
        ])
    func titles(source: String, title: String) {
        #expect(SourceTitle.text(of: source) == title)
    }

    @Test("A source without a name has no title", arguments: ["-", "", ".", "..", "/", "https://", "../.."])
    func lacksTitle(source: String) {
        #expect(SourceTitle.text(of: source) == nil)
    }
}

@Suite("Terms of use", .timeLimit(.minutes(5))) struct UsageTermsTests {
    @Test(
        "Statements that reserve the training of models",
        arguments: [
            "x-robots-tag: noai", "x-robots-tag: googlebot: noindex, noml", "x-robots-tag: all, noimageai",
            "tdm-reservation: 1", "content-usage: train-ai=n", "content-usage: search=y, train-ai=n",
            "robots.txt content-usage: train-ai=n", "robots.txt content-signal: search=yes,ai-train=no",
            "iptc data-mining: DMI-PROHIBITED", "iptc data-mining: DMI-PROHIBITED-GENAIMLTRAINING",
            "c2pa.training-mining: c2pa.ai_inference=allowed, c2pa.ai_training=notAllowed",
            "cawg.training-mining: cawg.ai_training=allowed, cawg.data_mining=constrained",
            "tdmrep.json tdm-reservation: 1", "tdm-reservation: 2; tdmrep.json tdm-reservation: 1",
            "x-robots-tag: noindex; tdm-reservation: 1; tdm-policy: https://a.test/p",
        ])
    func reserved(text: String) {
        #expect(UsageTerms(text: text).reservesTraining)
        #expect(UsageTerms(text: text).text == text)
    }

    @Test(
        "Other statements",
        arguments: [
            "iptc data-mining: DMI-ALLOWED", "iptc data-mining: DMI-UNSPECIFIED",
            "c2pa.training-mining: c2pa.ai_inference=notAllowed, c2pa.ai_training=allowed",
            "x-robots-tag: noindex", "tdm-reservation: 0", "tdm-reservation: 0; tdmrep.json tdm-reservation: 1",
            "content-usage: train-ai=y", "tdm-policy: https://a.test/1",
            "robots.txt content-signal: ai-train=yes, ai-input=no", "robots.txt license: https://a.test/noai", "noai",
            "",
        ])
    func free(text: String) {
        #expect(!UsageTerms(text: text).reservesTraining)
    }

    @Test("A value cannot add statements, and their number and length are limited")
    func hostile() {
        let terms = UsageTerms([UsageTerms.Statement("x-robots-tag", "all; tdm-reservation: 1\n")])
        #expect(terms.text == "x-robots-tag: all tdm-reservation: 1" && !terms.reservesTraining)
        let many = UsageTerms(
            (0..<1000).map { _ in UsageTerms.Statement("content-usage", String(repeating: "x", count: 10_000)) })
        #expect(many.text?.utf8.count ?? 0 < 10_000)
    }
}

@Suite("Summary of usage terms", .timeLimit(.minutes(5))) struct UsageSummaryTests {
    @Test("It counts photos by rule and by host, and sums up hosts beyond a limit")
    func counts() throws {
        let terms = [
            ("a.test", "x-robots-tag: noai, noimageai; tdm-reservation: 1", 3), ("a.test", "x-robots-tag: noindex", 2),
            ("b.test", "robots.txt content-usage: train-ai=n; x-robots-tag: noai", 4), ("c.test", "made-up: noai", 1),
        ]
        let skipped = (host: "b.test", usage: "robots.txt: disallow", photos: 0, skipped: 2)
        let summary = UsageSummary(terms.map { (host: $0.0, usage: $0.1, photos: $0.2, skipped: 0) } + [skipped])
        #expect(summary.total.photos == 10 && summary.total.reserved == 7 && summary.others == nil)
        #expect(summary.total.skipped == 2 && summary.total.all == 12)
        #expect(
            summary.total.rules == [
                "x-robots-tag noai": 7, "x-robots-tag noimageai": 3, "tdm-reservation": 3, "x-robots-tag": 2,
                "robots.txt content-usage": 4, "robots.txt": 2, "other": 1,
            ])
        #expect(summary.hosts.map(\.name) == ["b.test", "a.test", "c.test"])
        #expect(summary.hosts[1].counts.photos == 5 && summary.hosts[1].counts.reserved == 3)

        let many = UsageSummary(
            (1...30).map { (host: "h\($0).test", usage: "tdm-reservation: 0", photos: $0, skipped: 0) })
        #expect(many.hosts.count == 20 && many.hosts.first?.name == "h30.test")
        #expect(many.others?.count == 10 && many.others?.sum.photos == 55 && many.total.reserved == 0)
    }
}
