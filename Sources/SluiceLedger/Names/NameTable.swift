// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The statements on the names that items were given: each has one, for good, and no two are one on any file system.
final class NameTable {
    private let find: Statement
    private let insert: Statement

    init(_ database: borrowing Database) throws(LedgerError) {
        find = try Statement("SELECT name FROM names WHERE seq = ?1", of: database)
        insert = try Statement("INSERT OR IGNORE INTO names VALUES (?1, ?2, ?3) RETURNING seq", of: database)
    }

    /// The item's name; `nil` if it was given none.
    func name(of seq: Int) throws(LedgerError) -> String? {
        try find.first([.integer(seq)]) { row in row.text() }.flatMap { $0 }
    }

    /// Gives a new item its name: the template's, with a short hash behind it where another has that already.
    func give(_ item: Item, by template: NameTemplate) throws(LedgerError) -> String? {
        let name = template.name(of: item)
        let photo = item.photo
        let hash = Fingerprint(of: [item.feed, photo.collection ?? "", photo.id]).short
        for candidate in [name, "\(name)-\(hash)", "\(name)-\(hash)-\(item.seq)"] {
            if try keep(candidate, of: item.seq) { return candidate }
        }
        return nil
    }

    /// Notes the name of an item, and says whether nobody else has it.
    @discardableResult
    func keep(_ name: String, of seq: Int) throws(LedgerError) -> Bool {
        // Two names that share a number by chance only cost the later a hash behind it.
        let key = Fingerprint(of: [SafeName.folded(name)]).value
        return try insert.first([.integer(seq), .text(name), .integer(key)]) { row in row.integer() } != nil
    }
}
