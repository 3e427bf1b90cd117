// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

/// Runs whose photos a program lists with its own code.
@Suite("Feeds of a program", .timeLimit(.minutes(5))) struct PhotoFeedTests: MirrorSuite {
    /// Lists photos, two on a page, and records which cursors were asked for.
    private struct Pages: PhotoFeed {
        var photos: [Photo]
        /// Thrown in place of the page at this cursor.
        var failures: [String: any Error & Sendable] = [:]
        let cursors = Cursors()

        final class Cursors: Sendable {
            let all = Locked<[String?]>([])
        }

        var name: String { "mine" }

        func page(at cursor: String?) async throws -> PhotoPage {
            cursors.all.withLock { $0.append(cursor) }
            if let failure = failures[cursor ?? ""] { throw failure }
            let start = cursor.flatMap(Int.init) ?? 0
            let end = min(start + 2, photos.count)
            return PhotoPage(
                Array(photos[start..<end]), next: end < photos.count ? "\(end)" : nil, total: photos.count)
        }
    }

    private struct OwnError: Error, CustomStringConvertible {
        let description = "my database is closed"
    }

    let folder = TemporaryFolder()
    private let service = ScriptedService { _ in OriginReply(type: "image/png", png()) }
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    private func photos(_ ids: String...) -> [Photo] {
        ids.map { id in
            var photo = Photo(id: id, url: address(id))
            photo.caption = "Photo \(id)"
            return photo
        }
    }

    private func mirror(_ feed: some PhotoFeed, _ change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        PhotoMirror(of: feed, into: out, options: options(change))
    }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 4, height: 4)]
        options.network.respectsRobotsTxt = false
        options.retries = 0
    }

    @Test("All pages are mirrored in their order, with the photos' facts")
    func mirroring() async throws {
        let feed = Pages(photos: photos("a", "b", "c", "d", "e"))
        let run = mirror(feed)
        #expect(run.sources == ["program:mine"])
        let summary = try await run.run()
        #expect(summary.done == 5)
        #expect(feed.cursors.all.withLock(\.self) == [nil, "2", "4"])
        let lines = try manifest()
        #expect(lines.map { $0["id"]?.text } == ["a", "b", "c", "d", "e"])
        #expect(lines.map { $0["caption"]?.text }.last == "Photo e")
        #expect(lines.allSatisfy { $0["feed"]?.text == "mine" })
    }

    @Test("A second run requests only the new photo")
    func repeating() async throws {
        _ = try await mirror(Pages(photos: photos("a", "b"))).run()
        service.forget()
        let summary = try await mirror(Pages(photos: photos("a", "b", "c"))).run()
        #expect(summary.done == 1 && summary.kept == 2)
        #expect(service.requests.map(\.path) == ["/c"])
    }

    @Test("A photo whose id cannot be recorded fails alone")
    func ids() async throws {
        let feed = Pages(photos: photos("a", "", String(repeating: "é", count: 600)))
        let summary = try await mirror(feed).run()
        #expect(summary.done == 1 && summary.failed == 2)
        #expect(try manifest().count { $0["cause"]?.text == "feed-parse" } == 2)
    }

    @Test("An error of the program is reported with its own words, and a failure with its cause")
    func errors() async throws {
        for (error, cause, detail): (any Error & Sendable, Cause, String) in [
            (OwnError(), .feedParse, "my database is closed"), (Failure(.timeout, "no answer"), .timeout, "no answer"),
        ] {
            let failures = Locked<[Failure]>([])
            let feed = Pages(photos: photos("a", "b", "c"), failures: ["2": error])
            let summary = try await mirror(feed).run { event in
                if case .pageFailed(_, let failure) = event { failures.withLock { $0.append(failure) } }
            }
            #expect(summary.done + summary.kept == 2)
            let failure = try #require(failures.withLock(\.first))
            #expect(failure.cause == cause && failure.detail.contains(detail))
        }
    }

    @Test("Stopping the run cancels the page that is being read")
    func stopping() async throws {
        struct Waiting: PhotoFeed {
            let name = "waiting"
            let began = Gate(opensAt: 1)
            let wasCancelled = OneShot<Bool>()

            func page(at cursor: String?) async throws -> PhotoPage {
                began.open()
                await Gate(opensAt: .max).pass()
                wasCancelled.set(Task.isCancelled)
                throw CancellationError()
            }
        }
        let feed = Waiting()
        let run = mirror(feed)
        async let summary = run.run()
        await feed.began.pass(countingIn: false)
        run.stop()
        #expect(await feed.wasCancelled.value())
        #expect(try await summary.done == 0)
    }

    @Test("Without the program, the photos can be retried, and its pages are told to be its own")
    func elsewhere() async throws {
        _ = try await mirror(Pages(photos: photos("a", "b"))).run()
        let failures = Locked<[Failure]>([])
        var options = mirror(Pages(photos: [])).options
        let again = PhotoMirror(of: "program:mine", into: folder.path("out"), options: options)
        _ = try await again.run { event in
            if case .pageFailed(_, let failure) = event { failures.withLock { $0.append(failure) } }
        }
        #expect(failures.withLock(\.first)?.detail.contains("only the program that listed these photos can") == true)
        options.retriedCauses = CauseSet("http-5xx")
        let retry = PhotoMirror(of: "program:mine", into: folder.path("out"), options: options)
        #expect(try await retry.run().failed == 0)
    }
}
