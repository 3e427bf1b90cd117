// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
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

    /// Creates the files in the mirror's store.
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
