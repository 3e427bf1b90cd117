// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceSystem

/// The marks of a mirror that wait for a command that may write to its ledger.
///
/// The server appends to the file, also while a run holds the mirror. Each command that opens the mirror for writing
/// applies all lines in their order. They stay until a command has written them to the manifest, so that a rebuild
/// finds each mark there or here. To apply them again changes nothing.
package struct MarkJournal: Sendable {
    private static let name = ".sluice/marks.jsonl"
    /// The maximum size in bytes.
    private static let limit = 16 << 20
    private static let lockTime = Duration.seconds(1)

    private let folder: Folder

    package init(in folder: Folder) { self.folder = folder }

    /// The marks, and the size of the file that has them; none if there is no readable file.
    ///
    /// It may come from someone else, and a killed server may have left a part of a line: invalid lines are ignored.
    package var content: (marks: [PhotoMark], size: Int) {
        guard let bytes = try? folder.read(Self.name, limit: Self.limit) else { return ([], 0) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        return (lines.compactMap { (try? JSON(parsing: Array($0))).flatMap { PhotoMark($0) } }, bytes.count)
    }

    /// Appends marks durably.
    package func append(_ marks: [PhotoMark]) throws(FileError) {
        var writer = JSONWriter()
        // After a part of a line, which a killed process has left.
        writer.newline()
        for mark in marks {
            writer.object { mark.write(to: &$0) }
            writer.newline()
        }
        let file = try locked()
        guard try file.size + writer.bytes.count <= Self.limit else {
            throw FileError(code: EFBIG, operation: "append to", path: Self.name)
        }
        try file.append(writer.bytes)
        let written = try folder.openForReading(Self.name)
        guard fsync(written.descriptor) == 0 else { throw FileError(code: errno, operation: "flush", path: Self.name) }
        try folder.flush(".sluice")
    }

    /// Removes the marks of a file of this size, unless others have been added since.
    package func clear(_ size: Int) throws(FileError) {
        guard size > 0 else { return }
        let file = try locked()
        if try file.size == size { try file.truncate(to: 0) }
    }

    /// Opens the file when no other process writes to it.
    private func locked() throws(FileError) -> AppendedFile {
        let deadline = ContinuousClock.now + Self.lockTime
        while true {
            do throws(FileError) {
                return try AppendedFile(Self.name, in: folder, creates: folder.size(of: Self.name) == nil)
            } catch {
                // Another process may also have created it just now.
                guard [EWOULDBLOCK, EEXIST].contains(error.code), .now < deadline else { throw error }
                usleep(1000)
            }
        }
    }
}

extension Ledger {
    /// Applies the marks of a mirror's journal, and returns the size of the journal; unknown photos are ignored.
    package func apply(_ journal: MarkJournal) throws(LedgerError) -> Int {
        let (marks, size) = journal.content
        guard !marks.isEmpty else { return size }
        try connection.withLock { (connection) throws(LedgerError) in
            try connection.transaction(flushed: true) { () throws(LedgerError) in
                for field in PhotoMark.fields {
                    // An unchanged row keeps the stamp of the output.
                    let update = Statement(
                        "UPDATE items SET \(field.name) = ?2 WHERE seq = ?1 AND \(field.name) IS NOT ?2",
                        of: connection.database)
                    for mark in marks where mark.changed.contains(field) {
                        let photo = mark.marks
                        let value = field.isNumber ? SQLValue(field.number(of: photo)) : SQLValue(field.text(of: photo))
                        try update.run([.integer(mark.seq), value])
                    }
                }
            }
        }
        return size
    }

    /// Returns the positions of rejected photos that have files.
    package func rejected() throws(LedgerError) -> [Int] {
        try rows("SELECT seq FROM items JOIN receipts USING (seq) WHERE rating < 0 AND state = 'done'") {
            (row) throws(LedgerError) in try row.quantity() ?? 0
        }
    }
}
