// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// Writes `manifest.jsonl` and `manifest.csv` entry by entry.
///
/// Add the ledger's entries in order: the same entries produce the same bytes. Memory use is constant. ``finish()``
/// replaces the existing files; without it they stay unchanged.
public struct ManifestWriter: ~Copyable {
    /// The names of the JSON and the CSV file.
    public static let names = ["manifest.jsonl", "manifest.csv"]

    /// Small enough for the CPU cache, large enough to make system calls rare.
    private static let bufferSize = 64 << 10

    private let linesFile: NewFile
    private let csvFile: NewFile
    private var lines = JSONWriter()
    private var csv = ManifestCSV()

    /// Creates both files in the mirror's folder.
    public init(in folder: Folder) throws(FileError) {
        let linesFile = try NewFile(Self.names[0], in: folder)
        let csvFile = try NewFile(Self.names[1], in: folder)
        self.linesFile = linesFile
        self.csvFile = csvFile
        csv.header()
    }

    /// Adds the next entry.
    public mutating func add(_ entry: LedgerEntry) throws(FileError) {
        let receipt = entry.receiptOrDeferred
        lines.writeManifestLine(entry.item, receipt)
        csv.row(entry.item, receipt)
        if lines.bytes.count >= Self.bufferSize { try writeOut() }
    }

    /// Completes both files and replaces the existing ones.
    public consuming func finish() throws(FileError) {
        try writeOut()
        try linesFile.finish()
        try csvFile.finish()
    }

    private mutating func writeOut() throws(FileError) {
        try linesFile.write(lines.bytes)
        try csvFile.write(csv.bytes)
        lines.removeAll()
        csv.removeAll()
    }
}
