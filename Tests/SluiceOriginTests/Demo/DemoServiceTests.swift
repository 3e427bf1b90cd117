// SPDX-License-Identifier: MIT

import Foundation
import SluiceDemo
import SluiceModel
import SluiceOrigin
import Testing

@Suite("Demo service", .timeLimit(.minutes(10))) struct DemoServiceTests {
    let service = DemoService(encode: plainEncode)

    func get(_ target: String, _ headers: [OriginHeader] = []) -> OriginReply {
        service.reply(to: OriginRequest(target: target, headers: headers))
    }

    /// Returns all photos as the service lists them.
    func photos(order: String = "latest") throws -> [JSON] {
        try (1...10).flatMap { page in
            try #require(get("/photos?page=\(page)&per_page=30&order_by=\(order)").json?.elements)
        }
    }

    /// Returns the path and query of one of the service's URLs.
    func target(_ address: String?) throws -> String {
        let address = try #require(address)
        #expect(address.hasPrefix(DemoService.address + "/"))
        return String(address.dropFirst(DemoService.address.count))
    }

    @Test("Following the next links over HTTP returns each of the 300 photos once") func walk() throws {
        let origin = try OriginServer(service)
        var next: String? = "/photos?per_page=30"
        var ids: [String] = []
        var pages = 0
        while let page = next, pages < 20 {
            let reply = try RawClient.fetch(page, from: origin)
            pages += 1
            #expect(reply.header("X-Total") == "300")
            #expect(reply.header("X-Per-Page") == "30")
            ids += try #require(JSON(parsing: reply.body).elements).compactMap { $0["id"]?.text }
            let links = try #require(reply.header("Link")).components(separatedBy: ", ")
            let link = links.first { $0.hasSuffix("rel=\"next\"") }
            next = try link.map { try target($0.split(separator: ">").first.map { String($0.dropFirst()) }) }
            #expect(links.contains { $0.hasSuffix("rel=\"prev\"") } == (pages > 1))
            #expect(links.contains { $0.hasSuffix("rel=\"last\"") && $0.contains("page=10&") })
        }
        #expect(pages == 10)
        #expect(ids.count == 300)
        #expect(Set(ids).count == 300)
        #expect(ids.allSatisfy { $0.count == 11 })
    }

    @Test("A page has 10 photos by default, 30 at most, and none beyond the end")
    func pageSizes() {
        #expect(get("/photos").json?.elements?.count == 10)
        #expect(get("/photos?per_page=7").json?.elements?.count == 7)
        #expect(get("/photos?per_page=1000").json?.elements?.count == 30)
        #expect(get("/photos?per_page=1000").header("X-Per-Page") == "30")
        #expect(get("/photos?page=11&per_page=30").json?.elements?.count == 0)
        #expect(get("/photos?page=11&per_page=30").header("Link")?.contains("rel=\"next\"") == false)
        #expect(get("/photos?page=43&per_page=7").json?.elements?.count == 6)
    }

    @Test(
        "An invalid parameter is refused with a JSON error",
        arguments: [
            "page=0", "page=-1", "page=two", "page=", "per_page=0", "per_page=1.5", "page=99999999999999999999",
            "order_by=newest", "page=9223372036854775807&per_page=30",
        ])
    func refusals(query: String) {
        let reply = get("/photos?" + query)
        #expect(reply.status == 400)
        #expect(reply.json?["errors"]?.elements?.count == 1)
    }

    @Test("All orders list the same photos") func orders() throws {
        let latest = try photos()
        let oldest = try photos(order: "oldest")
        let popular = try photos(order: "popular")
        #expect(oldest == latest.reversed())
        #expect(Set(popular) == Set(latest))
        #expect(
            latest.compactMap { $0["created_at"]?.text } == latest.compactMap { $0["created_at"]?.text }.sorted(by: >))
        let likes = popular.compactMap { $0["likes"]?.integer }
        #expect(likes == likes.sorted(by: >))
    }

    @Test("A photo has all the fields that its recipe reads") func fields() throws {
        for photo in try photos() {
            let id = try #require(photo["id"]?.text)
            for name in ["raw", "full", "regular", "small", "thumb"] {
                #expect(photo["urls"]?[name]?.text?.hasPrefix("\(DemoService.address)/images/\(id)/\(name).") == true)
            }
            #expect(photo["user"]?["name"]?.text?.contains(" ") == true)
            #expect(photo["user"]?["links"]?["html"]?.text?.hasPrefix(DemoService.address) == true)
            #expect(photo["links"]?["html"]?.text?.hasPrefix(DemoService.address) == true)
            #expect(photo["color"]?.text?.count == 7)
            #expect(photo["alt_description"]?.text?.contains("{") == false)
            #expect(photo["description"]?.text?.contains("{") != true)
            #expect(photo["blur_hash"] == .null)
            #expect((photo["width"]?.integer ?? 0) >= 1200)
            let detail = get(try target(photo["links"]?["self"]?.text))
            #expect(detail.json == photo)
        }
    }

    @Test("Some descriptions are null, and most captions differ") func captions() throws {
        let photos = try photos()
        let silent = photos.count { $0["description"] == .null }
        #expect((60...180).contains(silent))
        #expect(Set(photos.map { $0["description"]?.text ?? $0["alt_description"]?.text }).count > 120)
        #expect(Set(photos.map { $0["user"]?["name"]?.text }).count > 20)
    }

    @Test("Formats, sizes and orientations have the documented shares") func shares() throws {
        var kinds: [String: Int] = [:]
        var orientations: [String: Int] = [:]
        var cutOut = 0
        for photo in try photos().prefix(100) {
            let reply = get(try target(photo["urls"]?["thumb"]?.text))
            let file = try #require(PlainPicture(reply.body))
            let type = try #require(reply.header("Content-Type"))
            #expect(type == "image/\(file.words[0])")
            kinds[file.words[0] == "jpeg" ? "jpeg \(file.words[2])" : file.words[0], default: 0] += 1
            if file.words[0] == "jpeg" { orientations[file.words[1], default: 0] += 1 }
            if file.picture.rgba[3] == 0 { cutOut += 1 }
            let upright = Int(file.words[1]) ?? 1 < 5
            #expect((upright ? file.picture.width : file.picture.height) == 200)
        }
        #expect(kinds == ["jpeg false": 60, "jpeg true": 20, "png": 10, "webp": 10])
        #expect(orientations["1"] == 70)
        #expect(Set(orientations.keys) == ["1", "2", "3", "4", "5", "6", "7", "8"])
        #expect(cutOut == 3)
        #expect(Set(try photos().map { "\($0["width"] as Any)x\($0["height"] as Any)" }).count > 8)
    }

    @Test("A file has a strong ETag, a fixed date, a length for HEAD, and ranges that fit together")
    func files() throws {
        let origin = try OriginServer(service)
        let path = try target(try photos()[4]["urls"]?["thumb"]?.text)
        let whole = try RawClient.fetch(path, from: origin)
        let tag = try #require(whole.header("ETag"))
        #expect(tag.hasPrefix("\""))
        #expect(whole.header("Last-Modified")?.hasSuffix(" GMT") == true)
        let head = try RawClient.fetch(path, from: origin, method: "HEAD")
        #expect(head.header("Content-Length") == "\(whole.body.count)")
        #expect(head.header("ETag") == tag)
        let first = try RawClient.fetch(path, from: origin, headers: [OriginHeader("Range", "bytes=0-999")])
        let rest = try RawClient.fetch(
            path, from: origin, headers: [OriginHeader("Range", "bytes=1000-"), OriginHeader("If-Range", tag)])
        #expect(first.status == 206 && rest.status == 206)
        #expect(rest.header("Content-Range") == "bytes 1000-\(whole.body.count - 1)/\(whole.body.count)")
        #expect(first.body + rest.body == whole.body)
        let known = try RawClient.fetch(path, from: origin, headers: [OriginHeader("If-None-Match", tag)])
        #expect(known.status == 304)
        let beyond = try RawClient.fetch(path, from: origin, headers: [OriginHeader("Range", "bytes=99999999-")])
        #expect(beyond.status == 416)
    }

    @Test("A file is encoded once, and again after a small cache evicts it") func cache() throws {
        let encoded = Locked(0)
        let counting: BitmapEncoder = { picture, format in
            encoded.withLock { $0 += 1 }
            return try plainEncode(picture, format)
        }
        let paths = try photos()[..<3].map { try target($0["urls"]?["thumb"]?.text) }
        let roomy = DemoService(encode: counting)
        for path in paths + paths { _ = roomy.reply(to: OriginRequest(target: path)) }
        #expect(encoded.withLock { $0 } == 3)
        let narrow = DemoService(cacheLimit: 150_000, encode: counting)
        for path in paths + paths { _ = narrow.reply(to: OriginRequest(target: path)) }
        #expect(encoded.withLock { $0 } == 9)
    }

    @Test("Two services return the same bytes") func determinism() throws {
        let other = DemoService(encode: plainEncode)
        let page = "/photos?per_page=30"
        #expect(other.reply(to: OriginRequest(target: page)).body == get(page).body)
        for photo in try photos().prefix(6) {
            let path = try target(photo["urls"]?["thumb"]?.text)
            let (one, two) = (get(path), other.reply(to: OriginRequest(target: path)))
            #expect(one.body == two.body)
            #expect(one.header("ETag") == two.header("ETag"))
        }
    }

    @Test(
        "An unknown path is a 404 with a JSON error",
        arguments: [
            "/", "/photos/", "/photos/nobody", "/photos/a/b", "/images", "/images/x/thumb.jpg", "/photos/../photos",
            "//photos", "/%00", "*",
        ])
    func missing(target: String) {
        let reply = get(target)
        #expect(reply.status == 404)
        #expect(reply.json?["errors"]?.elements?.count == 1)
    }

    @Test("An encoder's error is a 500, and other methods are refused") func errors() throws {
        struct Broken: Error {}
        let broken = DemoService { _, _ in throw Broken() }
        let path = try target(try photos()[0]["urls"]?["thumb"]?.text)
        #expect(broken.reply(to: OriginRequest(target: path)).status == 500)
        #expect(service.reply(to: OriginRequest(method: "DELETE", target: "/photos")).status == 405)
    }
}
