// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Small JPEG pictures of the demo, for servers whose replies a test decides.
struct DemoPictures {
    /// The files, in the order of the demo's photos.
    let files: [[UInt8]]

    /// Makes the pictures with a mirror of at most 30 photos in the subfolder `demo`.
    init(_ count: Int, in folder: TemporaryFolder) throws {
        let words = [
            "--pages=1", "--per-page=\(count)", "--variant=thumb", "--sizes=64", "--format=jpeg", "-o", "demo",
        ]
        let demo = try Binary.run(["mirror", "demo"] + words, folder: folder.url)
        try #require(demo.code == 0, "\(demo.err)")
        let thumbnails = try Tree(of: folder.path("demo")).filtered { $0.hasPrefix("thumbs/") }
        files = thumbnails.names.map { Array(thumbnails.files[$0] ?? Data()) }
    }

    /// The path of a picture on a server.
    static func path(_ number: Int) -> String { "/\(number).jpg" }

    /// A reply with a status line, further headers and a body, after which the connection stays open.
    static func reply(_ head: String, _ body: [UInt8] = []) -> [RawServer.Step] {
        [.text("HTTP/1.1 \(head)\r\nContent-Length: \(body.count)\r\n\r\n"), .raw(body), .again]
    }

    /// A reply with each picture, by path.
    var replies: [String: [RawServer.Step]] {
        Dictionary(uniqueKeysWithValues: files.indices.map { (Self.path($0), reply($0)) })
    }

    /// A reply with a picture.
    func reply(_ number: Int, headers: String = "") -> [RawServer.Step] {
        Self.reply("200 OK\r\n\(headers)Content-Type: image/jpeg", files[number])
    }
}
