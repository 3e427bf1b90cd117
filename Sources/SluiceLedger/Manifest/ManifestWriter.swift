// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// Writes `manifest.jsonl` and `manifest.csv`, entry by entry, and puts both in place at the end.
///
/// Give it the ledger's entries in their order: the same entries make the same bytes. Memory stays flat. What stood
/// there before stays until ``finish()``, and for good if it is not reached.
public struct ManifestWriter: ~Copyable {
    /// The names of the two files.
    public static let names = ["manifest.jsonl", "manifest.csv"]

    /// Small enough to stay in the cache, large enough that the system is rarely called.
    private static let bufferSize = 64 << 10

    private let linesFile: NewFile
    private let tableFile: NewFile
    private var lines = JSONWriter()
    private var table = ManifestTable()

    /// Starts both files in the mirror's folder.
    public init(in folder: Folder) throws(FileError) {
        let linesFile = try NewFile(Self.names[0], in: folder)
        let tableFile = try NewFile(Self.names[1], in: folder)
        self.linesFile = linesFile
        self.tableFile = tableFile
        table.header()
    }

    /// Adds the next entry.
    public mutating func add(_ entry: Entry) throws(FileError) {
        let end = entry.end
        lines.manifestLine(entry.item, end)
        table.row(entry.item, end)
        if lines.bytes.count >= Self.bufferSize { try writeOut() }
    }

    /// Puts both files in place of what stood there.
    public consuming func finish() throws(FileError) {
        try writeOut()
        try linesFile.finish()
        try tableFile.finish()
    }

    private mutating func writeOut() throws(FileError) {
        try linesFile.write(lines.bytes)
        try tableFile.write(table.bytes)
        lines.removeAll()
        table.removeAll()
    }
}
