// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceLedger
@testable import SluiceModel

/// Checks the outputs that the tables of fields define: ledger, manifests, events, schemas and Python types.
@Suite("Field tables", .timeLimit(.minutes(10))) struct FieldTableTests {
    /// An entry with every fact that a table has.
    private static func entry() -> LedgerEntry {
        var photo = Photo(id: "a")
        for (number, field) in PhotoField.all.enumerated() {
            switch field.property {
            case .text(let path) where field.kind == .object: photo[keyPath: path] = #"{"a":\#(number)}"#
            case .text(let path): photo[keyPath: path] = "https://\(number).example/"
            case .number(let path): photo[keyPath: path] = number + 1
            }
        }
        // A photo that failed after it had been stored has every fact.
        var receipt = Receipt(.done)
        for (number, field) in ReceiptField.all.enumerated() where field.name != "state" {
            switch field.value {
            case .text(let access): access.set(&receipt, text(of: field, number))
            case .number(let access), .side(let access): access.set(&receipt, number + 1)
            case .object(let access): access.set(&receipt, #"{"file":"x","bytes":\#(number),"sha256":"y"}"#)
            case .thumbs: receipt.thumbs = Samples.done("a").thumbs
            }
        }
        return LedgerEntry(item: Item(seq: 7, feed: "f", page: 3, photo: photo), receipt: receipt)
    }

    private static func text(of field: ReceiptField, _ number: Int) -> String {
        switch field.name {
        case "cause": Cause.corrupt.name
        case "part": Receipt.Part.scans.rawValue
        default: "https://text\(number).example/"
        }
    }

    private static func line(of entry: LedgerEntry, _ fields: [ManifestField] = ManifestField.all) throws -> JSON {
        let receipt = try #require(entry.receipt)
        var writer = JSONWriter()
        writer.object { $0.writeFields(of: entry.item, receipt, fields) }
        return try JSON(parsing: writer.bytes)
    }

    @Test("The sample has every fact")
    func sample() throws {
        let receipt = try #require(Self.entry().receipt)
        for field in ReceiptField.all {
            if case .thumbs = field.value { continue }
            #expect(field.text(of: receipt) != nil || field.number(of: receipt) != nil, "\(field.name)")
        }
    }

    @Test("The columns of the manifest are numbered without gaps, and have different names")
    func columns() {
        #expect(ManifestField.all.map(\.column) == Array(1...ManifestField.all.count))
        #expect(Set(ManifestField.all.map(\.name)).count == ManifestField.all.count)
    }

    /// A rebuild once lost the camera's facts and the licence at the download, because the manifest lacked them.
    @Test("A manifest's line restores every fact of the receipt and of the feed that it has")
    func restored() throws {
        let entry = Self.entry()
        var lines = ManifestLines()
        lines.add(entry)
        let restored = try #require(LedgerEntry(manifestLine: lines.bytes))
        let (old, new) = (try #require(entry.receipt), try #require(restored.receipt))
        #expect(restored.item.seq == 7 && restored.item.feed == "f" && restored.item.page == 3)
        #expect(new.thumbs == old.thumbs && new.state == old.state)
        var compared = 0
        for field in ReceiptField.all where field.manifest != .absent {
            #expect(field.manifestText(of: new) == field.manifestText(of: old), "\(field.name)")
            #expect(field.number(of: new) == field.number(of: old), "\(field.name)")
            compared += 1
        }
        for field in PhotoField.all {
            guard case .column = field.manifest else { continue }
            #expect(field.value(of: restored.item.photo) == field.value(of: entry.item.photo), "\(field.name)")
            compared += 1
        }
        #expect(compared == ManifestField.all.count - 4)
        let variant = try #require(restored.item.photo.variants.first)
        #expect(variant.name == old.variant && variant.url == old.url)
    }

    @Test("The ledger stores every fact that the table gives a column")
    func stored() throws {
        let temporary = TemporaryFolder()
        let ledger = try Ledger(in: Folder(temporary.path))
        let run = try ledger.beginRun(source: "s", feed: "f", options: "", startedAt: 0)
        let entry = Self.entry()
        try ledger.restore([entry], in: run)
        let (old, new) = (try #require(entry.receipt), try #require(try ledger.entry(at: 7)?.receipt))
        #expect(new.thumbs == old.thumbs)
        for field in ReceiptField.all where field.ledger != nil {
            #expect(field.text(of: new) == field.text(of: old), "\(field.name)")
            #expect(field.number(of: new) == field.number(of: old), "\(field.name)")
        }
    }

    @Test("An imaginary fact of receipts reaches both manifests, and is restored, with one entry")
    func imaginary() throws {
        let mood = ReceiptField(
            "mood", .text({ $0.stamp }, { $0.stamp = $1 }), manifest: .column(ManifestField.all.count + 1))
        let fields = ManifestField.fields(of: PhotoField.all, ReceiptField.all + [mood])
        var entry = Self.entry()
        entry.receipt?.stamp = "calm"
        #expect(try Self.line(of: entry, fields)["mood"]?.text == "calm")
        #expect(try Self.line(of: entry)["mood"] == nil)
        #expect(fields.last?.name == "mood" && fields.dropLast().map(\.name) == ManifestField.all.map(\.name))
    }

    @Test("events.schema.json allows the facts of receipts, and no others")
    func events() throws {
        let frame = ["schema", "event", "time", "seq", "id", "feed", "page", "collection", "end", "hint"]
        let facts = ReceiptField.all.filter { if case .absent = $0.event { false } else { true } }
        #expect(try Schema("events").members(of: "item-ended") == Set(frame + facts.map(\.name)))
    }

    @Test("The schemas of events and reports allow the figures of a summary")
    func figures() throws {
        func names(_ output: SummaryField.Output) -> [String] {
            SummaryField.all.filter { $0.outputs.contains(output) }.map(\.name)
        }
        #expect(
            try Schema("events").members(of: "run-finished")
                == Set(names(.event) + ["schema", "event", "time", "stop"]))
        #expect(try Schema("report").members(of: nil).isSuperset(of: names(.report)))
    }

    @Test("The documentation's table and Python's Row have the manifest's fields, with their types")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let page = try String(contentsOf: root.appending(path: "Documentation/upkeep.md"), encoding: .utf8)
        let table = try #require(
            page.split(separator: "## The manifest").last?.split(separator: "\n\n").dropFirst().first)
        let documented = table.split(separator: "\n").dropFirst(2).flatMap { row in
            row.split(separator: "|").first?.matches(of: /`([a-z0-9_]+)`/).map { String($0.1) } ?? []
        }
        #expect(Set(documented) == Set(ManifestField.all.map(\.name) + ["schema"]))

        let module = try String(
            contentsOf: root.appending(path: "Integrations/python/sluice/manifest.py"), encoding: .utf8)
        let row = try #require(module.split(separator: "class Row(TypedDict, total=False):").last)
        let members = row.split(separator: "\n\n").dropFirst().first?.matches(of: /([a-z0-9_]+): (.+)/) ?? []
        let types = ManifestField.all.map { "\($0.name): \(Self.pythonType(of: $0.source))" }
        #expect(Set(members.map { "\($0.1): \($0.2)" }) == Set(types + ["schema: int"]))
    }

    private static func pythonType(of source: ManifestField.Source) -> String {
        switch source {
        case .seq, .page: return "int"
        case .id, .feed: return "str"
        case .photo(let field): return field.isNumber ? "int" : field.kind == .object ? "Dict[str, Any]" : "str"
        case .receipt(let field, _):
            switch field.value {
            case .text: return "str"
            case .number, .side: return "int"
            case .object: return "Dict[str, Any]"
            case .thumbs: return "List[Thumb]"
            }
        }
    }
}
