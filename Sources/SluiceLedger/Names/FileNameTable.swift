// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The prepared statements for the permanent file names of items, which are unique on every file system.
final class FileNameTable {
    private let find: Statement
    private let insert: Statement

    init(_ database: borrowing Database) throws(LedgerError) {
        find = try Statement("SELECT name FROM names WHERE seq = ?1", of: database)
        insert = try Statement("INSERT OR IGNORE INTO names VALUES (?1, ?2, ?3) RETURNING seq", of: database)
    }

    /// Returns the item's name; `nil` if it has none.
    func name(of seq: Int) throws(LedgerError) -> String? {
        try find.first([.integer(seq)]) { row in row.text() }.flatMap { $0 }
    }

    /// Assigns a name to a new item: the template's name, with a short hash appended if it is taken.
    func assignName(to item: Item, by template: NameTemplate) throws(LedgerError) -> String? {
        let name = template.name(of: item)
        let photo = item.photo
        let hash = Fingerprint(of: [item.feed, photo.collection ?? "", photo.id]).short
        for candidate in [name, "\(name)-\(hash)", "\(name)-\(hash)-\(item.seq)"] {
            if try reserve(candidate, for: item.seq) { return candidate }
        }
        return nil
    }

    /// Records an item's name; returns false if another item has it.
    @discardableResult
    func reserve(_ name: String, for seq: Int) throws(LedgerError) -> Bool {
        // If two names have the same fingerprint by chance, the later one only gets a hash appended.
        let key = Fingerprint(of: [SafeName.folded(name)]).value
        return try insert.first([.integer(seq), .text(name), .integer(key)]) { row in row.integer() } != nil
    }
}
