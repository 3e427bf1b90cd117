// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@Suite("Mirrors of mirrors", .timeLimit(.minutes(10))) struct MirrorSourceTests: MirrorSuite {
    let folder = TemporaryFolder()
    private let service = ScriptedService { request in
        guard request.path.count == 6 else { return .text("", status: 404) }
        return OriginReply(type: "image/png", png(request.path.utf8.dropFirst().first ?? 0))
    }
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    /// The members of a manifest's lines without those that describe an HTTP reply.
    private func facts(of mirror: String) throws -> [[String]] {
        try folder.manifest(of: mirror).map { line in
            guard case .object(let members) = line else { return [] }
            return members.filter { !["status", "etag"].contains($0.name) }.map { "\($0.name): \($0.value)" }
        }
    }

    /// Mirrors a list, of which one photo fails.
    private func prepareSource() async throws {
        let rows = ["a", "b", "missing", "c"].map { "\(address("\($0).png")),Photo \($0),Ada,CC0,\($0)-7" }
        try folder.write((["url,caption,author,license,sku"] + rows).joined(separator: "\n") + "\n", to: "list.csv")
        let summary = try await mirror("list.csv").run()
        #expect((summary.done, summary.failed) == (3, 1))
    }

    private func copy(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        change(&options)
        return try await PhotoMirror(of: out, into: folder.path("copy"), options: options).run()
    }

    @Test("A mirror's photos are copied with all facts, and no host is asked") func copies() async throws {
        try await prepareSource()
        service.forget()
        let summary = try await copy()
        #expect((summary.done, summary.failed) == (3, 0))
        #expect(service.requests.isEmpty)
        let wanted = try facts(of: "out").filter { line in line.contains { $0.hasPrefix("file: ") } }
        // The positions begin at one again.
        func unnumbered(_ lines: [[String]]) -> [[String]] {
            lines.map { $0.filter { !$0.hasPrefix("seq: ") && !$0.hasPrefix("file: ") } }
        }
        #expect(try unnumbered(facts(of: "copy")) == unnumbered(wanted))
        let repeated = try await copy()
        #expect((repeated.done, repeated.kept) == (0, 3))
    }

    @Test("A selection of a mirror's photos is copied") func selects() async throws {
        try await prepareSource()
        let summary = try await copy { $0.selection.filter = try? Filter("columns.sku == \"b-7\"") }
        #expect(summary.done == 1)
        #expect(try folder.manifest(of: "copy").compactMap { $0["caption"]?.text } == ["Photo b"])
    }

    @Test("The bytes of pictures in a browser's traffic are taken from it, and the others are requested")
    func traffic() async throws {
        func entry(_ name: String, _ content: String) -> String {
            #"{"request":{"url":"\#(address(name))"},"response":{"status":200,"content":{"mimeType":"image/png"\#(content)}}}"#
        }
        let own = Data(png(7)).base64EncodedString()
        let entries = [entry("x.png?session=1", #","encoding":"base64","text":"\#(own)""#), entry("a.png", "")]
        try folder.write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "page.har")
        #expect(try await mirror("page.har").run().done == 2)
        #expect(service.requests.map(\.path).filter { $0.hasSuffix("png") } == ["/a.png"])
        #expect(try folder.manifest(of: "out").compactMap { $0["sha256"]?.text } == [sha256(png(7)), sha256(png(97))])
        let lines = try folder.manifest(of: "out")
        #expect(lines.compactMap { $0["url"]?.text } == [address("x.png?session=1"), address("a.png")])
    }

    @Test("An original that differs from its receipt is not copied") func damaged() async throws {
        try await prepareSource()
        let file = try #require(try folder.manifest(of: "out").first?["file"]?.text)
        try folder.write(png(9), to: "out/\(file)")
        let summary = try await copy()
        #expect((summary.done, summary.failed) == (2, 1))
    }
}
