// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Interrupted runs and repairs of mirrors of several sources; `EndToEnd/Transcripts/combined.txt` has the others.
@Suite("Several sources in a run", .serialized, .timeLimit(.minutes(10))) struct SeveralSourcesTests: MirrorSuite {
    private static func feed(_ ids: String..., next: String? = nil) -> String {
        let entries = ids.map {
            "<entry><id>\($0)</id><link rel=\"enclosure\" type=\"image/png\" href=\"/photo\($0)\"/></entry>"
        }
        let link = next.map { "<link rel=\"next\" href=\"\($0)\"/>" } ?? ""
        return "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>t</title>\(link)\(entries.joined())</feed>"
    }

    private static let feeds = [
        "/a1": feed("1", "2", next: "/a2"), "/a2": feed("3"), "/b1": feed("4", next: "/late"), "/late": feed("5"),
    ]
    private static let pages = Set(["/w1", "/w2"])

    let folder = TemporaryFolder()
    /// Holds back the last page.
    private let gate = OriginGate()
    private let service: ScriptedService
    let origin: OriginServer

    init() throws {
        service = ScriptedService { [gate] request in
            if Self.pages.contains(request.path) {
                let pictures = ["lake", "photo"].map { "<p><img src=\"\(request.path)-\($0).png\"></p>" }
                return OriginReply(type: "text/html", Array("<!doctype html><body>\(pictures.joined())".utf8))
            }
            if request.path.hasSuffix("-photo.png") { return OriginReply(type: "image/png", png(side: 120)) }
            guard let feed = Self.feeds[request.path] else {
                return OriginReply(type: "image/png", png(UInt8(request.path.utf8.last ?? 0)))
            }
            var reply = OriginReply(type: "application/atom+xml", Array(feed.utf8))
            if request.path == "/late" { reply.gate = gate }
            return reply
        }
        origin = try OriginServer(service)
    }

    private func count(_ path: String) -> Int { service.requests.count { $0.path == path } }

    private func mirror(_ sources: [String]) -> PhotoMirror { PhotoMirror(of: sources, into: out, options: options()) }

    @Test("An interrupted run resumes inside the feeds and requests no recorded page again")
    func resumes() async throws {
        let sources = ["a1", "b1"].map { address($0) }
        let first = mirror(sources)
        _ = try await first.run { event in
            if case .pageLoaded(number: 3, _, _) = event { first.stop(.requested) }
        }
        gate.open()
        let second = try await mirror(sources).run()
        #expect(second.done + second.kept == 5 && second.pages == 4 && second.failedPages == 0, "\(second)")
        #expect(count("/a1") == 1 && count("/a2") == 1)
        let lines = try manifest()
        #expect(lines.compactMap { $0["id"]?.text } == ["1", "2", "3", "4", "5"])
        #expect(lines.map { $0["source"]?.text } == [0, 0, 0, 1, 1].map { sources[$0] })
        #expect(lines.compactMap { $0["page"]?.integer } == [1, 1, 2, 3, 4])
        // The pages of a complete run are read again.
        _ = try await mirror(sources).run()
        #expect(count("/a1") == 2)
    }

    /// The rule was known only to the process that had read the page, so a resumed run kept the icons.
    @Test("A resumed run skips the icons of web pages, which it does not read again")
    func icons() async throws {
        let sources = ["w1", "w2", "b1"].map { address($0) }
        let first = mirror(sources)
        _ = try await first.run { event in
            if case .pageLoaded(number: 3, _, _) = event { first.stop(.requested) }
        }
        gate.open()
        let second = try await mirror(sources).run()
        #expect(second.done + second.kept == 4 && second.skipped == 2, "\(second)")
        #expect(count("/w1") == 1 && count("/w2") == 1)
        let icons = try manifest().filter { $0["id"]?.text?.hasSuffix("-lake.png") == true }
        #expect(icons.compactMap { $0["detail"]?.text } == Array(repeating: "8x8 is smaller than 100", count: 2))
    }

    @Test("Damaged files of several feeds are repaired from their own inputs")
    func repairs() async throws {
        try folder.write(png(10), to: "in/a.png")
        try list(["1"])
        let sources = ["in", "list.txt"].map { folder.path($0) }
        #expect(try await mirror(sources).run().done == 2)
        let run = try #require(try PhotoMirror.runs(in: out).last)
        #expect(run.reads("files") && run.reads("list") && !run.reads("demo"))
        for name in folder.names() where name.hasPrefix("out/originals/") { try folder.remove(name) }
        let broken = try await Verification(of: out).run { _ in }.broken
        #expect(broken.keys.sorted() == ["files", "list"])
        for (_, items) in broken {
            let repair = PhotoMirror(of: sources, into: out, options: .loopback(origin.port), repairing: items)
            #expect(try await repair.run().done == 1)
        }
        #expect(try await faults() == [])
    }
}

/// Runs that prune nothing because they did not read the whole feed, and a run that was killed.
@Suite("Repeated runs", .serialized, .timeLimit(.minutes(10))) struct RepeatedRunTests: MirrorSuite {
    let folder = TemporaryFolder()
    let origin: OriginServer

    /// The SHA-256 of all photos, which the service states of the second one.
    private static let digest = SHA256.digest(of: png())

    init() throws {
        let bytes = stride(from: 0, to: 64, by: 2).map { UInt8(Self.digest.dropFirst($0).prefix(2), radix: 16) ?? 0 }
        let header = OriginHeader("x-amz-checksum-sha256", Data(bytes).base64EncodedString())
        let service = ScriptedService {
            OriginReply(type: "image/png", png(), headers: $0.path.hasSuffix("2") ? [header] : [])
        }
        origin = try OriginServer(service)
    }

    private var originals: [String] { folder.names().filter { $0.hasPrefix("out/originals/") } }

    @Test("A run that did not reach the feed's end, or reads another source, prunes nothing")
    func partial() async throws {
        try list(1...20)
        try await run()
        try list([100], as: "other.txt")
        for (name, count, pages) in [("list.txt", 3, nil), ("list.txt", nil, 1), ("other.txt", nil, nil)] {
            _ = try await mirror(name) {
                ($0.prune, $0.maxItems, $0.pages) = (PruneOptions(), count, pages)
            }.run()
        }
        #expect(originals.count == 21)
    }

    @Test("The manifest has the digest that a host states, also after a rebuild, and no member without one")
    func hostDigests() async throws {
        try list(1...2)
        try await run()
        let digests = [nil, "x-amz-checksum-sha256: sha256=\(Self.digest)"]
        #expect(try manifest().map { $0["host_digest"]?.text } == digests)
        _ = try PhotoMirror.rebuildLedger(out, isForced: true)
        #expect(try manifest().map { $0["host_digest"]?.text } == digests)
    }

    /// A run that was killed at that moment used to leave a photo of the same size with the old checksum in the
    /// manifest.
    @Test("A file is verified if a run ended after renaming it and before recording its receipt")
    func doubt() async throws {
        try list([1])
        #expect(try await run().done == 1)
        let name = try #require(originals.first)
        let bytes = try folder.bytes(of: name)
        func doubt() throws {
            let ledger = try Ledger(in: Folder(out))
            let item = try #require(try ledger.entry(at: 1)?.item)
            try ledger.markInDoubt([item], flushed: true)
        }
        // As if the run had ended before the file was renamed.
        try doubt()
        #expect(try await run().kept == 1)
        try folder.write(bytes.map { ~$0 }, to: name)
        // If the item is not marked as in doubt, a file of the right size is kept.
        #expect(try await run().kept == 1)
        try doubt()
        #expect(try await run().done == 1)
        #expect(try folder.bytes(of: name) == bytes)
    }

    /// A run of 160 photos ended with success, although 134 files had been removed meanwhile.
    @Test("A run from which another program removes a file ends as damaged, and the next one restores the file")
    func lostFiles() async throws {
        let file = png()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\nConnection: close\r\n\r\n"
        let isRemoved = Locked(false)
        let server = try RawServer([
            "/1.png": [.text(head), .raw(file)],
            "/2.png": [.until { isRemoved.withLock { $0 } }, .text(head), .raw(file)],
        ])
        try folder.write("\(server.url("/1.png"))\n\(server.url("/2.png"))\n", to: "list.txt")
        let change = { (options: inout MirrorOptions) in options.network.allowedPorts = [Int(server.port)] }
        let first = try await mirror(change: change).run { [folder] event in
            guard case .itemEnded(_, .done(let receipt)) = event, let path = receipt.original?.path else { return }
            isRemoved.withLock { isRemoved in
                if !isRemoved { try? folder.remove("out/\(path)") }
                isRemoved = true
            }
        }
        guard case .damaged(let failure)? = first.stop else { return #expect(first.stop != nil) }
        #expect(failure.detail.contains("1 of the 2 photos"), "\(failure.detail)")
        let second = try await run(change)
        #expect(second.stop == nil && second.done == 1 && second.kept == 1)
    }
}
