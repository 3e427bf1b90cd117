// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// A server that repeats the user's secrets in every text and every spelling, and everything that the commands write.
@Suite("Repeated secrets", .timeLimit(.minutes(10))) struct CanaryTests {
    /// It is the API key, the password, the cookie and the value of a header.
    private static let canary = "canary/Key+7=x"
    private static let escaped = "canary%2FKey%2B7%3Dx"
    private static let kinds = ["header", "query", "page", "feed", "list", "iiif", "gone"]

    /// The folder of the outputs.
    private let folder = TemporaryFolder()
    /// The home folder of the user.
    private let home = TemporaryFolder()

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static let hexadecimal = canary.utf8.map { String($0, radix: 16) }.joined()

    /// The spellings that a plain text may have.
    private static let echo = [
        canary, escaped, escaped.replacing("%", with: "%25"), escaped.lowercased().replacing("key", with: "Key"),
        base64(canary), base64("user:\(canary)"), base64("x\(canary)y"), hexadecimal, hexadecimal.uppercased(),
        "canary\\/Key+7=x", "canary&#47;Key&#x2B;7=x",
    ].joined(separator: " ")

    /// What no output may have.
    private static let forbidden: [Data] = {
        // The middle of the encoded text does not depend on what is around it.
        let encoded = (0..<3).map { offset in
            base64(String(repeating: "x", count: offset) + canary).dropFirst(offset == 0 ? 0 : offset + 1).dropLast(4)
        }
        let texts =
            [
                canary, escaped, escaped.lowercased(), escaped.replacing("%", with: "%25"), "canary\\/Key",
                "canary\\u002",
                "canary&#", hexadecimal, hexadecimal.uppercased(), "Key+7", "Key%2",
            ] + encoded.map(String.init)
        return texts.map { Data($0.utf8) }
    }()

    private static func reply(_ text: String, _ type: String, status: String = "200 OK") -> [RawServer.Step] {
        [.text("HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
    }

    private static func json(_ value: Any) throws -> String {
        // JSONSerialization writes each slash as `\/`; the other escapes are added.
        String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
            .replacing("canary", with: "\\u0063anary")
    }

    private static let photos = ["/p.png?t=\(escaped)", "/r.png?1", "/gone.png?1"]

    /// The body of a source that lists the photos, with the secrets.
    private static func body(_ kind: String, at url: String) throws -> (text: String, type: String) {
        switch kind {
        case "header", "query":
            let items = photos.map { ["id": "\($0) \(canary)", "text": echo, "url": $0, "by": canary] }
            return (try json(["items": items]), "application/json")
        case "page":
            let images = photos.map {
                "<img width=400 height=400 src='\($0)' alt='canary&#x2F;Key&#43;7&#61;x \(echo)'>"
            }
            return ("<html><title>\(canary)</title>\(images.joined())</html>", "text/html")
        case "feed":
            let entries = photos.map {
                """
                <entry><id>\($0) \(canary)</id><title>\(echo.replacing("&", with: "&amp;")) canary&#x2F;Key&#43;7=x</title>\
                <author><name>\(canary)</name></author><link rel='enclosure' type='image/png' href='\($0)'/></entry>
                """
            }
            return ("<feed xmlns='http://www.w3.org/2005/Atom'>\(entries.joined())</feed>", "application/atom+xml")
        case "list":
            let rows = photos.map { "\(url)\($0),\($0) \(canary),\"\(echo)\",\(canary)" }
            return ("url,id,caption,extra\n\(rows.joined(separator: "\n"))\n", "text/csv")
        case "iiif":
            let canvases = photos.map { photo in
                let body: [String: Any] = ["id": url + photo, "type": "Image"]
                let page: [String: Any] = ["type": "AnnotationPage", "items": [["type": "Annotation", "body": body]]]
                return ["id": "\(photo) \(canary)", "type": "Canvas", "label": ["en": [echo]], "items": [page]]
                    as [String: Any]
            }
            let text = try json(
                [
                    "@context": "http://iiif.io/api/presentation/3/context.json", "id": url + "/iiif",
                    "type": "Manifest",
                    "label": ["en": [canary]], "items": canvases,
                ] as [String: Any])
            return (text, "application/json")
        default: return ("", "")
        }
    }

    /// Replies of photos, which repeat the secrets in headers and in the failure.
    private static func photoReplies() throws -> [String: [RawServer.Step]] {
        let png = try #require(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))
        let head = """
            HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nETag: "\(canary)"\r\nLast-Modified: \(canary)\r
            X-Robots-Tag: \(echo)\r\nSet-Cookie: sid=\(canary)\r\nContent-Length: \(png.count)\r\n\r

            """
        let picture: [RawServer.Step] = [.text(head), .raw(Array(png))]
        let away = "HTTP/1.1 302 Found\r\nLocation: /p.png?s=\(escaped)\r\nContent-Length: 0\r\n\r\n"
        return [
            "/p.png?t=***": picture, "/p.png?s=\(escaped)": picture, "/r.png?1": [.text(away)], "/gone.png?1": gone,
        ]
    }

    private static let gone = reply(echo, "text/plain", status: "404 Not Found")

    @Test("No output of any command has a secret that a server repeats, in any spelling", arguments: kinds)
    func outputs(kind: String) throws {
        // Lists and manifests have whole addresses.
        let photos = try RawServer(Self.photoReplies())
        let source = try Self.body(kind, at: photos.url(""))
        let path = "/\(kind)" + (kind == "query" ? "?k=\(Self.escaped)" : "")
        let server = try RawServer(
            Self.photoReplies().merging([path: kind == "gone" ? Self.gone : Self.reply(source.text, source.type)]) {
                $1
            })
        let place = kind == "header" ? #""header":"X-Key""# : #""query":"k""#
        try home.write(
            """
            {"recipe":"museum","base":"\(server.url(""))","listings":{"all":{"path":"/\(kind)"}},"records":"items",
            "photo":{"id":"id","caption":"text","author":"by"},"variants":{"full":"url"},
            "key":{"environment":"MUSEUM_KEY","from":"https://a.test/",\(place)}}
            """, to: "museum.json")
        try home.write("machine 127.0.0.1 login user password \(Self.canary)\n", to: ".netrc")
        let isRecipe = ["header", "query"].contains(kind)
        let named = server.url("/\(kind)").replacing("http://", with: "http://user:\(Self.escaped)@")
        let name = isRecipe ? home.path("museum.json") : named
        let environment = ["HOME": home.path, "MUSEUM_KEY": Self.canary]
        let network =
            ["--allow-private", "--no-robots"] + [server, photos].flatMap { ["--allow-port", "\($0.port)"] }
        try home.write("127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t\(Self.canary)\n", to: "cookies.txt")
        let secrets = [
            "--netrc", "--cookies", home.path("cookies.txt"), "--header", "X-Api-Key: \(Self.canary)", "--header",
            "Cookie: sid=\(Self.canary)",
        ]
        let files = ["--warc", "w.warc", "--trace", "t.json", "--metrics", "m.txt", "--sizes", "none"]
        var text = ""
        func run(_ words: [String], _ codes: Set<Int32>) throws {
            let result = try Running(words, environment: environment, folder: folder.url).end()
            #expect(codes.contains(result.code), "\(words) \(result)")
            text += result.out + result.err
        }
        let expected: Set<Int32> = kind == "gone" ? [4] : [3]
        try run(["mirror", name, "-o", "out", "--json"] + network + secrets + files, expected)
        try run(["mirror", name, "-o", "out"] + network + secrets + ["--sizes", "none"], expected)
        if kind != "gone" {
            for command in ["explain out", "verify out", "diff out", "gallery out", "export out -o dataset"] {
                try run(command.split(separator: " ").map(String.init), [0, 2, 3])
            }
        }
        try run(["plan", name, "--shards", "1", "-o", "plan", "--sizes", "none"] + network, kind == "gone" ? [4] : [0])
        // The secrets were sent, and the replies were read.
        let sent = [
            "X-Api-Key: \(Self.canary)", "sid=\(Self.canary)",
            isRecipe ? Self.canary : Self.base64("user:\(Self.canary)"),
        ]
        #expect(sent.allSatisfy { word in server.requests.contains { $0.contains(word) } }, "\(server.requests)")
        let tree = try Tree(of: folder.path)
        #expect(kind == "gone" || tree.text("out/manifest.jsonl").contains("***"))
        #expect(kind == "gone" || tree.names.contains("w-00001.warc") && tree.names.contains("plan/plan.json"))
        for secret in Self.forbidden {
            let word = String(decoding: secret, as: UTF8.self)
            #expect(!text.contains(word), "\(word) in \(text)")
            for (name, bytes) in tree.files { #expect(bytes.range(of: secret) == nil, "\(word) in \(name)") }
        }
    }
}
