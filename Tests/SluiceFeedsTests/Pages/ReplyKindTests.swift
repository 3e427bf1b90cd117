// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceFeeds

@Suite("Kinds of replies", .timeLimit(.minutes(10))) struct ReplyKindTests {
    /// A blank line before a manifest made it a feed, and a context at its end an unknown service.
    @Test(
        "JSON documents are recognised after blank lines, and by members anywhere in them",
        arguments: [
            (#"{"@context":"http://iiif.io/api/presentation/2/context.json"}"#, ReplyKind.iiif),
            (#"{"label":"LONG","@context":["x","http://iiif.io/api/presentation/3/context.json"]}"#, .iiif),
            (#"{"label":"LONG","type":"Manifest","items":[]}"#, .iiif),
            (#"{"label":"LONG","@type":"sc:Manifest","sequences":[]}"#, .iiif),
            (#"{"items":["LONG"],"version":"https://jsonfeed.org/version/1.1"}"#, .jsonFeed),
            (#"{"label":"LONG","type":"Manifest"}"#, .json), (#"{"type":"Collection","stac_version":"1.0.0"}"#, .json),
        ])
    func objects(text: String, kind: ReplyKind) {
        let long = String(repeating: "x", count: 10_000)
        for start in ["", "\n\n", "\u{FEFF}", " \u{FEFF}\n"] {
            let bytes = Array((start + text.replacing("LONG", with: long)).utf8)
            #expect(ReplyKind(type: "application/json", name: "x", bytes: bytes) == kind)
        }
    }
}
