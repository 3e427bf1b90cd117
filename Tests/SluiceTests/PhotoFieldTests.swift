// SPDX-License-Identifier: MIT

import Foundation
import SluiceEngine
import SluiceFeeds
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice

/// Follows every photo field from a source through the files of a mirror, and back into a rebuilt ledger.
@Suite("Photo fields of a mirror", .serialized, .timeLimit(.minutes(10))) struct PhotoFieldTests: MirrorSuite {
    /// Serves one picture of 8 x 8 pixels, one text in place of a picture, and a listing of both.
    private final class Service: OriginService {
        let listing = Locked("")

        func reply(to request: OriginRequest) -> OriginReply {
            switch request.path {
            case "/list": .json(listing.withLock { $0 })
            case "/good", "/ping": OriginReply(type: "image/png", png())
            case "/lost": .text("This is text.")
            default: .text("", status: 404)
            }
        }
    }

    /// The kinds of source that can state fields by name.
    enum SourceKind: CaseIterable {
        case recipe, list

        func states(_ field: PhotoField) -> Bool {
            self == .recipe ? field.isStatedByRecipes : field.kind != .object && !field.listNames.isEmpty
        }
    }

    let folder = TemporaryFolder()
    private let service = Service()
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    /// The text with which the source states the field.
    private func stated(_ field: PhotoField) -> String {
        switch field.kind {
        case .text, .object, .tags: "The \(field.name)"
        case .link: address(field.name)
        case .color: "#a1b2c3"
        case .side: "8"
        case .rating: "5"
        case .date: "2023-11-14T22:13:20Z"
        }
    }

    /// The field's value in ledger, manifest and gallery, as text.
    private func value(_ field: PhotoField) -> String { field.kind == .date ? "1700000000" : stated(field) }

    /// Writes the source and returns its path.
    private func source(_ kind: SourceKind) throws -> String {
        let fields = PhotoField.all.filter(kind.states)
        let text: String
        switch kind {
        case .recipe:
            let members = fields.map { "\"\($0.name)\":\"its_\($0.name)\"" }.joined(separator: ",")
            let facts = fields.map { "\"its_\($0.name)\":\"\(stated($0))\"" }.joined(separator: ",")
            let records = ["good", "lost"].map { "{\"key\":\"\($0)\",\"url\":\"\(address($0))\",\(facts)}" }
            service.listing.withLock { $0 = "[\(records.joined(separator: ","))]" }
            text = """
                {"recipe":"x","base":"http://127.0.0.1:\(origin.port)","listings":{"all":{"path":"/list"}},
                "paging":{"by":"none"},"photo":{"id":"key",\(members)},"variants":{"full":"url"}}
                """
        case .list:
            let rows = ["good", "lost"].map { "\($0),\(address($0)),\(fields.map(stated).joined(separator: ","))" }
            text = "id,url,\(fields.map(\.name).joined(separator: ","))\n\(rows.joined(separator: "\n"))\n"
        }
        return try folder.write(text, to: kind == .recipe ? "service.json" : "list.csv")
    }

    private func mirror(_ kind: SourceKind) async throws {
        let options = options {
            ($0.thumbnails.sizes, $0.retries) = ([ThumbnailSize(width: 4, height: 4)], 0)
        }
        let summary = try await PhotoMirror(of: source(kind), into: out, options: options).run()
        try #require(summary.done == 1 && summary.failed == 1)
    }

    /// One photo as the files of the mirror have it.
    private struct Traces {
        var entry: LedgerEntry
        var line: JSON
        var row: [String: String]
        var record: JSON
    }

    private func traces() throws -> [Traces] {
        let ledger = try Ledger(reading: Folder(folder.path("out")))
        defer { ledger.close() }
        let lines = try folder.bytes(of: "out/manifest.jsonl").split(separator: UInt8(ascii: "\n"))
        let rows = Self.cells(try folder.text("out/manifest.csv"))
        let script = try folder.text("out/gallery/data/1.js")
        let chunk = script.drop { $0 != "[" }.prefix { $0 != ")" }
        let records = try #require(try JSON(parsing: Array(chunk.utf8)).elements)
        return try ledger.entries(after: 0, limit: 10).enumerated().map { index, entry in
            Traces(
                entry: entry, line: try JSON(parsing: Array(lines[index])),
                row: Dictionary(uniqueKeysWithValues: zip(rows[0], rows[index + 1])), record: records[index])
        }
    }

    /// Splits a table into cells; no cell of these tests contains a quote or a line break.
    private static func cells(_ table: String) -> [[String]] {
        var rows: [[String]] = []
        for row in table.split(separator: "\n") {
            var text = ""
            for (index, part) in row.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
                let cell = String(part)
                text += index % 2 == 0 ? cell : cell.replacingOccurrences(of: ",", with: ";")
            }
            rows.append(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
        }
        return rows
    }

    /// Checks every field of both photos in the ledger, the manifest and the gallery.
    private func check(_ kind: SourceKind, isRebuilt: Bool) throws {
        for traces in try traces() {
            let isDone = traces.entry.receipt?.state == .done
            for field in PhotoField.all {
                let expected = kind.states(field) ? value(field) : nil
                let photo = traces.entry.item.photo
                let inLedger = field.number(of: photo).map(String.init) ?? field.text(of: photo)
                let inManifest = traces.line[field.name]?.text
                let inGallery = traces.record[field.name]?.text
                let place = Comment("\(kind), \(field.name), \(isDone ? "done" : "failed"), rebuilt: \(isRebuilt)")
                #expect(traces.row[field.name] == (field.manifest == .absent ? nil : inManifest ?? ""), place)
                switch field.manifest {
                case .absent:
                    #expect(inManifest == nil, place)
                    if !isRebuilt { #expect(inLedger == expected, place) }
                case .ofFile:
                    #expect(inManifest == (isDone ? expected : nil), place)
                    if !isRebuilt { #expect(inLedger == expected, place) }
                case .ofFileOrFeed:
                    #expect(isDone ? inManifest != nil : inManifest == expected, place)
                    #expect(isDone && isRebuilt ? inLedger == inManifest : inLedger == expected, place)
                case .column:
                    #expect(inManifest == expected, place)
                    #expect(inLedger == expected, place)
                }
                switch field.gallery {
                case .absent: #expect(inGallery == nil, place)
                case .ofFile: if isDone { #expect(inGallery == inManifest, place) }
                case .ofFeed: #expect(inGallery == expected, place)
                }
            }
        }
    }

    @Test(
        "Every field reaches the ledger, the manifest and the gallery, and survives a rebuild from the manifest",
        arguments: SourceKind.allCases)
    func roundTrip(kind: SourceKind) async throws {
        try await mirror(kind)
        try check(kind, isRebuilt: false)
        let manifests = try ["jsonl", "csv"].map { try folder.bytes(of: "out/manifest.\($0)") }
        try folder.remove("out/\(Ledger.name)")
        #expect(try PhotoMirror.rebuildLedger(folder.path("out")).lost == 0)
        try check(kind, isRebuilt: true)
        #expect(try ["jsonl", "csv"].map { try folder.bytes(of: "out/manifest.\($0)") } == manifests)
        // A second rebuild starts from the restored ledger, and loses nothing either.
        #expect(try PhotoMirror.rebuildLedger(folder.path("out"), isForced: true).lost == 0)
        try check(kind, isRebuilt: true)
    }

    @Test("A rebuild takes the details of failures from the old ledger, which the manifest does not have")
    func failureDetails() async throws {
        try await mirror(.list)
        let before = try traces()
        let failure = try #require(before.last?.entry.receipt?.failure)
        try #require(failure.cause == .notAnImage && !failure.detail.isEmpty)
        #expect(before.last?.line["detail"] == nil)
        _ = try PhotoMirror.rebuildLedger(folder.path("out"), isForced: true)
        let after = try traces()
        #expect(after.last?.entry.receipt?.failure == failure)
        #expect(after.last?.record["detail"] == before.last?.record["detail"])
        #expect(after.last?.line == before.last?.line)
        // Without a readable ledger, the manifest still has the cause.
        try Data(repeating: 7, count: 5000).write(to: URL(filePath: folder.path("out/\(Ledger.name)")))
        _ = try PhotoMirror.rebuildLedger(folder.path("out"))
        #expect(try traces().last?.entry.receipt?.failure == Failure(failure.cause, ""))
    }
}
