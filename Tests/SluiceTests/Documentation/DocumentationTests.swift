// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceCluster
import SluiceEngine
import SluiceImaging
import SluiceModel
import SluiceTransfer
import Testing

@Suite("Documentation", .timeLimit(.minutes(10))) struct DocumentationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// The examples at the end of this file, without their indentation.
    private static func examples() throws -> [String] {
        let text = try String(contentsOfFile: #filePath, encoding: .utf8)
        return text.components(separatedBy: "    // Example\n").dropFirst().map {
            $0.components(separatedBy: "    // End\n")[0].split(separator: "\n").map { $0.dropFirst(4) }
                .joined(separator: "\n")
        }
    }

    /// The Swift code in a Markdown file, without its imports.
    private static func code(in file: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map { block in
            block.components(separatedBy: "\n```")[0].split(separator: "\n").drop { $0.hasPrefix("import ") }
                .joined(separator: "\n")
        }
    }

    private static func pages() throws -> [String] {
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter {
            $0.hasSuffix(".md") && !$0.contains(".build/")
                && ($0 == "README.md" || $0.hasPrefix("Documentation/") || $0.contains(".docc/"))
        }
    }

    @Test("Every Swift example in README, guide and catalogues is compiled by a test")
    func swiftExamples() throws {
        let examples = try Self.examples()
        var count = 0
        for page in try Self.pages() {
            for code in try Self.code(in: page) {
                #expect(examples.contains(code), "\(page) has an example that this file does not contain:\n\(code)")
                count += 1
            }
        }
        #expect(count > examples.count)
    }

    @Test("The example in the README is short")
    func readme() throws {
        let code = try #require(try Self.code(in: "README.md").first)
        #expect(code.split(separator: "\n").count <= 10)
    }
}

// The examples of the library in README, Documentation and the DocC catalogues. Compiling them here proves that they
// are valid; `DocumentationTests` compares the texts.

private func mirror() async throws {
    // Example
    var options = MirrorOptions()
    options.pages = 3
    let mirror = PhotoMirror(of: "demo", into: "photos", options: options)
    let summary = try await mirror.run { event in
        if case .itemEnded(let item, .done(let receipt)) = event {
            print(item.photo.caption ?? item.photo.id, receipt.original?.path ?? "")
        }
    }
    print("\(summary.done) photos, \(summary.failed) failed, in \(summary.duration)")
    // End
}

private func events(_ mirror: PhotoMirror) async throws {
    // Example
    let events = mirror.events()
    let progress = Task {
        for await event in events {
            if case .itemEnded(let item, let outcome) = event { print(item.photo.id, outcome) }
        }
    }
    _ = try await mirror.run()
    await progress.value
    // End
}

private func cancelling() async throws {
    // Example
    let mirror = PhotoMirror(of: "demo", into: "photos")
    let events = mirror.events()
    async let summary = mirror.run()
    var loading = PageLoadingState.idle
    for await event in events {
        loading.update(with: event)
        if case .itemStarted(let item) = event, item.photo.author == nil { mirror.cancel(item.id) }
    }
    print(try await summary.done, loading.photos)
    // End
}

private func folder() async throws {
    // Example
    var options = ThumbnailRunOptions()
    options.thumbnails.sizes = [ThumbnailSize(width: 320, height: 320)]
    options.isolation = .workers(executable: "/usr/bin/sluice")
    let summary = try await ThumbnailRun(of: ["Pictures"], into: "small", options: options).run()
    print("\(summary.done) pictures")
    // End
}

private func ownFeed() async throws {
    // Example
    struct Album: PhotoFeed {
        let name = "album"
        let rows: [(id: String, url: String)]

        func page(at cursor: String?) async throws -> PhotoPage {
            let start = cursor.flatMap { Int($0) } ?? 0
            let end = min(start + 100, rows.count)
            return PhotoPage(
                rows[start..<end].map { Photo(id: $0.id, url: $0.url) }, next: end < rows.count ? "\(end)" : nil)
        }
    }
    let album = Album(rows: [("1", "https://example.org/1.jpg")])
    let summary = try await PhotoMirror(of: album, into: "photos").run()
    // End
    print(summary)
}

private func memory() async throws {
    // Example
    let loader = MemoryLoader(
        width: 16, hosts: HostRules(perHost: 4), options: TransferOptions(userAgent: "example/1.0"))
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for number in 1...100 {
            group.addTask { try await loader.bytes(from: "https://example.org/\(number).jpg") }
        }
        for try await photo in group { print(photo.count) }
    }
    // End
}

private func thumbnails() throws {
    // Example
    var options = ThumbnailOptions()
    options.sizes = [ThumbnailSize(width: 256, height: 256), ThumbnailSize(width: 1024, height: nil)]
    options.format = .fixed(.webp)
    let photo = try Data(contentsOf: URL(filePath: "photo.jpg"))
    let result = try Thumbnailer(options).thumbnails(of: Array(photo))
    for thumbnail in result.thumbnails { print(thumbnail.width, thumbnail.height, thumbnail.bytes.count) }
    // End
}

private func download() async throws {
    // Example
    let options = TransferOptions(userAgent: "example/1.0")
    let loader = try Loader(into: "files", width: 64, options: options) { event in
        if case .ended(let download, let result) = event { print(download.name, result) }
    }
    for number in 1...100 {
        await loader.load(Request("https://example.org/\(number).jpg"), as: "\(number).jpg")
    }
    await loader.waitUntilIdle()
    // End
}

private func cluster() async throws {
    // Example
    // Once.
    let report = try await ShardPlanning(
        of: "photos.csv", into: "plan", options: MirrorOptions(), count: .shards(8)
    ).run()
    print("\(report.plan.rows) photos in \(report.plan.shards.count) shards")

    // Once for each shard, on any machine.
    let shard = try ShardRun(0, ofPlanIn: "plan", into: "photos", options: MirrorOptions())
    let summary = try await shard.run()
    print("\(summary.done) photos, \(shard.outcome)")

    // Once, after all shards.
    let merge = try PlanMerge(ofPlansIn: ["plan"], into: "photos", options: MirrorOptions())
    let missing = try merge.prove()
    if missing.isEmpty { print(try await merge.run().done) }
    // End
}
