// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceParquet
package import SluiceStore

/// Writes `manifest.jsonl` and `manifest.csv`, and `manifest.parquet` if it is wanted, entry by entry.
///
/// Add the ledger's entries in order: the same entries produce the same bytes. Memory use is bounded. ``finish()``
/// replaces the existing files; without it they stay unchanged.
package struct ManifestWriter: ~Copyable {
    /// The names of the JSON and the CSV file.
    package static let names = ["manifest.jsonl", "manifest.csv"]
    /// The name of the Parquet file.
    package static let parquetName = ManifestParquet.name

    /// Small enough for the CPU cache, large enough to make system calls rare.
    private static let bufferSize = 64 << 10

    private let store: any Store
    private let linesFile: NewFile
    private let csvFile: NewFile
    private var lines = JSONWriter()
    private var csv = ManifestCSV()
    private var parquet: ManifestParquet?

    package init(in store: any Store, withParquet: Bool = false) throws(FileError) {
        let linesFile = try store.create(Self.names[0])
        let csvFile = try store.create(Self.names[1])
        let parquet = withParquet ? try ManifestParquet(in: store) : nil
        self.store = store
        self.linesFile = linesFile
        self.csvFile = csvFile
        self.parquet = parquet
        csv.header()
    }

    package mutating func add(_ entry: LedgerEntry) throws(FileError) {
        let receipt = entry.receiptOrDeferred
        lines.writeManifestLine(entry.item, receipt)
        csv.row(entry.item, receipt)
        try parquet?.row(entry.item, receipt)
        if lines.bytes.count >= Self.bufferSize { try writeOut() }
    }

    /// Completes the files and replaces the existing ones.
    package consuming func finish() throws(FileError) {
        try writeOut()
        var files = [try linesFile.stage(flushed: true), try csvFile.stage(flushed: true)]
        if let parquet { files.append(try parquet.stage()) }
        try store.commitAll(files, durability: .each)
    }

    private mutating func writeOut() throws(FileError) {
        try linesFile.write(lines.bytes)
        try csvFile.write(csv.bytes)
        lines.removeAll()
        csv.removeAll()
    }
}

/// Formats lines of `manifest.jsonl` for use outside a mirror.
package struct ManifestLines {
    private var writer = JSONWriter()

    package init() {}

    /// The lines added so far.
    package var bytes: [UInt8] { writer.bytes }

    /// Adds the line of a ledger entry.
    package mutating func add(_ entry: LedgerEntry) { writer.writeManifestLine(entry.item, entry.receiptOrDeferred) }
}

extension JSONWriter: ManifestFieldWriter {
    mutating func field(_ name: String, _ text: String?) { member(name, text) }
    mutating func field(_ name: String, _ number: Int?) { member(name, number) }

    mutating func object(_ name: String, _ text: String?) {
        // The ledger may be another user's.
        guard let text, let object = try? JSON(parsing: Array(text.utf8)) else { return }
        member(name, json: object)
    }

    mutating func thumbs(_ thumbs: [Thumb]) {
        guard !thumbs.isEmpty else { return }
        array("thumbs") { list in for thumb in thumbs { list.object { thumb.write(to: &$0) } } }
    }

    /// Writes one line of `manifest.jsonl`.
    mutating func writeManifestLine(_ item: Item, _ receipt: Receipt) {
        object { line in
            line.member("schema", 1)
            line.writeFields(of: item, receipt)
        }
        newline()
    }
}

/// Writes the rows of `manifest.parquet`.
///
/// The columns are those of `manifest.csv`. Times are timestamps, and the column `thumbs` has a list of paths.
struct ManifestParquet: ~Copyable {
    static let name = "manifest.parquet"

    private var writer: ParquetWriter

    init(in store: any Store) throws(FileError) {
        writer = try ParquetWriter(ManifestColumns.all, to: store.create(Self.name))
    }

    /// Writes the row of an item.
    mutating func row(_ item: Item, _ receipt: Receipt) throws(FileError) {
        writeFields(of: item, receipt)
        try writer.endRow()
    }

    /// Completes the file, to be committed later.
    consuming func stage() throws(FileError) -> StagedFile { try writer.finish().stage(flushed: true) }
}

extension ManifestParquet: ManifestFieldWriter {
    mutating func field(_ name: String, _ text: String?) { writer.add(text) }
    mutating func field(_ name: String, _ number: Int?) { writer.add(number) }

    mutating func time(_ name: String, _ seconds: Int?) {
        let milliseconds = seconds?.multipliedReportingOverflow(by: 1000)
        writer.add(milliseconds.flatMap { $0.overflow ? nil : $0.partialValue })
    }

    mutating func thumbs(_ thumbs: [Thumb]) { writer.add(thumbs.map(\.file.path)) }
}

/// Collects the columns of `manifest.csv` and `manifest.parquet`: one for each field.
struct ManifestColumns: ManifestFieldWriter {
    /// All columns, in the order of the fields.
    static let all: [ParquetColumn] = {
        var columns = ManifestColumns()
        columns.writeFields(of: Item(seq: 0, feed: "", page: 0, photo: Photo(id: "")), Receipt(.skipped))
        return columns.collected
    }()

    private var collected: [ParquetColumn] = []

    mutating func field(_ name: String, _ text: String?) { collected.append(ParquetColumn(name, .text)) }
    mutating func field(_ name: String, _ number: Int?) { collected.append(ParquetColumn(name, .integer)) }
    mutating func time(_ name: String, _ seconds: Int?) { collected.append(ParquetColumn(name, .timestamp)) }
    mutating func thumbs(_ thumbs: [Thumb]) { collected.append(ParquetColumn("thumbs", .texts)) }
}
