// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// When a run writes the manifest and the gallery, and when it leaves them unchanged.
@Suite("Exports", .serialized, .timeLimit(.minutes(10))) struct ExportTests {
    private let folder: TemporaryFolder
    private var out: String { folder.path("mirror") }

    init() throws { folder = try TemporaryFolder() }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws {
        var options = MirrorOptions()
        (options.pages, options.perPage, options.variant) = (1, 3, "thumb")
        options.thumbnails.sizes = []
        change(&options)
        _ = try await PhotoMirror(of: "demo", into: out, options: options).run()
    }

    private static let files = ["manifest.jsonl", "manifest.csv", "index.html", "gallery/data/1.js"]

    /// Identifiers that change when a file is rewritten, even with the same bytes.
    private func stamps() throws -> [String?] {
        let mirror = try Folder(out)
        return Self.files.map { mirror.stamp(of: $0) }
    }

    @Test("A run that changes nothing touches none of the files")
    func unchanged() async throws {
        try await run()
        let before = try stamps()
        try await run()
        #expect(try stamps() == before && !before.contains(nil))
    }

    @Test("A missing or changed file is written again", arguments: files)
    func lost(name: String) async throws {
        try await run()
        let bytes = try folder.bytes(of: "mirror/\(name)")
        try FileManager.default.removeItem(atPath: "\(out)/\(name)")
        try await run()
        #expect(try folder.bytes(of: "mirror/\(name)") == bytes)
        try Data("x".utf8).write(to: URL(filePath: "\(out)/\(name)"))
        try await run()
        #expect(try folder.bytes(of: "mirror/\(name)") == bytes)
    }

    @Test("A run without changes writes the files that a killed run did not write")
    func killed() async throws {
        try await run()
        let before = try folder.bytes(of: "mirror/manifest.jsonl")
        do {
            let ledger = try Ledger(in: Folder(out))
            let entry = try #require(try ledger.entry(at: 2))
            var receipt = try #require(entry.receipt)
            receipt.etag = "another"
            try ledger.record(receipt, for: entry.item)
        }
        try await run()
        let after = try folder.bytes(of: "mirror/manifest.jsonl")
        #expect(after != before && String(decoding: after, as: UTF8.self).contains("another"))
    }

    @Test("A gallery is written when --no-gallery is no longer given")
    func gallery() async throws {
        try await run { $0.writesGallery = false }
        #expect(try stamps()[2] == nil)
        try await run()
        #expect(try !stamps().contains(nil))
    }
}
